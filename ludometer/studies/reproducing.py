"""Reproduction of entries: each is measured, judged and kept in the store."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludometer.core.stopping import Stopped
from ludometer.studies.entry import Entry, Judgement, Measured, NotRun, Verdict
from ludometer.studies.figures import Figure
from ludometer.studies.laboratory import Laboratory


@dataclass(frozen=True)
class Finding:
    """An entry with its measurement and verdict."""

    entry: Entry
    measured: Measured | None  # None: it was not run
    judgement: Judgement
    seconds: float
    full: bool

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def note(self) -> str:
        """Remarks on the verdict."""
        parts = [self.judgement.why, self.measured.note if self.measured else ""]
        parts += [self.entry.reason if self.verdict is Verdict.DIFFERS else "", self.entry.note]
        return "; ".join(part for part in parts if part)

    @property
    def ours(self) -> str:
        """What was measured, with its interval, for people."""
        if self.measured is None:
            return "–"
        interval = self.measured.interval
        return str(self.measured) + ("" if interval is None else f" [{interval[0]:.4g}, {interval[1]:.4g}]")

    def document(self) -> dict[str, Any]:
        """For JSON."""
        entry, measured = self.entry, self.measured
        return {
            "study": entry.study,
            "item": entry.name,
            "title": entry.title,
            "where": entry.where,
            "kind": str(entry.kind),
            "settings": entry.settings,
            "effort": "full" if self.full else "quick",
            "reported": entry.reported,
            "measured": None if measured is None else measured.value,
            "interval": None if measured is None or measured.interval is None else list(measured.interval),
            "data": None if measured is None else measured.data,
            "agrees": self.judgement.agrees,
            "verdict": str(self.verdict),
            "note": self.note,
            "reported_text": entry.said,
            "measured_text": self.ours,
            "figures": [] if measured is None else [one.document() for one in measured.figures if isinstance(one, Figure)],
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        return f"{self.entry.name}: {self.verdict} (reported {self.entry.said}; ours {self.ours})"


def reproduce(entries: Sequence[Entry], laboratory: Laboratory | None = None) -> Iterator[Finding]:
    """Run entries in order; ends early once the laboratory's `stop` is asked."""
    place = laboratory or Laboratory()
    for entry in entries:
        if place.stop.asked:
            return
        try:
            yield run_entry(entry, place)
        except Stopped:
            return


def run_entry(entry: Entry, laboratory: Laboratory) -> Finding:
    """Measure and judge one entry; raises Stopped once asked."""
    store, full = laboratory.store, laboratory.full
    request = {"entry": entry.name, "full": full, "seed": laboratory.seed, "settings": entry.settings}
    run = store.begin_run("reproduce", entry.name, (), request)
    began = time.perf_counter()
    measured: Measured | None = None
    try:
        measured = entry.measure(laboratory)
        judgement = entry.rule(entry.reported, measured)
    except NotRun as error:
        judgement = Judgement(Verdict.NOT_RUN, str(error))
    finally:
        seconds = time.perf_counter() - began
        store.note(run, seconds)
    finding = Finding(entry, measured, judgement, seconds, full)
    store.note(run, 0.0, finding.document())
    return finding


def count_by_verdict(findings: Sequence[Finding]) -> dict[str, int]:
    """Number of findings by verdict, in the order of `Verdict`; verdicts without findings are omitted."""
    found = {str(verdict): sum(finding.verdict is verdict for finding in findings) for verdict in Verdict}
    return {verdict: count for verdict, count in found.items() if count}
