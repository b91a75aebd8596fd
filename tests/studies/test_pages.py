"""Pages of results show the data that are kept beside them."""

from __future__ import annotations

from pathlib import Path

from ludometer.studies import all_entries, entries, studies
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.pages import count_table, pages, verdict_table, with_tables
from ludometer.studies.reproducing import run_entry
from ludometer.studies.verdicts import FOLDER, keep, kept


def test_pages_are_up_to_date() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert with_tables(text) == text, f"{page}: run python -m ludometer.studies.pages"


def test_findings_are_kept_and_replaced(tmp_path: Path) -> None:
    lab = Laboratory()
    documents = [run_entry(entry, lab).document() for entry in entries("002.moves44", "002.moves400")]
    keep(documents, tmp_path)
    assert [one["item"] for one in kept("002", tmp_path)] == ["002.moves44", "002.moves400"]
    keep([{**documents[0], "verdict": "differs"}], tmp_path)
    first, second = kept("002", tmp_path)
    assert (first["verdict"], second["verdict"]) == ("differs", "report is wrong")
    assert "| **report is wrong** |" in verdict_table([second])
    page = "before\n<!-- verdicts 002 -->\nold\n<!-- end -->\nafter\n"
    made = with_tables(page, tmp_path)
    assert made.startswith("before\n<!-- verdicts 002 -->\n| entry |") and made.endswith("<!-- end -->\nafter\n")
    assert with_tables(made, tmp_path) == made


def test_verdicts_come_with_the_package() -> None:
    """An installed package has them; they are within its folder, small, and without intermediate numbers."""
    import ludometer

    files = sorted(FOLDER.glob("study-*.json"))
    assert [file.stem for file in files] == [f"study-{study}" for study in studies()]
    assert all(Path(ludometer.__file__).parent in file.parents and file.stat().st_size < 200_000 for file in files)
    for study in studies():
        found = kept(study)
        assert found and {one["item"] for one in found} <= set(all_entries()) and not any("data" in one for one in found)
        assert all(one["settings"] == all_entries()[one["item"]].settings for one in found), "a command that no longer works"


def test_everything_is_counted(tmp_path: Path) -> None:
    lines = count_table(tmp_path).splitlines()
    assert lines[-1].startswith("| all | ")
    numbers = [int(cell) for cell in lines[-1].split("|")[2:-1]]
    assert numbers[0] == numbers[-1] == len(entries()) and sum(numbers[1:]) == numbers[0]  # nobody has run any of them there
