"""Kernels over many positions of a game without repetition: their entries in a table, and states by number."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.protocol import numbering
from ludometer.solvers.acyclic.table_kernels import entry_of, identify, write_found


@kernel
def look_up_states(rules, states, reduced, keys, values, found):
    """Write what `look_up` says of each state into a row of `found` (states, 4); entry −1 if the table has none."""
    start = protocol.start(rules)
    for number in range(len(states)):
        state = state_of_leaves(start, states[number], 0)
        write_found(rules, state, entry_of(keys, identify(rules, state, reduced)[0], keys.shape[1]), values, found[number])


@kernel
def look_up_numbered_states(rules, states, values, found):
    """As `look_up_states`, in a table of numbered states."""
    start = protocol.start(rules)
    for number in range(len(states)):
        state = state_of_leaves(start, states[number], 0)
        entry = np.int64(numbering.dense_index(rules, state))
        write_found(rules, state, entry if 0 <= entry < values.size else np.int64(-1), values, found[number])


@kernel
def states_of_numbers(rules, numbers, states):
    """Write the leaves of the states with these numbers into `states`."""
    for place in range(len(numbers)):
        leaves = leaves_of(numbering.dense_state(rules, numbers[place]))
        for leaf in range(len(leaves)):
            states[place, leaf] = leaves[leaf]


@kernel
def moves_of_numbers(rules, moves):
    """Write the number of moves made in the state with number i into moves[i]."""
    for number in range(moves.size):
        moves[number] = numbering.dense_moves(rules, number)
