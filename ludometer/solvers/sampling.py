"""Positions drawn from a solved game with their exact values, as a data set in memory or in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import LudometerError
from ludometer.core.files import write_with
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.states import States
from ludometer.solvers.solution import VALUE_NAMES, Values

if TYPE_CHECKING:
    from ludometer.solvers.solution import Solution

WAYS = ("uniform", "class", "distance", "play")
FORMATS = (".npz", ".parquet")


@dataclass(frozen=True)
class Sample:
    """Positions drawn with replacement, and their exact values."""

    states: States
    values: Values
    probabilities: npt.NDArray[np.float64] | None  # of each position in one draw; None if drawn by play
    by: str
    seed: int

    @property
    def game(self) -> Game:
        return self.states.game

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<{len(self)} positions of {self.game.spec} with values, drawn by {self.by} with seed {self.seed}>"

    def texts(self) -> list[str]:
        """The text of each position."""
        return self.states.texts()

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name: outcome, distance (-1: none), margin in games with points, probability if it is known."""
        columns: dict[str, npt.NDArray[Any]] = {"outcome": self.values.outcomes, "distance": self.values.distances}
        if self.values.margins is not None:
            columns["margin"] = self.values.margins
        if self.probabilities is not None:
            columns["probability"] = self.probabilities
        return columns

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each position: its text and `columns`; needs pandas."""
        columns = {name: array.tolist() for name, array in self.columns().items()}
        rows = zip(self.texts(), *columns.values())
        return data_frame(dict(zip(("position", *columns), row)) for row in rows)

    def save(self, file: str | Path, texts: bool = False) -> None:
        """Write the sample into a file that ends in .npz or .parquet.

        Both hold `columns`, the game, `by` and `seed`.  States are the array `states` of a .npz file, and the columns `leaf_0`, `leaf_1`, …
        of a .parquet file, both as in `States.rows`; `texts` adds the positions as text.
        Raises LudometerError for other names, and for .parquet without pyarrow.
        """
        check_format(file)
        about = {"game": self.game.spec, "by": self.by, "seed": str(self.seed)}
        positions = {"position": self.texts()} if texts else {}
        if Path(file).suffix == ".npz":
            arrays = {"states": self.states.rows, **self.columns(), **positions, **about}
            write_with(str(file), lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]  # texts become arrays
            return
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise LudometerError("parquet needs the package pyarrow; pip install pyarrow, or write a .npz file") from None
        leaves = {f"leaf_{place}": self.states.rows[:, place] for place in range(self.states.rows.shape[1])}
        table = pyarrow.table({**leaves, **self.columns(), **positions}).replace_schema_metadata(about)
        write_with(str(file), lambda stream: parquet.write_table(table, stream))

    def counts(self) -> dict[str, int]:
        """Positions by outcome: {win, draw, loss}."""
        return {name: int(np.sum(self.values.outcomes == outcome)) for outcome, name in VALUE_NAMES.items()}


def check_format(file: str | Path) -> None:
    """Raise LudometerError unless samples are written into files with this ending."""
    if Path(file).suffix not in FORMATS:
        raise LudometerError(f"a sample is written into a file that ends in {' or '.join(FORMATS)}, not {str(file)!r}")


def sample_document(sample: Sample, file: str) -> dict[str, Any]:
    """A sample that was written, for JSON: {game, positions, by, seed, win, draw, loss, file}."""
    about = {"game": sample.game.spec, "positions": len(sample), "by": sample.by, "seed": sample.seed}
    return {**about, **sample.counts(), "file": file}


def draw_sample(solution: Solution, number: int, by: str, seed: int) -> Sample:
    """What `Solution.sample` returns."""
    if number < 0:
        raise LudometerError(f"a sample has 0 positions or more, not {number}")
    if by not in WAYS:
        raise LudometerError(f"positions are drawn by {', '.join(WAYS)}, not {by!r}")
    if by == "play":
        states, probabilities = solution.game.random_states(number, seed), None
    else:
        states, probabilities = solution._draw(number, by, seed)
    return Sample(states, solution.values(states), probabilities, by, seed)


def draw_from_strata(
    strata: npt.NDArray[Any] | None, size: int, number: int, generator: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """(places below `size`, the probability of each): first a stratum, then a place in it, each time evenly.

    `strata` (size,) has the stratum of each place; None: all places are one stratum.
    """
    if strata is None:
        return generator.integers(0, size, number), np.full(number, 1 / size)
    _, stratum_of, counts = np.unique(strata, return_inverse=True, return_counts=True)
    order = np.argsort(stratum_of, kind="stable")
    ends = np.cumsum(counts)
    chosen = generator.integers(0, len(counts), number)
    ranks = generator.integers(0, counts[chosen])
    return order[ends[chosen] - counts[chosen] + ranks], 1 / (len(counts) * counts[chosen])
