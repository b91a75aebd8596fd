"""Alpha-beta as the reports' programs search: least recently used entries, published counts, and what each option saves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.transposition_kernels import find_entry, new_table
from ludometer.arena.play.turn_reports import play_with_reports
from ludometer.core.compiling.compilation import kernel
from ludometer.core.errors import SpecError
from ludometer.games import game
from ludometer.studies.report_search_kernels import ReportVariant, forget, new_ends, new_recency, recent_slot_for, touch
from tests.agents.test_search import choose


@kernel
def put(variant, table, key):
    return recent_slot_for(variant, table, key)


@kernel
def use(variant, table, key):
    slot = find_entry(table, key)
    if slot >= 0:
        touch(variant, slot)
    return slot


@kernel
def clear(variant, table):
    forget(variant, table)


def new_variant(limit: int) -> ReportVariant:
    return ReportVariant(0, 0, 0, 0, 0, 1, new_recency(limit), new_ends(), np.zeros(1, np.int64))


class LruTwin:
    """Slots with their keys, and the order in which they were used."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.slots: list[int] = []
        self.used: list[int] = []  # slots, the one used last at the end

    def use(self, key: int) -> int:
        if key not in self.slots:
            return -1
        slot = self.slots.index(key)
        self.used = [other for other in self.used if other != slot] + [slot]
        return slot

    def put(self, key: int) -> int:
        if key not in self.slots:
            if len(self.slots) < self.limit:
                self.slots.append(key)
            else:
                self.slots[self.used[0]] = key
        return self.use(key)


@pytest.mark.parametrize("limit", [1, 5, 13])
def test_the_table_is_the_twins(limit: int) -> None:
    """Few keys in few buckets, so that chains grow and entries are replaced; now and then all are removed at once."""
    source = random.Random(limit)
    variant, table, twin = new_variant(limit), new_table(limit), LruTwin(limit)
    for step in range(3000):
        key = source.randrange(40) << source.choice((0, 3, 58))
        if source.random() < 0.01:
            clear(variant, table)
            twin = LruTwin(limit)
        elif source.random() < 0.5:
            assert put(variant, table, np.uint64(key)) == twin.put(key), step
        else:
            assert use(variant, table, np.uint64(key)) == twin.use(key), step


def test_the_least_recently_used_gives_way() -> None:
    variant, table = new_variant(4), new_table(4)
    assert [put(variant, table, np.uint64(key)) for key in range(4)] == [0, 1, 2, 3]
    assert use(variant, table, np.uint64(0)) == 0  # now key 1 is the least recently used
    assert put(variant, table, np.uint64(9)) == 1 and use(variant, table, np.uint64(1)) == -1 and use(variant, table, np.uint64(0)) == 0
    assert put(variant, table, np.uint64(2)) == 2  # storing again is use as well
    assert put(variant, table, np.uint64(10)) == 3 and use(variant, table, np.uint64(3)) == -1


@pytest.mark.parametrize(
    "options, states",
    [  # published counts of "N×N, k in a row" (week 3), turn by turn: a player who narrows nothing at the root and never stops at a win
        ("cache=none", [30710, 4090, 1520, 221, 98, 33, 14, 5, 2]),
        ("cache=unpruned", [26089, 3565, 1163, 197, 81, 25, 8, 3, 2]),
    ],
)
def test_alpha_beta_of_the_third_week(options: str, states: list[int]) -> None:
    spec = f"study003:alphabeta:9,{options}"
    table = play_with_reports("tictactoe", spec, spec)
    assert table.column("nodes") == states
    assert str(table.record.final) == "XXO/OOX/XOX o"


def test_what_each_of_these_options_saves() -> None:
    """Each narrows what is searched, and none changes the value."""
    options = "9,shuffle=no,early=no,order=none,cache=none"
    decisions = [
        choose(f"{name}:{options}", game("tictactoe").start()) for name in ("study003:alphabeta", "study002:alphabeta", "alphabeta")
    ]
    assert {decision.report["score"] for decision in decisions} == {0.0}
    nodes = [decision.report["nodes"] for decision in decisions]
    assert nodes[0] == 30_710 and nodes == sorted(nodes, reverse=True) and len(set(nodes)) == 3


@pytest.mark.parametrize("spec", ["tictactoe", "dots:2x2"])
def test_looking_up_all_images_saves_what_storing_them_does(spec: str) -> None:
    """Each class of positions is expanded once; looked up, each has one key, as with canonical keys."""
    reports = [
        choose(f"study001:alphabeta:99,cache=exact,symmetry={symmetry},shuffle=no,goal=win,early=no", game(spec).start()).report
        for symmetry in ("canonical", "lookup", "all")
    ]
    assert len({report["expanded"] for report in reports}) == 1
    assert reports[0]["cache_keys"] == reports[1]["cache_keys"] < reports[2]["cache_keys"]


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:4,4,4", "ultimate"])
def test_keys_worked_out_anew_find_the_same(spec: str) -> None:
    position = game(spec).start()
    updated, anew = (choose(f"study001:alphabeta:5,shuffle=no,order=history,keys={keys}", position) for keys in ("updated", "anew"))
    for report in (updated.report, anew.report):
        report.pop("seconds")
    assert updated == anew


@pytest.mark.parametrize(
    "spec, message",
    [
        ("study001:alphabeta:4,cache=none,symmetry=lookup", "symmetry=lookup needs a cache"),
        ("study001:alphabeta:4,cache=none,symmetry=all", "symmetry=all needs a cache"),
        ("study003:alphabeta:4,cache=bounds", "cache is one of none, unpruned"),
        ("study002:alphabeta:4,keys=anew", "has no option 'keys'"),
    ],
)
def test_options_that_would_do_nothing_are_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        agent(spec, game("tictactoe"))
