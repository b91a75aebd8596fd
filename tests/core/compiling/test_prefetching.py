"""Memory asked for ahead of its use."""

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from ludometer.core.compiling.prefetching import prefetch

PLACES = [0, 3, -1, 10**12, -(10**12), np.uint64(2**63)]  # inside, and far outside


@njit
def sum_after_asking(array, place):
    prefetch(array, place)
    return array.sum()


@pytest.mark.parametrize("place", PLACES)
def test_nothing_changes(place):
    array = np.arange(4, dtype=np.int32)
    assert sum_after_asking(array, place) == sum_after_asking.py_func(array, place) == 6
    assert array.tolist() == [0, 1, 2, 3]


def test_records_can_be_asked_for():
    records = np.zeros(3, np.dtype([("key", np.uint64), ("visits", np.int32)]))

    @njit
    def ask(records):
        prefetch(records, 2)
        return records[2].visits

    assert ask(records) == 0


def test_the_processor_is_asked():
    sum_after_asking(np.zeros(4), 1)
    assert any("prefetch" in text for text in sum_after_asking.inspect_asm().values())


def test_other_things_are_refused():
    with pytest.raises(TypingError):
        sum_after_asking(np.zeros((2, 2)), 1)
    with pytest.raises(TypingError):
        sum_after_asking(np.zeros(4), 0.5)
