"""The pages of results: what `ludometer reproduce --json` found is kept beside them as data, and their tables are made from that.

    ludometer reproduce 002 --full --json > found.json
    python -m ludometer.studies.pages found.json        # into docs/results/data, and the tables of docs/results and README.md

Findings replace older ones of the same entry.  A table stands between two marks, `<!-- verdicts 002 -->` and `<!-- end -->`; the count by
verdict of all studies between `<!-- verdict counts -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludometer.core.errors import LudometerError
from ludometer.core.files import read_text, write_text
from ludometer.studies import all_entries, studies
from ludometer.studies.entry import Verdict

ROOT = Path(__file__).parents[2]
_END = "<!-- end -->"
_DIGITS = 6  # of numbers that are kept

Document = Mapping[str, Any]  # of a finding, see `Finding.document`


def data_file(study: str, root: Path = ROOT) -> Path:
    return root / "docs" / "results" / "data" / f"study-{study}.json"


def kept(study: str, root: Path = ROOT) -> list[Document]:
    """The findings that are kept of a study, in the order of its entries; none if there is no file."""
    file = data_file(study, root)
    if not file.exists():
        return []
    found: list[Document] = json.loads(read_text(file))
    place = {name: number for number, name in enumerate(all_entries())}
    return sorted((one for one in found if one["item"] in place), key=lambda one: place[one["item"]])


def keep(documents: Sequence[Document], root: Path = ROOT) -> None:
    """Put findings into the files of their studies, in place of older ones of the same entries."""
    for study in dict.fromkeys(str(one["study"]) for one in documents):
        found = {one["item"]: one for one in kept(study, root)} | {one["item"]: _rounded(one) for one in documents if one["study"] == study}
        place = {name: number for number, name in enumerate(all_entries())}
        ordered = sorted((one for name, one in found.items() if name in place), key=lambda one: place[one["item"]])
        file = data_file(study, root)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in ordered) + "\n]\n")


def _rounded(value: Any) -> Any:
    """Plain data with fewer digits."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, (list, tuple)) else value


def verdict_table(documents: Sequence[Document]) -> str:
    """A table in Markdown: entry, reported, ours, verdict, note."""
    lines = ["| entry | where | reported | ours | verdict | note |", "|---|---|---|---|---|---|"]
    for one in documents:
        names = f"`{one['item']}`<br>{one['title']}"
        cells = [names, one["where"], one["reported_text"], one["measured_text"], f"**{one['verdict']}**", one["note"]]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines)


def count_table(root: Path = ROOT) -> str:
    """A table in Markdown: how many entries of each study have which verdict; entries that nobody has run are not run."""
    verdicts = list(Verdict)
    lines = ["| study | entries | " + " | ".join(verdicts) + " |", "|---|---:|" + "---:|" * len(verdicts)]
    total = [0] * (len(verdicts) + 1)
    for study, module in studies().items():
        entries = [name for name, entry in all_entries().items() if entry.study == study]
        found = {one["item"]: one["verdict"] for one in kept(study, root)}
        counts = [sum(found.get(name, str(Verdict.NOT_RUN)) == verdict for name in entries) for verdict in verdicts]
        row = [len(entries), *counts]
        total = [a + b for a, b in zip(total, row)]
        page = f"docs/results/study-{study}.md"
        name = f"[{study}]({page})" if (root / page).exists() else study
        lines.append(f"| {name} {module.TITLE} | " + " | ".join(map(str, row)) + " |")
    return "\n".join([*lines, "| all | " + " | ".join(map(str, total)) + " |"])


def with_tables(text: str, root: Path = ROOT) -> str:
    """A page with all its tables made again."""

    def table(found: re.Match[str]) -> str:
        made = count_table(root) if found[1] == "verdict counts" else verdict_table(kept(found[2], root))
        return f"<!-- {found[1]} -->\n{made}\n{_END}"

    return re.sub(r"<!-- (verdict counts|verdicts (\d+)) -->\n.*?" + re.escape(_END), table, text, flags=re.DOTALL)


def pages(root: Path = ROOT) -> list[Path]:
    """All pages that have tables of verdicts."""
    files = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [file for file in files if "<!-- verdict" in file.read_text(encoding="utf-8")]


def main(arguments: Sequence[str]) -> None:
    """Keep the findings in the files named, and make all tables again."""
    if not data_file("000").parent.parent.is_dir():
        raise LudometerError("pages of results are part of a checkout of the repository, not of the installed package")
    for name in arguments:
        keep(json.loads(read_text(name)))
    for page in pages():
        write_text(page, with_tables(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
