"""Games by their specs, game files, and the errors people meet when a game is not written as the protocol asks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludometer.core.errors import GameDefinitionError, SpecError
from ludometer.core.game import GameKind
from ludometer.games import game, kinds
from ludometer.web import untrusted

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "connect_three.py"


def edited(folder: Path, old: str, new: str) -> str:
    """The path of a copy of the example game with one thing changed, under a name of its own."""
    text = EXAMPLE.read_text()
    assert text.count(old) == 1
    file = folder / "edited.py"
    file.write_text(text.replace(old, new).replace("ConnectThree", "Edited" + re.sub(r"\W", "", folder.name)))
    return str(file)


def test_kinds_are_found_by_looking() -> None:
    assert {"dots", "matrix", "mnk", "quixo", "ultimate"} <= set(kinds())
    assert list(kinds()) == sorted(kinds())


@pytest.mark.parametrize("name", kinds())
def test_every_kind_says_what_it_is(name: str) -> None:
    kind = kinds()[name]
    assert kind.title and kind.syntax.startswith(name) and kind.listed
    assert kind.position_help and kind.move_help
    assert "\n" not in kind.position_help + kind.move_help + kind.syntax
    for spec in (*kind.listed, *kind.aliases):
        assert game(spec).kind is kind


def test_specs_ignore_case_and_space_around() -> None:
    assert game(" TicTacToe ").spec == game("MNK:3,3,3").spec == "mnk:3,3,3"
    assert game(game("quixo:4")) is not None and game(game("quixo:4")).spec == "quixo:4"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("quxio:4", "did you mean quixo?"),
        ("", "no game is called ''; games are "),
        ("chess", "or a path to a game file"),
        ("nowhere.py", "there is no game file 'nowhere.py'"),
        ("nowhere.py:3", "there is no game file 'nowhere.py'"),
        ("a\nb", "no game is called 'a\\nb'"),
        ("tictactoe:4", "tictactoe is the name of mnk:3,3,3 and takes nothing after a colon"),
    ],
)
def test_wrong_specs_say_what_would_be_right(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        game(spec)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_game_file_is_a_game(tmp_path: Path) -> None:
    subject = game(edited(tmp_path, 'title="Connect Three"', 'title="Another"'))
    assert subject.kind.title == "Another"
    assert game(subject.spec) == subject
    with pytest.raises(SpecError, match="takes no parameters"):
        game(subject.spec + ":7")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def move_bound(rules):", "def moves_bound(rules):", "does not define move_bound(rules)"),
        ("def play(rules, state, move):", "def play(rules, state, column):", "should be play(rules, state, move)"),
        ("def rules_from_text(text):", "def rules_of_text(text):", "does not define rules_from_text"),
        ("return ConnectThreeRules(3, 3)", "return {'rows': 3, 'columns': 3}", "rules_from_text gives dict, which is not a NamedTuple"),
        ("GAME = GameKind(", "THE_GAME = GameKind(", "has no GAME = GameKind"),
        ("import numpy as np", "import numpy as np\nimport no_such_module", "ModuleNotFoundError"),
        ("    rows: int", "    rows: int(", "SyntaxError"),
    ],
)
def test_a_game_not_made_as_asked(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(GameDefinitionError) as caught:
        game(edited(tmp_path, old, new))
    assert message in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_a_module_that_is_not_there() -> None:
    kind = GameKind(name="lost", title="Lost", syntax="lost", listed=(), modules=("ludometer.games.lost",))
    with pytest.raises(ModuleNotFoundError):
        kind.game()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (str(EXAMPLE), "a game file cannot be named from outside"),
        ("/etc/passwd.py:3", "a game file cannot be named from outside"),
        ("matrix:/etc/passwd.nfg", "game matrix: '/etc/passwd.nfg' cannot be had from outside"),
        ("matrix:../x.nfg", "cannot be had from outside"),
        ("matrix:" + "1," * 300, "cannot be had from outside"),
        ("mnk:100,3,3", "write mnk:M,N,K with numbers from 1 to 15"),
        ("quixo:7", "write quixo:N with N from 2 to 6"),
        ("dots:10x2", "write dots:RxC"),
        ("ultimate:odd", "write one of ultimate, ultimate:open"),
        ("chess", "no game is called 'chess'"),
    ],
)
def test_input_from_outside_names_no_file_and_no_huge_board(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        untrusted.game(spec)
    assert message in str(caught.value) and len(str(caught.value).splitlines()) == 1
    assert "path to a game file" not in str(caught.value) and "FILE" not in str(caught.value), "what strangers cannot have is not offered"


def test_all_other_games_are_open_to_the_outside() -> None:
    listed = [spec for kind in kinds().values() for spec in (*kind.listed, *kind.aliases)]
    for spec in (*listed, "quixo", "quixo:6", "dots:1x9", "mnk:15,15,5", "matrix:3,2 0,0; 0,0 2,3"):
        assert untrusted.game(spec) == game(spec)


def test_a_kind_that_declares_nothing_has_its_listed_games_only() -> None:
    kind = GameKind(name="plain", title="Plain", syntax="plain:N", listed=("plain:1", "plain:2"), modules=())
    kind.check_outside("2")
    with pytest.raises(SpecError, match="game plain: '3' cannot be had from outside; write one of plain:1, plain:2"):
        kind.check_outside("3")


def test_listed_games_are_known_without_their_modules() -> None:
    for kind in kinds().values():
        for spec, listed in zip(kind.listed, kind.listed_games()):
            assert listed == game(spec) and listed.parameters == game(spec).parameters
            assert listed.start() == game(spec).start()
