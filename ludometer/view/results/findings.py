"""Findings in words: lists for the terminal and tables for documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ludometer.core.text import aligned, duration

if TYPE_CHECKING:
    from ludometer.studies.entry import Entry
    from ludometer.studies.reproducing import Finding


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


def summary_text(counts: Mapping[str, int], seconds: float) -> str:
    """Number of findings by verdict, and the time that all of them took."""
    total = sum(counts.values())
    entries = "1 entry" if total == 1 else f"{total} entries"
    return f"{entries}: {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}; {duration(seconds)}"
