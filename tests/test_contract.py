"""Every game keeps the contract in tests/contract.py.  A game of your own: pytest tests/test_contract.py --game path/to/game.py"""

from __future__ import annotations

import time

from ludometer.games import game, kinds
from tests.contract import check_game, check_garbage


def test_contract(contract_spec: str) -> None:
    check_game(game(contract_spec))


def test_garbage_is_refused_in_one_line(contract_spec: str) -> None:
    subject = game(contract_spec)
    subject.start().play(subject.start().legal[0])  # compile outside the measured time
    begin = time.process_time()
    check_garbage(subject)
    assert time.process_time() - begin < 20


def test_every_kind_is_checked() -> None:
    from tests.conftest import specs_of_all_games

    assert {game(spec).kind.name for spec in specs_of_all_games()} == set(kinds())
