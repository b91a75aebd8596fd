"""`ludometer solve`: what it prints, keeps and refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.games import game
from ludometer.solvers import Forecast, SolveOptions, check_room, forecast, forecasts
from ludometer.solvers.files.table_files import TableFile, write_table
from ludometer.solvers.files.table_folders import open_folder, write_manifest
from tests.solvers.acyclic.test_table import HEAPS

KEYS = {"game", "states", "win", "loss", "draw", "start", "histogram", "seconds", "device"}


def test_quixo(run, run_json, home: Path) -> None:
    answer = run_json("solve", "quixo:3")
    assert set(answer) >= KEYS
    assert (answer["game"], answer["states"], answer["win"], answer["loss"], answer["draw"]) == ("quixo:3", 19_683, 12_748, 6_935, 0)
    assert answer["start"] == {"value": "win", "distance": 7} and answer["device"] == "cpu"
    assert answer["histogram"]["win"] == {"0": 4435, "1": 7359, "3": 650, "5": 275, "7": 29}
    assert answer["tables"] == str(home / "tables" / "quixo-3") and (home / "tables" / "quixo-3" / "manifest.json").is_file()
    status, out, err = run("solve", "quixo:3", "--verify")
    assert status == 0 and "start: win in 7" in out and "4,435" in out and "3,732 entries checked, no error" in out
    first = err.splitlines()[0]
    assert all(part in first for part in ("quixo:3: 19,683 positions", "3,732 table entries", "of memory", "of disk", "core"))


def test_nothing_is_written_without_being_kept(run_json, home: Path, tmp_path: Path) -> None:
    answer = run_json("solve", "quixo:2", "--no-store", "--verify")
    assert "tables" not in answer and answer["verification"] == {"ok": True, "checked": answer["verification"]["checked"], "errors": []}
    assert not home.exists()
    run_json("solve", "quixo:2", "--tables", str(tmp_path / "mine"), "--workers", "1")
    assert (tmp_path / "mine" / "quixo-2").is_dir() and not home.exists()


def test_less_is_kept_on_request(run_json, home: Path) -> None:
    manifest = home / "tables" / "quixo-2" / "manifest.json"
    for arguments, kept in ((["--keep", "none"], "none"), (["--values-only"], "values"), (["--keep", "distances"], "distances")):
        answer = run_json("solve", "quixo:2", *arguments)
        assert (answer["win"], answer["loss"], answer["start"]) == (50, 31, {"value": "win", "distance": 3})
        assert f'"keep": "{kept}"' in manifest.read_text()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["quixo:6"], "out of reach"),
        (["ultimate"], "out of reach"),
        (["matrix:prisoners"], "at the same time"),
        (["quixo:3", "--keep", "some"], "none, values, distances"),
        (["quixo:3", "--values-only", "--keep", "none"], "--values-only"),
        (["quixo:3", "--device", "abacus"], "cpu, cuda"),
        (["quixo:3", "--workers", "0"], "--workers"),
        (["quixo:3", "--cluster", "tcp://127.0.0.1:1", "--no-store"], "--no-store"),
        (["quixo:3", "--cluster", "nonsense://"], "is not an address like tcp://host:8786"),
        (["quixo:3", "--workers", "99999999999"], "--workers"),
        (["tictactoe", "--device", "cuda"], "cpu"),
        (["quixo:3", "--tables", "/dev/null/x"], "is a file"),
        (["nothing"], "no game is called"),
    ],
)
def test_bad_input(refuses, arguments: list[str], part: str) -> None:
    assert part in refuses("solve", *arguments)


def test_a_cluster_needs_its_package(refuses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'ludometer[cluster]'" in refuses("solve", "quixo:3", "--cluster", "tcp://127.0.0.1:1")


def test_a_cluster_solves(run_json, tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, protocol="tcp://", dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        answer = run_json("solve", "quixo:3", "--cluster", address, "--tables", str(tmp_path / "shared"))
    assert (answer["win"], answer["loss"]) == (12_748, 6_935)
    assert run_json("verify", "quixo:3", "--tables", str(tmp_path / "shared"))["ok"]


def test_games_without_repetition(run, run_json, home: Path) -> None:
    answer = run_json("solve", "tictactoe", "--verify")
    assert (answer["states"], answer["start"]) == (5478, {"value": "draw", "distance": None}) and answer["verification"]["ok"]
    points = run_json("solve", "dots:2x2")
    assert points["start"] == {"margin": 2} and set(points) >= KEYS
    assert "start: +2 for the first player" in run("solve", "dots:2x2")[1]
    assert run_json("probe", "dots:2x2")["margin"] == 2
    rows = run_json("analyze", "dots:2x2", "--plot", str(home / "dots.png"))["classes"]
    assert [row["moves"] for row in rows] == list(range(13)) and all(set(row) >= {"mover", "other", "win", "loss", "draw"} for row in rows)


def test_what_does_not_fit_is_refused_beforehand(tmp_path: Path) -> None:
    quixo = game("quixo:5")
    large = Forecast(states=1, entries=1, memory=1, disk=10**18, seconds=1.0, where="1 core", workers=1)
    with pytest.raises(LudometerError, match="needs 1000000 TB in .*; choose another folder with tables"):
        check_room(quixo, large, tmp_path)
    with pytest.raises(LudometerError, match="of memory, of which .* are free here"):
        check_room(quixo, Forecast(states=1, entries=1, memory=10**18, disk=0, seconds=1.0, where="1 core", workers=1), None)
    check_room(quixo, Forecast(states=1, entries=1, memory=1, disk=1, seconds=1.0, where="1 core", workers=1), tmp_path)


def test_what_an_earlier_run_left_is_not_needed_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quixo = game("quixo:5")
    left = tmp_path / "quixo-5" / "work"
    left.mkdir(parents=True)
    (left / "some.table").write_bytes(bytes(50))
    monkeypatch.setattr(forecasts.shutil, "disk_usage", lambda path: SimpleNamespace(free=100))
    for disk, fits in ((150, True), (151, False)):
        expected = Forecast(states=1, entries=1, memory=1, disk=disk, seconds=1.0, where="1 core", workers=1)
        if fits:
            check_room(quixo, expected, tmp_path)
        else:
            with pytest.raises(LudometerError, match="choose another folder with tables, or keep less with keep"):
                check_room(quixo, expected, tmp_path)


def test_more_workers_take_less_time() -> None:
    one, four = forecast("quixo:4", workers=1), forecast("quixo:4", workers=4)
    assert one.seconds is not None and one.seconds == pytest.approx(4 * four.seconds)
    assert (one.where, four.where) == ("1 core", "4 cores") and (one.workers, four.workers) == (1, 4)
    assert forecast("quixo:4", workers=4, tables="x").memory < 4 * forecast("quixo:4", workers=1, tables="x").memory


def test_the_time_is_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.solvers.tiles import pace

    assert 1e-9 < pace.seconds_per_entry(game("quixo:3")) < 1e-3
    entries = forecast("quixo:4").entries
    for speed in (1e-6, 3e-6):
        monkeypatch.setattr(pace, "seconds_per_entry", lambda game, speed=speed: speed)
        assert forecast("quixo:4", workers=2, measure=True).seconds == pytest.approx(entries * speed / 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--memory", "much"), "--memory is a number of bytes such as 8GB or 500MiB, not 'much'"),
        (("--memory", "0"), "--memory is a number of bytes such as 8GB or 500MiB, not '0'"),
        (("--memory", "1MB"), "quixo:3 cannot be solved in 1.0 MB of memory; the least is --memory"),
        (("--memory", "1MB", "--no-store"), "quixo:3 cannot be solved without a folder in 1.0 MB of memory; the least is --memory"),
        (("--memory", "8GB", "--cluster", "tcp://127.0.0.1:1"), "a cluster's workers have memory of their own; leave out --memory"),
    ],
)
def test_limits_of_memory_that_cannot_be(refuses, words, message) -> None:
    assert message in refuses("solve", "quixo:3", *words)


def test_memory_is_only_chosen_for_tile_games(refuses) -> None:
    assert "leave out --memory" in refuses("solve", "tictactoe", "--memory", "8GB")


def test_forecasts() -> None:
    quixo = forecast("quixo:5")
    assert (quixo.states, quixo.entries) == (3**25, 106_406_535_846) and quixo.disk == 0
    assert quixo.seconds is not None and quixo.seconds > 3600 and quixo.memory > 10**9
    assert forecast("quixo:4", workers=1, tables="x").disk < forecast("quixo:5", keep="none", tables="x").disk * 10
    with pytest.raises(LudometerError, match="out of reach"):
        forecast("quixo:6")


# ---- every option changes what it says ----


@pytest.mark.process
def test_options_arrive(run_json, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from ludometer.solvers import solving, verification
    from ludometer.solvers.check_findings import Findings

    seen: list[SolveOptions] = []
    solve = solving.solve_with

    def watched(chosen, options):
        seen.append(options)
        return solve(chosen, options)

    monkeypatch.setattr(solving, "solve_with", watched)
    run_json("solve", "quixo:2", "--workers", "3", "--tables", str(tmp_path / "mine"), "--keep", "values")
    assert (seen[-1].workers, seen[-1].folder, seen[-1].keep) == (3, tmp_path / "mine" / "quixo-2", "values")
    checks: list[dict] = []
    monkeypatch.setattr(verification, "verify_solved", lambda *given, **options: checks.append(options) or Findings().report(1))
    run_json("solve", "quixo:2", "--workers", "3", "--tables", str(tmp_path / "mine"), "--verify")
    run_json("solve", "quixo:2", "--no-store", "--verify")
    assert [(check["workers"], check["device"]) for check in checks] == [(3, "cpu"), (None, "cpu")]
    run_json("solve", "quixo:2", "--no-store")
    assert len(checks) == 2 and seen[-1].folder is None and seen[-1].keep == "distances" and not seen[-1].check
    run_json("solve", "quixo:2", "--values-only", "--no-store")
    assert seen[-1].keep == "values"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["tictactoe", "--workers", "2"], "solved by one thread; leave out --workers"),
        (["tictactoe", "--keep", "some"], "none, values, distances"),
        pytest.param(["tictactoe", "--cluster", "tcp://127.0.0.1:1"], "no cluster answers at", marks=pytest.mark.exhaustive),
        (["quixo:2", "--cluster", "tcp://127.0.0.1:1", "--workers", "2"], "leave out --workers"),
        (["quixo:2", "--tables", "x", "--no-store"], "give one of them"),
    ],
)
def test_options_that_would_do_nothing(refuses, arguments: list[str], part: str) -> None:
    assert part in refuses("solve", *arguments)


def spoil(folder: Path) -> None:
    """Make the first entry of a finished folder wrong, under good checksums."""
    opened = open_folder(folder)
    table = opened.tables["00-00"]
    write_table(folder, "00-00", np.array([4], np.uint8), opened.origin, table.encoding, table.meta)
    write_manifest(folder, {**opened.tables, "00-00": TableFile(folder / "00-00.table")}, opened.origin, opened.meta)


@pytest.mark.process
def test_verification_that_finds_errors(run, run_json, home: Path) -> None:
    """The exit status says it, the document too; without --verify nobody looks."""
    folder = Path(run_json("solve", "quixo:3")["tables"])
    spoil(folder)
    assert "verification" not in run_json("solve", "quixo:3")
    report = run_json("solve", "quixo:3", "--verify", expected=1)["verification"]
    assert not report["ok"] and report["checked"] == 3732 and "stored win in 5" in report["errors"][0]
    status, out, _ = run("solve", "quixo:3", "--verify")
    assert status == 1 and "NOT in order: 3,732 entries checked" in out


def test_totals_alone_are_not_called_entries(run, run_json) -> None:
    answer = run_json("solve", "quixo:2", "--keep", "none", "--verify")
    assert answer["verification"] == {"ok": True, "checked": 0, "errors": []}
    assert "no entries were kept that could be checked" in run("solve", "quixo:2", "--keep", "none", "--verify")[1]


def test_a_solver_that_contradicts_itself_is_not_bad_input(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.solvers import solving
    from ludometer.solvers.tiles.pair_solvers import WrongEntries

    def fails(*arguments, **options):
        raise WrongEntries("3 wrong entries")

    monkeypatch.setattr(solving, "solve_with", fails)
    status, out, err = run("solve", "quixo:2")
    assert (status, out) == (1, "") and err.endswith("ludometer: 3 wrong entries\n")


def test_unknown_sizes_are_not_made_up(run, tmp_path: Path) -> None:
    (tmp_path / "heaps.py").write_text(HEAPS)
    _, _, err = run("solve", str(tmp_path / "heaps.py"), "--no-store")
    assert " entries" not in err.splitlines()[0] and "a table if it fits, else a search" in err.splitlines()[0]
