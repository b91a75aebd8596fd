"""Section VII: transposition tables."""

from __future__ import annotations

from typing import Any

from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_001.matches import TENTH, one_match

WITHOUT = f"alphabeta:nodes={TENTH},order=none,cache=none,early=no"
_WITH = f"alphabeta:nodes={TENTH},order=none,early=no,memory=1000000"
_NOTE = f"both look at {TENTH:,} positions for a move, so that what a table costs in time does not count"
BOARDS = 200_000_000


def _bytes(lab: Laboratory) -> Measured:
    from ludometer.agents.search_player_kernels import BYTES_PER_KEY

    return Measured(BOARDS * BYTES_PER_KEY / 1e9, f"{BYTES_PER_KEY} bytes each: {BOARDS * BYTES_PER_KEY / 1e9:.1f} GB")


def memory_of_a_machine(reported: Any, measured: Measured) -> Judgement:
    return Judgement(Verdict.HARDWARE, "what fits into the memory of a machine is no property of the game")


def _against_none(name: str, title: str, options: str, reported: float, **more: Any) -> Entry:
    return one_match(f"001.mem.{name}", title, "VII", f"study001:{_WITH},{options}", WITHOUT, reported, 100, 60, 400, note=_NOTE, **more)


ENTRIES = (
    _against_none("basic", "memory of 10^6 boards against none", "cache=exact,replace=keep", 0.505),
    _against_none("fifo", "memory that discards what was not used for longest against none", "cache=exact,replace=lru", 0.48),
    _against_none(
        "symmetry",
        "memory that looks up eight images against none",
        "cache=exact,replace=keep,symmetry=lookup",
        0.435,
        reason="the report names the overhead of hashing eight boards, which does not count here",
    ),
    _against_none("zobrist", "memory with Zobrist keys against none", "cache=exact,replace=keep,keys=updated", 0.525),
    Entry(
        name="001.mem.limit",
        title="boards after which the computer becomes unresponsive",
        where="VII",
        kind=Kind.HARDWARE,
        reported=BOARDS,
        settings="bytes of an entry times the number of boards",
        measure=_bytes,
        rule=memory_of_a_machine,
    ),
)
