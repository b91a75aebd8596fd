"""Groups of protocol functions: whose definition counts, and games that define a group by halves."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludometer.core.compiling.dispatch import GROUPS, defines, supports
from ludometer.core.errors import GameDefinitionError
from ludometer.core.protocol import PROTOCOL
from ludometer.core.protocol.learning import LEARNING, feature_names, learning_score, pattern_names
from ludometer.core.protocol.numbering import NUMBERING
from ludometer.core.protocol.searching import SEARCHING, depth_rules, evaluations
from ludometer.core.protocol.subboards import WINDOWS
from ludometer.core.protocol.tiling import TILES
from ludometer.games import game, kinds

EXAMPLE = Path(__file__).parents[3] / "examples" / "connect_three.py"


def with_code(folder: Path, code: str, **replaced: str) -> str:
    """The example game with more code at its end, as a spec."""
    file = folder / "edited.py"
    text = EXAMPLE.read_text() + "\n\n" + code
    for old, new in replaced.items():
        text = text.replace(old, new)
    file.write_text(text)
    return str(file)


def test_a_game_s_own_function_wins_over_a_shared_one(tmp_path: Path) -> None:
    """Compiled and plain Python alike: here the game itself says that the second player begins."""
    own = "@njit\ndef turn(rules, state):\n    return np.int64(1 - state.turn)\n\n\ndef rules_to_text(rules):\n    return ''\n"
    subject = game(with_code(tmp_path, own))
    assert subject.start().player == 1 and subject.start().play("A").player == 0
    assert PROTOCOL.implementation(type(subject.rules), "turn").__module__ == subject.kind.modules[0]
    assert subject.kind.required("rules_to_text").__module__ == subject.kind.modules[0]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "@njit\ndef dense_size(rules):\n    return 5\n",
            "defines dense_size but not dense_index, dense_state; numbering needs all of them",
        ),
        ("@njit\ndef tile_cells(rules):\n    return 9\n", "defines tile_cells but not state_of_tiles, tiles_of_state"),
        ("@njit\ndef symmetry_count(rules):\n    return 2\n", "defines symmetry_count but not transform, transform_move"),
        ("EVALUATIONS = ('corners',)\n", "defines EVALUATIONS but not evaluate, which searching needs beside it"),
        ("DEPTH_RULES = ('late',)\n", "defines DEPTH_RULES but not depth_rule"),
        ("def feature_names(rules):\n    return []\n", "defines feature_names but not feature_count, features"),
        ("@njit\ndef packed_words(rules):\n    return 1\n", "defines packed_words but not pack"),
        ("@njit\ndef search_step(rules, state, move):\n    return state\n", "defines search_step but not search_moves"),
        ("@njit\ndef dense_moves(rules, index):\n    return 1\n", "defines dense_moves but not dense_size"),
        ("margin = 3\n", "margin should be a function margin(rules, state)"),
        ("@njit\ndef evaluate(rules, position, number):\n    return 0.0\n", "should be evaluate(rules, state, number)"),
        ("def window_layouts(rules, text):\n    return []\n", "its GameKind does not say offers=('windows',)"),
    ],
)
def test_a_group_defined_by_halves_is_refused(code: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(GameDefinitionError) as caught:
        game(with_code(tmp_path, code))
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_module_is_no_definition(tmp_path: Path) -> None:
    """A game may import something under a name of the protocol."""
    subject = game(with_code(tmp_path, "import math as margin, cmath as key\n"))
    assert not defines(subject, PROTOCOL, "margin") and not defines(subject, PROTOCOL, "key")
    assert subject.start().play("A").margin == 0


@pytest.mark.parametrize(("offer", "message"), [("windows", "offers windows but defines none"), ("wings", "offers 'wings'; groups are")])
def test_an_offer_that_is_not_kept(offer: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(GameDefinitionError, match=message):
        game(with_code(tmp_path, "", **{"listed=(),": f"listed=(), offers=({offer!r},),"}))


def test_what_the_games_support() -> None:
    supported = {
        spec: {name for name, group in GROUPS.items() if supports(game(spec), group)} - {"protocol"}
        for spec in ("quixo:3", "ultimate", "tictactoe", "dots:2x2", "matrix:sexes")
    }
    assert supported == {
        "quixo:3": {"searching", "learning", "tiles"},
        "ultimate": {"searching", "learning"},
        "tictactoe": {"searching", "proving"},
        "dots:2x2": {"searching", "proving", "numbering", "windows"},
        "matrix:sexes": set(),
    }
    assert not supports(game(str(EXAMPLE)), NUMBERING) and not supports(game("dots:2x2"), TILES)
    assert {kind.name for kind in kinds().values() if WINDOWS.name in kind.offers} == {"dots"}


def test_names_of_a_group() -> None:
    quixo, ultimate, plain = game("quixo:3"), game("ultimate"), game("matrix:sexes")
    assert evaluations(quixo) == ("longest", "result") and depth_rules(quixo) == ("advantage", "losing", "longest")
    assert learning_score(ultimate) == "heur1" and learning_score(quixo) == ""
    assert evaluations(plain) == depth_rules(plain) == () and feature_names(plain) == pattern_names(plain) == []
    assert len(feature_names(quixo)) > 0 and len(pattern_names(ultimate)) > 0
    assert defines(quixo, SEARCHING, "evaluate") and not defines(quixo, LEARNING, "LEARNING_SCORE")


@pytest.mark.compile
def test_rules_of_one_name_are_told_apart_whatever_the_order(tmp_path: Path) -> None:
    """The name compiled code knows a class by depends on its file alone, so that kept code is found again."""
    names = []
    for folder in ("b", "a"):
        (tmp_path / folder).mkdir()
        subject = game(with_code(tmp_path / folder, ""))
        names.append(type(subject.rules).__name__)
        assert names[-1] == f"{subject.kind.modules[0]}.ConnectThreeRules"
        assert type(subject.start().play("A").state).__name__ == f"{subject.kind.modules[0]}.ConnectThreeState"
    assert names[0] != names[1]
