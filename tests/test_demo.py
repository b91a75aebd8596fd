"""The demonstration runs, and leaves pictures and records that can be read."""

from pathlib import Path
from xml.etree import ElementTree

from ludometer import demo
from ludometer.core.record import read_records
from ludometer.games import kinds


def test_the_demonstration_writes_a_picture_and_a_record_of_each_kind(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    demo.main()
    pictures, records = (sorted(demo.FOLDER.glob(pattern)) for pattern in ("*.svg", "*.txt"))
    assert len(records) == len(kinds()) == len(pictures) - 1
    for picture in pictures:
        ElementTree.parse(picture)
    shown = capsys.readouterr().out
    for file in records:
        (record,) = read_records(file)
        assert record.result in shown and str(file) in shown


def test_the_picture_in_the_documentation_is_the_one_drawn_today():
    kept = Path(__file__).parents[1] / "docs" / "pictures" / "gallery.svg"
    assert kept.read_text() == demo.draw_gallery()
    assert kept.stat().st_size < 300_000
