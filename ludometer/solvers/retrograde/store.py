"""Solutions by retrograde analysis in a folder (`solvers.files.table_folders` writes it), layout "retrograde 1".

- `keys` (positions, words; uint64): the keys of all positions, ascending; `keys.KeyLayout` says how a state is packed.
- `values` (positions; int8, int16 if a distance is too large for that): see `RetrogradeSolution`.

Packed, `keys` and `values` are packed files, and `first` (blocks, words; uint64) has the first key of each block: see `packing`.

The manifest has what is kept, the bits of each leaf in a key (`widths`), the symmetries under which positions are taken for one, the
number of positions by value (`counts`), the totals and the value of the start.  With keep="none" there is nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.files.locking import locked
from ludometer.solvers.files.packed_files import PackedFile, write_packed
from ludometer.solvers.files.table_files import Origin, TableError, TableFile, write_table
from ludometer.solvers.files.table_folders import (
    AnyTable,
    file_name,
    make_folder,
    open_folder,
    remove_tables_except,
    write_manifest,
)
from ludometer.solvers.retrograde.keys import layout_of, widths_of, word_count
from ludometer.solvers.retrograde.packing import PackedEntries, packed_keys
from ludometer.solvers.retrograde.solution import LAYOUT, ArrayEntries, RetrogradeSolution, Totals
from ludometer.solvers.retrograde.table_entries import FileEntries
from ludometer.solvers.solution import OutsideTable

KEYS, VALUES, FIRST = "keys", "values", "first"
WHOLE = 256 << 20  # bytes of tables up to which they are read whole when a folder is opened


def keep_solution(solution: RetrogradeSolution, folder: Path, pack: bool, stop: Stop) -> None:
    """Write a solution in memory, packed or plain; until the manifest is written anew the old tables can be used.

    Raises TableError and Stopped.
    """
    origin = Origin.of(solution.game, LAYOUT)
    tables: dict[str, AnyTable] = {}
    if isinstance(solution.found, ArrayEntries):
        width = word_count(solution.key_layout)
        keys, values, encoding = solution.found.keys, solution.found.values, solution.keep
        plain = {KEYS: keys.reshape(-1, width), VALUES: values}
        if pack:
            blocks, first = packed_keys(keys, width)
            write_packed(folder, KEYS, blocks, origin, "differences", {}, None, stop)
            bytes_of_values = values.astype(values.dtype.newbyteorder("<")).view(np.uint8)
            write_packed(folder, VALUES, bytes_of_values, origin, encoding, {"dtype": values.dtype.str}, None, stop)
            tables |= {name: PackedFile(folder / file_name(name, True), origin) for name in plain}
            plain = {FIRST: first.reshape(-1, width)}
        for name, array in plain.items():
            write_table(folder, name, array, origin, encoding if name == VALUES else "raw", {}, stop)
            tables[name] = TableFile(folder / file_name(name, False), origin)
    write_manifest(folder, tables, origin, _meta(solution, solution.keep))
    remove_tables_except(folder, tables.values())


def stored_values(values: np.ndarray, keep: str) -> np.ndarray:
    """Values as they are kept: as narrow as they can be, and without distances if only values are kept."""
    if keep == "values":
        narrow: np.ndarray = np.sign(values).astype(np.int8)
        return narrow
    fits = values.size == 0 or max(-int(values.min()), int(values.max())) <= np.iinfo(np.int8).max
    return values.astype(np.int8) if fits else values


def _meta(solution: RetrogradeSolution, keep: str) -> dict[str, Any]:
    totals = solution.totals
    return {
        "keep": keep,
        "widths": widths_of(solution.key_layout),
        "symmetries": solution.symmetries.tolist(),
        "entries": totals.entries,
        "counts": {str(value): count for value, count in sorted(totals.counts.items())},
        "start": totals.start,
        **totals.document(),
    }


def open_retrograde(game: Game, folder: Path) -> RetrogradeSolution:
    """The solution kept in a folder; raises MissingTable, DamagedTable or ForeignTable."""
    opened = open_folder(folder, game, LAYOUT)
    meta = opened.meta
    layout = layout_of(meta["widths"])
    totals = Totals({int(value): count for value, count in meta["counts"].items()}, meta["entries"], meta["start"])
    symmetries = np.array(meta["symmetries"], np.int64)
    found: Any = None
    if KEYS in opened.tables:
        keys, values = opened.tables[KEYS], opened.tables[VALUES]
        if isinstance(keys, PackedFile) and isinstance(values, PackedFile):
            first = opened.tables[FIRST].array().reshape(-1)
            found = PackedEntries(layout, keys, first, values, np.dtype(values.meta["dtype"]))
        elif keys.bytes + values.bytes <= WHOLE:
            found = ArrayEntries(layout, keys.array().reshape(-1), values.array())
        else:
            assert isinstance(keys, TableFile) and isinstance(values, TableFile)
            found = FileEntries(layout, keys, values)
    solution = RetrogradeSolution(game, meta["keep"], layout, symmetries, totals, found, folder)
    solution.device = "none"
    solution.is_packed = opened.packed
    solution.stated_totals = {key: meta[key] for key in totals.document()}
    return solution


def arrays_of(solution: RetrogradeSolution) -> ArrayEntries:
    """The entries of a solution as arrays, all checksums compared; raises DamagedTable, and OutsideTable if only totals are kept."""
    found = solution.found
    if found is None:
        raise OutsideTable(f"{solution.game.spec}: only totals were kept, no values; solve with values or distances kept")
    if isinstance(found, PackedEntries):
        return ArrayEntries(solution.key_layout, *found.arrays())
    if isinstance(found, FileEntries):
        return ArrayEntries(solution.key_layout, found.keys_file.array().reshape(-1), found.values_file.array())
    assert isinstance(found, ArrayEntries)
    return found


def repack(folder: Path, game: Game, pack: bool, stop: Stop) -> None:
    """Pack the tables of a finished folder, or make them plain again; raises TableError, Stopped."""
    with locked(folder, stop):
        solution = open_retrograde(game, folder)
        if solution.found is None:
            raise TableError(f"of {game.spec} only totals were kept in {str(folder)!r}; there is nothing to pack")
        if solution.is_packed != pack:
            solution.found = arrays_of(solution)
            keep_solution(solution, folder, pack, stop)


def locked_folder(folder: Path, stop: Stop) -> Any:
    """Make a folder and hold it for writing."""
    make_folder(folder)
    return locked(folder, stop)
