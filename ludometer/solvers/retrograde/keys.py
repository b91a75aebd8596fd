"""Keys of positions: the leaves of a state packed into as few words as they need, and back.

Leaf 0 has the highest bits of the first word.  Keys are compared word by word, so their order is that of the leaves and does not depend
on how many bits the leaves are given.  The first word holds at most 62 bits, because hash tables mark empty slots in the others.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core import protocol
from ludometer.core.bits import U0
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves

FIRST_WORD = 62  # bits of the first word of a key
WORD = 64

_MIX_1 = np.uint64(0x9E3779B97F4A7C15)
_MIX_2 = np.uint64(0xD6E8FEB86659FD93)
_U32 = np.uint64(32)


class KeyLayout(NamedTuple):
    """Where the leaves of a state lie in its key."""

    shifts: tuple[np.uint64, ...]  # for each leaf, uint64: its lowest bit in its word
    masks: tuple[np.uint64, ...]  # for each leaf, uint64: the bits that the key holds
    words: tuple[tuple[np.uint64, ...], ...]  # for each word, a tuple with a uint64 for each leaf: the bits of this word that hold the leaf


def layout_of(widths: Sequence[int]) -> KeyLayout:
    """The layout in which leaf i has widths[i] bits (0 to 64)."""
    used: list[int] = [0]  # bits of each word
    places = []
    for width in widths:
        if used[-1] + width > (FIRST_WORD if len(used) == 1 else WORD):
            used.append(0)
        places.append((len(used) - 1, used[-1]))
        used[-1] += width
    shifts = [used[word] - before - width for (word, before), width in zip(places, widths)]
    shifts = [min(shift, WORD - 1) for shift in shifts]  # of a leaf without bits
    masks = [(1 << width) - 1 for width in widths]
    words = [
        tuple(np.uint64(mask << shift if word == number else 0) for (word, _), mask, shift in zip(places, masks, shifts))
        for number in range(len(used))
    ]
    return KeyLayout(tuple(map(np.uint64, shifts)), tuple(map(np.uint64, masks)), tuple(words))


def widths_of(layout: KeyLayout) -> list[int]:
    """The number of bits of each leaf."""
    return [int(mask).bit_length() for mask in layout.masks]


def word_count(layout: KeyLayout) -> int:
    """Words of a key."""
    return len(layout.words)


def key_of_leaves(layout: Any, leaves: Any) -> Any:
    """(the key, whether it holds all bits of the leaves)."""
    key = []
    for word in layout.words:
        bits = 0
        for leaf, shift, held in zip(leaves, layout.shifts, word):
            bits |= int(leaf) << int(shift) & int(held)
        key.append(np.uint64(bits))
    return tuple(key), not any(int(leaf) & ~int(mask) for leaf, mask in zip(leaves, layout.masks))


@overload(key_of_leaves)
def _key_of_leaves(layout, leaves):
    leaf_count, words = len(layout.types[0]), len(layout.types[2])
    parts = [
        " | ".join(f"((leaves[{leaf}] << layout.shifts[{leaf}]) & layout.words[{word}][{leaf}])" for leaf in range(leaf_count))
        for word in range(words)
    ]
    left_out = " | ".join(f"(leaves[{leaf}] & ~layout.masks[{leaf}])" for leaf in range(leaf_count))
    space: dict[str, Any] = {"zero": U0}
    exec(f"def build(layout, leaves):\n    return ({', '.join(parts)},), ({left_out}) == zero", space)
    return space["build"]


def leaves_of_key(layout: Any, key: Any) -> Any:
    """The leaves that a key was made of."""
    found = []
    for number, shift in enumerate(layout.shifts):
        bits = 0
        for word, held in zip(key, layout.words):
            bits |= (int(word) & int(held[number])) >> int(shift)
        found.append(np.uint64(bits))
    return tuple(found)


@overload(leaves_of_key)
def _leaves_of_key(layout, key):
    leaf_count, words = len(layout.types[0]), len(layout.types[2])
    parts = [
        " | ".join(f"((key[{word}] & layout.words[{word}][{leaf}]) >> layout.shifts[{leaf}])" for word in range(words))
        for leaf in range(leaf_count)
    ]
    space: dict[str, Any] = {}
    exec(f"def build(layout, key):\n    return ({', '.join(parts)},)", space)
    return space["build"]


def read_key(layout: Any, array: Any, index: Any) -> Any:
    """Key number `index` of a flat array of keys."""
    words = len(layout.words)
    return tuple(array[index * words + word] for word in range(words))


@overload(read_key)
def _read_key(layout, array, index):
    words = len(layout.types[2])
    parts = ", ".join(f"array[{words} * index + {word}]" for word in range(words))
    space: dict[str, Any] = {}
    exec(f"def build(layout, array, index):\n    return ({parts},)", space)
    return space["build"]


@njit
def write_key(array, index, key):
    """Make `key` number `index` of a flat array of keys."""
    words = len(key)
    for word in range(words):
        array[index * words + word] = key[word]


@njit
def hash_of_key(key):
    """64 bits in which keys that differ slightly differ everywhere."""
    mixed = _MIX_1
    for word in range(len(key)):
        mixed = (mixed ^ key[word]) * _MIX_2
        mixed ^= mixed >> _U32
        mixed *= _MIX_2
        mixed ^= mixed >> _U32
    return mixed


@njit
def state_of_key(layout, like, key):
    """The state with this key; `like` is any state of the game."""
    return state_of_leaves(like, leaves_of_key(layout, key), 0)


@njit
def least_key(rules, state, layout, symmetries):
    """(the least key of a state and its images under `symmetries`, whether keys hold all of their bits)."""
    least, fits = key_of_leaves(layout, leaves_of(state))
    for symmetry in symmetries:
        key, holds_all = key_of_leaves(layout, leaves_of(protocol.transform(rules, state, symmetry)))
        fits = fits and holds_all
        if key < least:
            least = key
    return least, fits


@njit
def orbit_size(rules, state, layout, symmetries):
    """How many positions a state and its images under `symmetries`, and the identity, are."""
    own = key_of_leaves(layout, leaves_of(state))[0]
    equal = 1
    for symmetry in symmetries:
        if key_of_leaves(layout, leaves_of(protocol.transform(rules, state, symmetry)))[0] == own:
            equal += 1
    return (len(symmetries) + 1) // equal


@njit
def entry_of_key(layout, keys, key):
    """The index of a key in a flat, ascending array of keys, or −1."""
    count = keys.size // len(layout.words)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if read_key(layout, keys, middle) < key:
            low = middle + 1
        else:
            high = middle
    if low < count and read_key(layout, keys, low) == key:
        return np.int64(low)
    return np.int64(-1)


@kernel
def fixing_symmetries(rules, state):
    """The numbers (int64) of the symmetries beside the identity that leave a state as it is.

    Images of what can be reached from this state can be reached as well under these symmetries only.
    """
    found = np.empty(protocol.symmetry_count(rules), np.int64)
    count = 0
    for symmetry in range(1, protocol.symmetry_count(rules)):
        if leaves_of(protocol.transform(rules, state, symmetry)) == leaves_of(state):
            found[count] = symmetry
            count += 1
    return found[:count]


@kernel
def bits_in_random_games(rules, games, longest, key, buffer):
    """All bits of every leaf met in random games of at most `longest` moves (leaves, uint64)."""
    from_start = leaves_of(protocol.start(rules))
    bits = np.zeros(len(from_start), np.uint64)
    for number in range(games):
        state = protocol.start(rules)
        for ply in range(longest):
            leaves = leaves_of(state)
            for leaf in range(len(leaves)):
                bits[leaf] |= leaves[leaf]
            if protocol.count_moves(rules, state) == 0:
                break
            word = hash_of_key((key, np.uint64(number), np.uint64(ply)))
            state = protocol.play(rules, state, protocol.random_move(rules, state, word, buffer))
    return bits


def packed_again(keys: np.ndarray, layout: KeyLayout, other: KeyLayout, chunk: int = 1 << 20) -> np.ndarray:
    """A flat array of keys in another layout that holds all of their bits; the order stays the same."""
    words, width = word_count(other), word_count(layout)
    count = keys.size // width
    result = np.zeros(count * words, np.uint64)
    for begin in range(0, count, chunk):
        rows = keys[begin * width : (begin + chunk) * width].reshape(-1, width)
        target = result[begin * words : (begin + chunk) * words].reshape(-1, words)
        for leaf, shift in enumerate(layout.shifts):
            bits = np.zeros(len(rows), np.uint64)
            for word, held in enumerate(layout.words):
                bits |= (rows[:, word] & held[leaf]) >> shift
            for word, held in enumerate(other.words):
                target[:, word] |= (bits << other.shifts[leaf]) & held[leaf]
    return result


def sort_keys(keys: np.ndarray, layout: KeyLayout) -> np.ndarray:
    """A flat array of keys in ascending order; sorts in place where a key is one word."""
    width = word_count(layout)
    if width == 1:
        keys.sort()
        return keys
    rows = keys.reshape(-1, width)
    return np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).reshape(-1)
