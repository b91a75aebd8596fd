"""How a card's memory is shared out: arithmetic alone, no GPU."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core.errors import LudometerError
from ludometer.games import game
from ludometer.solvers.tiles.cuda.memory import ITEM, LOST_ITEM, CardMemory, card_memory
from ludometer.solvers.tiles.pairs import Pair

GB = 10**9
LARGEST = Pair(9, 8)


@lru_cache(maxsize=1)
def five() -> CardMemory:
    return card_memory(game("quixo:5"))


def test_sizes_of_the_standard_game() -> None:
    needs = five()
    assert sum(map(needs.tables, needs.entries)) == 106_406_535_846
    assert max(needs.entries.values()) < 2**32
    # The largest pair has two tables of 3.3 GB; one of 2.9 GB is read beside them.
    assert needs.work(LARGEST) == max(map(needs.work, needs.entries)) == 2 * 3_302_248_950 + 2_935_332_400
    assert 10 * GB < needs.least < 11 * GB < needs.resident < 50 * GB < needs.full


@given(limit=st.integers(11 * GB, 141 * GB))
def test_a_plan_keeps_the_limit_for_every_pair(limit: int) -> None:
    needs = five()
    plan = needs.plan(limit)
    assert plan.resident == (limit >= needs.resident)
    assert plan.base_room >= needs.least_room
    for pair, entries in plan.entries.items():
        further = max((entries_of for need in pair.needs(25) for entries_of in [plan.entries[need]]), default=0)
        tables = needs.resident_tables if plan.resident else needs.tables(pair)
        assert plan.at_most(pair) <= limit - needs.context
        assert plan.fixed + tables + ITEM * plan.list_room(pair) <= plan.budget
        assert plan.fixed + tables + LOST_ITEM * plan.lost_room(pair) <= plan.budget
        assert plan.fixed + needs.tables(pair) + further + ITEM * plan.base_room <= plan.budget
        assert 0 < plan.list_room(pair) <= plan.lost_room(pair) <= entries
        assert plan.base_room <= plan.scratch(pair) // ITEM


@given(limit=st.integers(0, 200 * GB))
def test_a_limit_is_met_or_the_smallest_is_named(limit: int) -> None:
    needs = five()
    if limit >= needs.least:
        needs.plan(limit)
        return
    with pytest.raises(LudometerError) as refused:
        needs.plan(limit)
    text = str(refused.value)
    assert "\n" not in text and text.startswith("quixo:5 cannot be solved in ")
    named = text.rsplit(" ", 1)[1]
    assert named.endswith("GB")
    smallest = round(float(named.removesuffix("GB")) * 10) * GB // 10
    assert needs.least <= smallest < needs.least + GB // 10
    needs.plan(smallest)


def test_more_memory_never_means_shorter_lists_in_the_same_way_of_working() -> None:
    needs = five()
    for begin, end in ((needs.least, needs.resident - 1), (needs.resident, needs.full)):
        rooms = [needs.plan(limit).list_room(LARGEST) for limit in range(begin, end, (end - begin) // 7)]
        assert rooms == sorted(rooms)
    assert needs.plan(needs.full).list_room(LARGEST) == needs.entries[LARGEST]


def test_small_boards_have_all_they_need_in_little() -> None:
    needs = card_memory(game("quixo:3"))
    assert needs.full < 1.2 * GB
    assert all(needs.plan(needs.least).list_room(pair) == entries for pair, entries in needs.entries.items())


def test_no_compiler_is_loaded() -> None:
    script = "import sys, ludometer.solvers.tiles.cuda.memory\nassert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
