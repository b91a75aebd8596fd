"""Checking a solution again: the bytes of its files, every entry against its successors, and the totals.

The routines that compare entries stand with the solvers, `tiles.check` and `acyclic.check`; they share nothing with what solves.
"""

from __future__ import annotations

from pathlib import Path

from ludometer import games
from ludometer.core.errors import Defect, LudometerError
from ludometer.core.game import Game
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.background import run_stoppable
from ludometer.solvers.check_findings import Findings, Report
from ludometer.solvers.files.packed_files import PackedFile
from ludometer.solvers.files.table_files import Origin, TableError
from ludometer.solvers.files.table_folders import MANIFEST, file_name, is_packed, open_table, read_manifest, tables_in
from ludometer.solvers.options import VerifyOptions
from ludometer.solvers.routing import solver_of_layout
from ludometer.solvers.solution import Solution


def verify(
    source: Path | Solution,
    *,
    sample: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    device: str = "cpu",
    game: Game | None = None,
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Report:
    """Check a folder of tables, or a solution in memory, against the rules.

        source     a folder of tables, or a solution
        sample     number of entries to compare, chosen by `seed`; default: all
        workers    threads; default: one for each usable core
        device     "cuda" compares and counts the entries of tile games solved with distances on a GPU
        game       the game of the tables; default: the one their manifest names
        progress   called with (done, total, text) a few times a second
        stop       once asked, the check ends with Stopped

    Every byte of the files is compared with its checksum, and every entry with the rules and the entries of its successors.  If all entries
    are compared, totals are counted again.  Tables with distances that pass are proved right; tables with values only are free of
    contradictions.  `errors` has at most 20 lines, the last of which gives the number of further ones.

    Raises LudometerError for options that do not fit these tables.

    >>> lm.verify(lm.solve("tictactoe"))
    {'ok': True, 'checked': 765, 'errors': []}
    """
    options = VerifyOptions(sample=sample, seed=seed, workers=workers, device=device, progress=progress, stop=stop or Stop())
    what = "verifying"
    if isinstance(source, Solution):
        return run_stoppable(lambda stop: _check_entries(source, options), options.stop, what)
    folder = Path(source)
    if not folder.is_dir():
        raise TableError(f"there is no folder {str(folder)!r}; name the folder of one game's tables")
    return run_stoppable(lambda stop: _check_folder(folder, game, options), options.stop, what)


def verify_solved(
    solution: Solution,
    folder: Path | None = None,
    *,
    workers: int | None = None,
    device: str = "cpu",
    progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Report:
    """Check what `solve` returned: all of it, unless every entry was already checked on the device that computed it.

    Tables that an earlier run or other processes made are read and checked in any case, on `device` if it can, else on the processor.
    `folder` is where the solution is kept.
    """
    if solution.checked and solution.checked == solution.entries:
        return Findings().report(solution.checked)
    where = device if solution.has_distances else "cpu"
    source = solution if folder is None else folder
    return verify(source, workers=workers, device=where, game=solution.game, progress=progress, stop=stop)


def _check_folder(folder: Path, game: Game | None, options: VerifyOptions) -> Report:
    findings, layout, found = _check_files(folder, game, options.stop)
    if findings or found is None:
        return findings.report(0)
    solver = solver_of_layout(layout)
    if solver is None:
        return Findings([f"no solver is known whose tables have layout {layout!r}"]).report(0)
    return _check_entries(solver.open(folder, found), options)


def _check_entries(solution: Solution, options: VerifyOptions) -> Report:
    solver = solver_of_layout(solution.layout)
    if solver is None:
        raise Defect(f"no solver is known whose tables have layout {solution.layout!r}")
    checked, findings = solver.verify(solution, options)
    return findings.report(checked)


def _check_files(folder: Path, game: Game | None, stop: Stop) -> tuple[Findings, str, Game | None]:
    """(errors, layout, game) of a folder, every byte of which is read."""
    findings = Findings()
    try:
        manifest = read_manifest(folder)
        found = game or games.game(manifest["game"])
        origin = Origin.of(found, manifest["layout"])
        origin.check(manifest, folder / MANIFEST)
    except LudometerError as error:
        findings.add(str(error))
        return findings, "", None
    names = set()
    for name, listed in manifest["files"].items():
        names.add(file_name(name, is_packed(listed)))
        try:
            table = open_table(folder, name, origin, is_packed(listed))
            bad = table.bad_segments(stop)
        except TableError as error:
            findings.add(str(error))
            continue
        if table.name != name or table.bytes != listed["bytes"] or table.head_checksum != listed["head"]:
            findings.add(f"{table.file.name} is not the file the manifest lists")
        part = "block" if isinstance(table, PackedFile) else "segment"
        findings.add(*(f"{table.file.name}: the checksum of {part} {number + 1} does not agree" for number in bad))
    findings.add(*(f"{file.name} is not in the manifest" for file in tables_in(folder) if file.name not in names))
    return findings, manifest["layout"], found
