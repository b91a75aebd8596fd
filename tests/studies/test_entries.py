"""Every entry is well formed, and the exact ones that take no time are run: each has its verdict, and none differs."""

from __future__ import annotations

import json

import pytest

from ludometer.core.errors import LudometerError
from ludometer.studies import all_entries, entries, studies
from ludometer.studies.entry import Entry, Kind, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.reproducing import run_entry

IN_SUITE = [entry for entry in all_entries().values() if entry.in_suite]


@pytest.mark.exhaustive
@pytest.mark.parametrize("entry", IN_SUITE, ids=lambda entry: entry.name)
def test_exact_entries(entry: Entry) -> None:
    finding = run_entry(entry, Laboratory(workers=1))
    assert finding.verdict in (Verdict.AGREES, Verdict.WRONG), finding.note
    if finding.verdict is Verdict.WRONG:
        assert finding.judgement.why, "a report is wrong only with a proof"
    json.dumps(finding.document())


def test_every_entry_is_well_formed() -> None:
    for entry in all_entries().values():
        assert entry.title and entry.where and entry.settings, entry.name
        json.dumps(entry.reported)
        if entry.in_suite:
            assert entry.kind in (Kind.EXACT, Kind.CLAIM), entry.name


def test_names() -> None:
    assert [entry.name for entry in entries("002.moves44")] == ["002.moves44"]
    assert {entry.study for entry in entries("002")} == {"002"}
    assert [entry.name for entry in entries()] == list(all_entries())
    assert set(studies()) >= {"002"}
    with pytest.raises(LudometerError, match="--list"):
        entries("002.moves4")
