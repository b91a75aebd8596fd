"""Findings in words: lists for the terminal and tables for documents."""

from __future__ import annotations

from collections.abc import Sequence

from ludometer.core.text import aligned, duration
from ludometer.studies.entry import Entry
from ludometer.studies.reproducing import Finding, count_by_verdict


def entry_list(entries: Sequence[Entry]) -> str:
    """A line for each entry."""
    return aligned([["entry", "kind", "where", "measures"], *([one.name, one.kind, one.where, one.title] for one in entries)], (0, 1, 2, 3))


def finding_lines(finding: Finding) -> str:
    """One finding as it comes in."""
    lines = [f"{finding.entry.name}: {finding.entry.title}"]
    lines.append(f"  reported  {finding.entry.said}")
    lines.append(f"  ours      {finding.ours}")
    lines.append(f"  verdict   {finding.verdict}" + (f": {finding.note}" if finding.note else ""))
    return "\n".join(lines)


def summary_text(findings: Sequence[Finding]) -> str:
    """How many findings have which verdict, and how long they took."""
    counted = ", ".join(f"{count} {verdict}" for verdict, count in count_by_verdict(findings).items())
    entries = "1 entry" if len(findings) == 1 else f"{len(findings)} entries"
    return f"{entries}: {counted}; {duration(sum(finding.seconds for finding in findings))}"
