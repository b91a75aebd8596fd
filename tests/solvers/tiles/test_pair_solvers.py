"""What is believed of a pair of classes that a device has solved and checked itself."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.solvers.tiles.pair_solvers import WrongEntries, must_be_right
from ludometer.solvers.tiles.pairs import Pair


def test_entries_and_their_numbers_must_both_agree() -> None:
    """Either alone is a defect of the solver or of the machine, and no bad input."""
    counts = np.arange(512).reshape(2, 256)
    other = counts.copy()
    other[1, 200] += 1
    for wrong, counted, message in (
        ([], counts.copy(), None),
        (["entry 7 is wrong", "entry 8 is wrong"], counts.copy(), "entry 7 is wrong"),
        ([], other, "the numbers of wins, losses and draws with 3 and 2 tiles are not those of the entries"),
    ):
        solver = SimpleNamespace(check=lambda pair, wrong=wrong, counted=counted: (wrong, counted))
        if message is None:
            must_be_right(solver, Pair(3, 2), counts)
            continue
        with pytest.raises(WrongEntries) as found:
            must_be_right(solver, Pair(3, 2), counts)
        assert str(found.value) == message and not isinstance(found.value, LudometerError)
