"""Every game keeps the contract in ludometer/checks/game_contract.py.

A game of your own: pytest tests/test_contract.py --game path/to/game.py"""

from __future__ import annotations

from pathlib import Path

import pytest

from ludometer import games
from ludometer.checks.game_contract import check_game, check_garbage
from ludometer.games import game
from tests.conftest import game_file, specs_of_all_games

EXAMPLE = Path(__file__).parent.parent / "examples" / "connect_three.py"


def test_contract(contract_spec: str) -> None:
    check_game(game(contract_spec))


@pytest.mark.exhaustive
def test_garbage_is_refused_in_one_line(contract_spec: str) -> None:
    check_garbage(game(contract_spec))


def test_every_kind_is_checked() -> None:
    """Every folder of `ludometer/games` is a game, and takes part under its own name."""
    folders = {file.parent.name for file in Path(games.__file__).parent.glob("*/__init__.py")}
    assert {game(spec).kind.name for spec in specs_of_all_games()} == folders >= {"quixo", "dots", "mnk", "ultimate", "matrix"}


# Mistakes as they happen in rules: (what stands in the example, what stands there by mistake, what the contract says)
MISTAKES = {
    "a column is forgotten": ("for column in range(3):", "for column in range(2):", "with 0 legal moves"),
    "a move is listed twice": ("buffer[count] = column", "buffer[count] = min(column, 1)", "not distinct"),
    "moves are listed downwards": ("buffer[count] = column", "buffer[count] = 2 - column", "not distinct and ascending"),
    "full columns are not left out": ("if is_free and outcome", "if outcome", "two moves are shown at one place"),
    "moves go on after the end": ("if is_free and outcome(rules, state) == ONGOING:", "if is_free:", "outcome -1 with"),
    "two moves are written alike": ('"ABC"[move]', '"ABB"[move]', "written alike"),
    "the board turns to signed numbers": ("state.turn ^ U1)", "np.int64(1) - np.int64(state.turn))", "other leaves than uint64"),
    "a count that disagrees": (
        "@njit\ndef play(",
        "@njit\ndef count_moves(rules, state):\n    return np.int64(3)\n\n\n@njit\ndef play(",
        "count_moves says 3",
    ),
    "a lopsided random move": (
        "@njit\ndef play(",
        "@njit\ndef random_move(rules, state, word, buffer):\n"
        "    count = legal_moves(rules, state, buffer)\n"
        "    return np.int64(buffer[np.int64(word % np.uint64(count + 1)) % count])\n\n\n@njit\ndef play(",
        "not uniform",
    ),
    "a symmetry that turns the board on its side": (
        "@njit\ndef play(",
        "@njit\ndef symmetry_count(rules):\n    return 2\n\n\n"
        "@njit\ndef transform(rules, state, symmetry):\n"
        "    return ConnectThreeState(turned(state.mover), turned(state.other), state.turn) if symmetry else state\n\n\n"
        "@njit\ndef transform_move(rules, move, symmetry):\n    return move\n\n\n"
        "@njit\ndef turned(stones):\n"
        "    image = U0\n"
        "    for cell in range(9):\n"
        "        image |= ((stones >> np.uint64(cell)) & U1) << np.uint64(3 * (cell % 3) + cell // 3)\n"
        "    return image\n\n\n@njit\ndef play(",
        "the image's moves are not the images of the moves|playing does not commute",
    ),
}


@pytest.mark.compile
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_contract_catches(mistake: str) -> None:
    right, wrong, message = MISTAKES[mistake]
    text = EXAMPLE.read_text()
    assert text.count(right) == 1
    file = game_file(text.replace(right, wrong), "mistaken")
    with pytest.raises(AssertionError, match=message):
        check_game(game(str(file)))
