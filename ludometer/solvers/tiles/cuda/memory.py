"""The plan of a card's memory: what solving takes, and how a limit is kept.  Computed before anything is allocated.

On the card are

    the context   an allowance for the driver and compiled kernels (CONTEXT)
    `fixed`       look-up tables of the board, for solving and checking
    tables        one byte for each entry: those of the pair at work, one of a further pair while step 2 reads it, and others
                  that later pairs need.  Each is read by just one later pair; what does not fit waits in the host's memory.
    marks         in step 3, a bit for each entry of the pair at work
    scratch       ITEM bytes for each position that may still be lost, in lists (as many for both sides as the longer one needs)

Step 3 goes through all positions that may be lost once for every distance, up to 86 times for 5×5 Quixo.  With room for lists, one that is
still blocked costs a read of the successor that blocked it.  Without, nothing is kept beside the tables: a position that may be
lost holds LOSS_BASE + its bound in its own entry until the bound is reached, then UNDECIDED, so that a scan of the table finds it again.
Scratch is then only for the positions lost at this distance, 4 bytes each, and the table is scanned in as many pieces as that takes.
As soon as what is left fits into lists, step 3 goes over to them.

What that costs, by the bytes that are moved (an H200 moves about 4 TB/s, a card with 24 GB about 1): a scan reads the table, 1 byte an
entry, and for each position that may be lost at least three places at random, 32 bytes each (orbit, representative, successor), instead
of one.  With 24 GB, 26 of the 182 pairs of 5×5 have more entries than lists have room for, 85 of 106 billion.  Lists take over when one in
seven entries of the largest is left.  Tables that wait on the host are moved twice, 2 × 106 GB at most: 9 to 21 s at 10 to 25 GB/s.  A bit
for each entry would save nothing, since the code says the same.  Separate lists for each piece would write and read 10 more bytes for each
position and distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb

from ludometer.core.game import Game
from ludometer.core.text import size_at_least, size_text
from ludometer.solvers.options import OptionError
from ludometer.solvers.tiles.cuda.layout import COUNTERS, GROUPS, MARKED, NINE, SEEN, SELECTED, SYMMETRIES
from ludometer.solvers.tiles.pairs import Pair, all_pairs, needed_by, no_longer_needed

CONTEXT = 600_000_000  # bytes
ITEM = 3 * 10 + 4  # bytes of scratch for each listed position: three lists (layout.Items), and the lost ones
LOST_ITEM = 4  # bytes for each lost position
LEAST_ROOM, USUAL_ROOM = 1 << 20, 1 << 24  # items of lists there are from the start, if memory is scarce and if not
_COUNTED = 8 * COUNTERS + 8 * 256 + 4  # bytes of counters, of a histogram of codes, and of a sign of trouble
_SMALL = 1 << 13  # bytes for what checking counts
_LISTED_SHARE = 8  # tables stay on the card if 1 in _LISTED_SHARE entries of the largest table can then be listed


@dataclass(frozen=True)
class Plan:
    """Use of the card within one limit.  Numbers are bytes unless stated otherwise."""

    budget: int  # for what the solver allocates
    fixed: int
    resident: bool  # whether tables stay on the card until no pair needs them
    base_room: int  # items of lists there are from the start
    held: Mapping[Pair, int]  # tables and marks on the card in step 3 of each pair
    work: Mapping[Pair, int]  # … and at most in its other steps, and for checking and packing it
    entries: Mapping[Pair, int]  # of one table of each pair

    def scratch(self, pair: Pair) -> int:
        """Bytes for the lists and lost positions of a pair."""
        return self.budget - self.fixed - self.held[pair]

    def list_room(self, pair: Pair) -> int:
        """Largest number of items in a list of the pair."""
        return min(self.entries[pair], self.scratch(pair) // ITEM)

    def lost_room(self, pair: Pair) -> int:
        """Largest number of lost positions while the tables of the pair are scanned, which is the number of entries in a piece."""
        return min(self.entries[pair], self.scratch(pair) // LOST_ITEM)

    def at_most(self, pair: Pair) -> int:
        """Most bytes allocated for a pair."""
        scratch = max(ITEM * self.list_room(pair), LOST_ITEM * self.lost_room(pair))
        return self.fixed + max(self.work[pair] + ITEM * self.base_room, self.held[pair] + scratch)


@dataclass(frozen=True)
class CardMemory:
    """Bytes of a card's memory that solving a game takes."""

    spec: str
    cells: int
    moves: int
    symmetries: int
    rows: Sequence[int]  # sets of a tiles up to symmetry, for every a
    context: int = CONTEXT
    least_room: int = LEAST_ROOM
    usual_room: int = USUAL_ROOM
    entries: Mapping[Pair, int] = field(init=False)  # of one table of each pair
    resident_tables: int = field(init=False)  # at most at a time, if each stays until no pair needs it

    def __post_init__(self) -> None:
        entries = {pair: self.rows[pair.more] * pair.columns(self.cells) for pair in all_pairs(self.cells)}
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "resident_tables", self._most_held())

    @property
    def fixed(self) -> int:
        """Bytes of the look-up tables, for solving and for checking."""
        masks = 1 << self.cells
        chunks = max(2, -(-self.cells // 8))
        board = 16 * self.moves + 2 * 8 * 256 * chunks + self.moves * self.symmetries * self.cells + 32 * self.moves
        small = 4 * (GROUPS + SEEN) + 2 * SELECTED
        columns = sum(comb(length, size) for length in range(self.cells + 1) for size in range(min(length, self.cells - length) + 1))
        ranks = 32 * sum(5 * chunk + 1 for chunk in range(5)) + 3 * NINE * (self.cells // 2 + 1)
        checking = 4 * masks + 8 * (self.cells + 2) + 4 * SYMMETRIES * 5 * 32 + 4 * 26 * 26
        return board + 4 * masks + 5 * sum(self.rows) + small + 4 * columns + 2 * ranks + _COUNTED + checking + _SMALL

    def tables(self, pair: Pair) -> int:
        """Bytes of the tables of a pair."""
        return self.entries[pair] * len(pair.sides)

    def marks(self, pair: Pair) -> int:
        """Bytes of the marks that step 3 keeps beside the tables of a pair."""
        return len(pair.sides) * -(-self.entries[pair] // MARKED)

    def work(self, pair: Pair) -> int:
        """Bytes of the tables of a pair and the largest thing beside them: a further table, packed values or marks."""
        further = max((self.entries[need] for need in pair.needs(self.cells)), default=0)
        return self.tables(pair) + max(further, -(-self.entries[pair] // 4), self.marks(pair))

    @property
    def least(self) -> int:
        """The smallest limit that works."""
        return self.context + self.fixed + max(self.work(pair) for pair in self.entries) + ITEM * self.least_room

    @property
    def resident(self) -> int:
        """The smallest limit at which all tables stay on the card while they are needed."""
        listed = max(max(self.entries.values()) // _LISTED_SHARE, self.usual_room)
        return self.context + self.fixed + self.resident_tables + ITEM * listed

    @property
    def full(self) -> int:
        """The smallest limit in bytes at which every list fits in any case; more makes no difference."""
        return self.context + self.fixed + self.resident_tables + ITEM * max(*self.entries.values(), self.usual_room)

    def _most_held(self) -> int:
        """The most bytes of tables at a time when pairs are solved one after the other, with packed values or marks of the pair at work."""
        waiting = needed_by(self.entries, self.cells)
        held = most = 0
        for pair in self.entries:
            held += self.tables(pair)
            most = max(most, held + max(self.tables(pair) // 4, self.marks(pair)))
            held -= sum(map(self.tables, no_longer_needed(pair, self.cells, waiting)))
        return most

    def plan(self, limit: int) -> Plan:
        """The plan for a limit in bytes; raises OptionError if it is too small."""
        if limit < self.least:
            raise OptionError(
                f"{self.spec} cannot be solved in {size_text(limit)} of a GPU's memory",
                f"the least is {{memory}} {size_at_least(self.least)}",
            )
        budget = limit - self.context
        resident = limit >= self.resident
        tables = {pair: self.tables(pair) + self.marks(pair) for pair in self.entries}
        work = {pair: self.work(pair) for pair in self.entries}
        if resident:
            tables = work = dict.fromkeys(self.entries, self.resident_tables)
        spare = (budget - self.fixed - max(work.values())) // ITEM
        return Plan(budget, self.fixed, resident, min(spare, self.usual_room), tables, work, self.entries)


def card_memory(game: Game) -> CardMemory:
    """The memory of a card that solving a tile game takes."""
    from ludometer.solvers.tiles.board import check_board, count_symmetries
    from ludometer.solvers.tiles.estimate import rows_by_size

    return CardMemory(game.spec, check_board(game), game.move_bound, count_symmetries(game), rows_by_size(game))
