"""The demonstration runs, and leaves pictures and records that can be read."""

from pathlib import Path
from xml.etree import ElementTree

from ludometer import demo
from ludometer.core.record import read_records
from ludometer.games import kinds


def test_the_demonstration_solves_plays_and_draws(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    demo.main()
    shown = capsys.readouterr().out
    assert "win 26,434,489, loss 15,003,736, draw 1,608,496" in shown and "win 12,748, loss 6,935, draw 0" in shown
    wins = sorted(demo.FOLDER.glob("*-shortest-win.txt"))
    assert [len(read_records(file)[0].moves) for file in wins] == [7, 21]
    plots = sorted(demo.FOLDER.glob("*.png"))
    assert [file.name for file in plots] == [f"quixo-{n}-{what}.png" for n in (3, 4) for what in ("classes", "distances")]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in plots)
    pictures = sorted(demo.FOLDER.glob("*.svg"))
    records = [file for file in sorted(demo.FOLDER.glob("*.txt")) if file not in wins]
    assert len(records) == len(kinds()) == len(pictures) - 1
    for picture in pictures:
        ElementTree.parse(picture)
    for file in records:
        (record,) = read_records(file)
        assert record.result in shown and str(file) in shown
    assert shown.count("[9/9]") == 1 and "[10/" not in shown


def test_the_picture_in_the_documentation_is_the_one_drawn_today():
    kept = Path(__file__).parents[1] / "docs" / "pictures" / "gallery.svg"
    assert kept.read_text() == demo.draw_gallery()
    assert kept.stat().st_size < 300_000
