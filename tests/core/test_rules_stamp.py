"""One notion of "same rules": behaviour decides, words do not."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludometer as lm
from ludometer.core.rules_stamp import knowledge_stamp, older_stamps, rules_stamp
from ludometer.games import game
from ludometer.solvers.files.table_files import ForeignTable, Origin

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_three.py"

EVALUATION = """
EVALUATIONS = ("zero",)


@njit
def evaluate(rules, state, number):
    return np.float64(0.0)
"""


def edited(folder: Path, name: str, *changes: tuple[str, str], more: str = "") -> lm.Game:
    """The example with some changes; all versions have the same spec but for the name of the file."""
    text = EXAMPLE.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / f"{name}.py"
    file.write_text(text.replace("name=__file__", 'name="three"') + more)
    return game(str(file))


def test_stamps_stay_what_they_were() -> None:
    """Changing one makes stored experiments and tables of that game unusable."""
    stamps = {spec: rules_stamp(game(spec)) for spec in ("quixo:2", "quixo:3", "mnk:3,3,3", "dots:2x2", "ultimate")}
    assert stamps == {
        "quixo:2": "eb5c79f72700f16f",
        "quixo:3": "d4b00935bb2b62c2",
        "mnk:3,3,3": "00f9e1feba2b4474",
        "dots:2x2": "36d9662a715be94a",
        "ultimate": "46540a0069e2c4b7",
    }
    assert len(set(stamps.values())) == 5
    assert older_stamps(game("quixo:2")) == ("5b41251aa5fb0398",) and older_stamps(game("quixo:3")) == ("acc5b4297a24d92e",)


def test_words_and_knowledge_are_no_rules(tmp_path: Path) -> None:
    plain = edited(tmp_path, "plain")
    worded = edited(tmp_path, "worded", ("for column in range(3):", "for column in range(3):  # from left to right"))
    taught = edited(tmp_path, "taught", more=EVALUATION)
    again = edited(tmp_path, "again", more=EVALUATION.replace('"zero"', '"other"').replace("0.0", "1.0"))
    assert len({rules_stamp(one) for one in (plain, worded, taught, again)}) == 1
    assert knowledge_stamp(plain) == knowledge_stamp(worded) == "none"
    assert len({knowledge_stamp(one) for one in (plain, taught, again)}) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("for column in range(3):", "for column in range(2):"),
        ("return DRAW if", "return LOSS if"),
        ("0o421, 0o124]", "0o421, 0o421]"),  # one diagonal of two
        ("return 3  # a move is a column", "return 4"),
        ("ConnectThreeState(U0, U0, U0)", "ConnectThreeState(U0, U0, U1)"),
    ],
)
def test_another_rule_is_another_stamp(old: str, new: str, tmp_path: Path) -> None:
    plain, changed = edited(tmp_path, "plain"), edited(tmp_path, "changed", (old, new))
    assert rules_stamp(plain) != rules_stamp(changed)


def test_tables_of_the_first_version_are_accepted(tmp_path: Path) -> None:
    here = Origin.of(game("quixo:2"), "tiles")
    here.check({"game": "quixo:2", "rules": older_stamps(game("quixo:2"))[0], "layout": "tiles"}, tmp_path)
    with pytest.raises(ForeignTable, match="other rules"):
        here.check({"game": "quixo:2", "rules": "0" * 16, "layout": "tiles"}, tmp_path)
