"""The pages of results: their tables are made from the kept verdicts.

    ludometer reproduce 002 --full --json > found.json
    python -m ludometer.studies.pages found.json        # keeps the findings, and makes the tables of docs/results and README.md

A table stands between two marks, `<!-- verdicts 002 -->` and `<!-- end -->`; the counts by verdict of all studies between
`<!-- verdict counts -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.files import read_text, write_text
from ludometer.studies import all_entries, studies
from ludometer.studies.entry import Verdict
from ludometer.studies.verdicts import FOLDER, FindingDocument, keep, kept

ROOT = Path(__file__).parents[2]
_END = "<!-- end -->"


def verdict_table(documents: Sequence[FindingDocument]) -> str:
    """A table in Markdown: entry, reported, ours, verdict, note."""
    lines = ["| entry | where | reported | ours | verdict | note |", "|---|---|---|---|---|---|"]
    for one in documents:
        names = f"`{one['item']}`<br>{one['title']}"
        cells = [names, one["where"], one["reported_text"], one["measured_text"], f"**{one['verdict']}**", one["note"]]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines)


def count_table(folder: Path = FOLDER) -> str:
    """A table in Markdown: number of entries by study and verdict; entries without a kept finding count as not run."""
    verdicts = list(Verdict)
    lines = ["| study | entries | " + " | ".join(verdicts) + " |", "|---|---:|" + "---:|" * len(verdicts)]
    total = [0] * (len(verdicts) + 1)
    for study, module in studies().items():
        entries = [name for name, entry in all_entries().items() if entry.study == study]
        found = {one["item"]: one["verdict"] for one in kept(study, folder)}
        counts = [sum(found.get(name, str(Verdict.NOT_RUN)) == verdict for name in entries) for verdict in verdicts]
        row = [len(entries), *counts]
        total = [a + b for a, b in zip(total, row)]
        page = f"docs/results/study-{study}.md"
        name = f"[{study}]({page})" if (ROOT / page).exists() else study
        lines.append(f"| {name} {module.TITLE} | " + " | ".join(map(str, row)) + " |")
    return "\n".join([*lines, "| all | " + " | ".join(map(str, total)) + " |"])


def with_tables(text: str, folder: Path = FOLDER) -> str:
    """A page with up-to-date tables."""

    def table(found: re.Match[str]) -> str:
        made = count_table(folder) if found[1] == "verdict counts" else verdict_table(kept(found[2], folder))
        return f"<!-- {found[1]} -->\n{made}\n{_END}"

    return re.sub(r"<!-- (verdict counts|verdicts (\d+)) -->\n.*?" + re.escape(_END), table, text, flags=re.DOTALL)


def pages(root: Path = ROOT) -> list[Path]:
    """All pages with tables of verdicts."""
    files = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [file for file in files if "<!-- verdict" in file.read_text(encoding="utf-8")]


def main(arguments: Sequence[str]) -> None:
    """Keep the findings of these files, and make all tables again."""
    if not (ROOT / "docs" / "results").is_dir():
        raise LudometerError("pages of results are part of a checkout of the repository, not of the installed package")
    for name in arguments:
        keep(json.loads(read_text(name)))
    for page in pages():
        write_text(page, with_tables(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
