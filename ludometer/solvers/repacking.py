"""Packing and unpacking finished folders of tables in place, whichever solver wrote them.  Loads no compiler until asked."""

from __future__ import annotations

from pathlib import Path

from ludometer import games
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.solvers.files.table_folders import read_manifest
from ludometer.solvers.retrograde.solver import RetrogradeSolver


def repack_folder(
    folder: Path, pack: bool, *, as_stored: bool = False, progress: OnProgress | None = None, stop: Stop | None = None
) -> None:
    """Pack the tables of a finished folder, or make them plain again; raises TableError, Stopped.

    `as_stored`: pack all entries as they are, also those of tile games that the rules decide at once.
    """
    manifest = read_manifest(folder)
    if manifest["layout"] in RetrogradeSolver.layouts:
        from ludometer.solvers.retrograde.store import repack

        repack(folder, games.game(manifest["game"]), pack, stop or Stop())
        return
    from ludometer.solvers.tiles.repacking import pack_folder, unpack_folder

    if pack:
        pack_folder(folder, as_stored=as_stored, progress=progress, stop=stop)
    else:
        unpack_folder(folder, progress=progress, stop=stop)
