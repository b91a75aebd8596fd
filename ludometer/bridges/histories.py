"""Moves that lead to a position, for tools that know positions only as what they were played into.

Each function takes two positions of a game and returns legal moves that lead from the first to the second, or None if it finds none.
Which moves these are does not matter: how the game goes on does not depend on them.  All work backwards from the second position.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludometer.core.position import Position

_MOST_STEPS = 20_000  # of one search backwards
_MOST_SEARCHES = 50  # with other orders of moves
_MOST_STEPS_IN_ULTIMATE = 400


def mnk_history(begin: Position, end: Position) -> list[int] | None:
    """Marks are put in any order: while the game goes on nobody has a line."""
    from ludometer.core.bits import wide_to_integer

    new: list[list[int]] = []
    for player in (0, 1):
        before, after = (wide_to_integer(at.state.mover if at.player == player else at.state.other) for at in (begin, end))
        if before & ~after:
            return None
        new.append(_members(after & ~before))
    moves: list[int] = []
    player = begin.player
    while new[player]:
        moves.append(new[player].pop())
        player = 1 - player
    return moves if not new[1 - player] and player == end.player else None


def _members(number: int) -> list[int]:
    """The places of the bits of a number that are set."""
    return [place for place in range(number.bit_length()) if number >> place & 1]


def dots_history(begin: Position, end: Position) -> list[int] | None:
    """Edges are taken away one by one: one that closed boxes of the player to move, or one that closed none."""
    from ludometer.games.dots.notation import drawn_moves, edges_around, owners_of

    rules = end.game.rules
    kept, drawn = drawn_moves(rules, begin.state), drawn_moves(rules, end.state)
    before, after = owners_of(rules, begin.state), owners_of(rules, end.state)
    sides = end.game.kind.players
    boxes: list[tuple[int, int]] = []  # (the four edges as bits, owner) of the boxes closed on the way
    beside: dict[int, list[int]] = {move: [] for move in _members(drawn & ~kept)}  # edge -> numbers of these boxes
    for row in range(rules.rows):
        for column in range(rules.columns):
            if before[row][column] in sides:
                if before[row][column] != after[row][column]:
                    return None
            elif after[row][column] in sides:
                around = edges_around(rules, row, column)
                for move in around:
                    if move in beside:
                        beside[move].append(len(boxes))
                boxes.append((sum(1 << move for move in around), sides.index(after[row][column])))
    if kept & ~drawn:
        return None
    return _search(_DotsSearch(kept, beside, boxes), drawn, end.player, begin.player)


class _DotsSearch:
    def __init__(self, kept: int, beside: dict[int, list[int]], boxes: list[tuple[int, int]]) -> None:
        self.kept = kept
        self.beside = beside
        self.boxes = boxes

    def closed(self, move: int, drawn: int) -> list[int]:
        """The owners of the boxes that this edge closed, if it was the last one drawn."""
        return [self.boxes[box][1] for box in self.beside[move] if self.boxes[box][0] & ~drawn == 0]


def _search(search: _DotsSearch, drawn: int, player: int, first: int) -> list[int] | None:
    for number in range(_MOST_SEARCHES):
        found = _undo_edges(search, drawn, player, first, random.Random(number))
        if found is not None:
            return found
    return None


def _undo_edges(search: _DotsSearch, drawn: int, player: int, first: int, chance: random.Random) -> list[int] | None:
    """One search in depth; the order of equal choices is left to chance."""
    failed: set[tuple[int, int]] = set()
    undone: list[int] = []

    def go(drawn: int, player: int) -> bool:
        if (drawn, player) in failed or len(failed) > _MOST_STEPS:
            return False
        free = _members(drawn & ~search.kept)
        chance.shuffle(free)
        closed = {move: search.closed(move, drawn) for move in free}
        open_now = [move for move in free if not closed[move]]
        if len(open_now) == len(free):
            # No box is left: every move passes the turn, so only their number matters.
            if (player - first - len(free)) % 2:
                failed.add((drawn, player))
                return False
            undone.extend(free)
            return True
        own = [move for move in free if closed[move] and all(owner == player for owner in closed[move])]
        # Two boxes closed at once change who is to move at the start: wanted first when that would be the wrong player.
        left = sum(1 for bits, _ in search.boxes if bits & ~drawn == 0)
        pairs_wanted = (player - first - len(free) + left) % 2
        own.sort(key=lambda move: (len(closed[move]) == 2) != pairs_wanted)
        for move in [*own, *open_now]:
            undone.append(move)
            if go(drawn & ~(1 << move), player if closed[move] else 1 - player):
                return True
            undone.pop()
        failed.add((drawn, player))
        return False

    return undone[::-1] if go(drawn, player) else None


_ANY_BOARD = 9
_CELLS = range(9)


def ultimate_history(begin: Position, end: Position) -> list[int] | None:
    """From the start: marks are taken away one by one.  From elsewhere: the one move that led to `end`, or none if it is there."""
    if begin == end:
        return []
    if begin != begin.game.start():
        last = end.last
        return [last] if last is not None and last in begin.legal and begin.play(last) == end else None
    for number in range(_MOST_SEARCHES):
        found = _UndoMarks(end, random.Random(number)).moves()
        if found is not None:
            return found
    return None


class _UndoMarks:
    """A search backwards from a position of Ultimate Tic-Tac-Toe.

    A mark of player q in cell c of board b is an edge from (b, q) to (c, 1 − q): it sends the opponent to board c.  A game is a
    walk along all edges; only where c is shut, won or full, may it go on from any board.  A board that is open now was open
    before, so whoever was sent there played there: of no open board may more edges come in than go out, but for the
    one on which the walk ends.  As soon as no board is shut the rest is an Eulerian trail.
    """

    def __init__(self, end: Position, chance: random.Random) -> None:
        from ludometer.games.ultimate.notation import bits_of
        from ludometer.games.ultimate.rules import contains_line

        sides = (end.state.mover, end.state.other) if end.player == 0 else (end.state.other, end.state.mover)
        self.marks = [[bits_of(words, board) for board in _CELLS] for words in sides]
        self.player, self.board = end.player, int(end.state.board)
        self.chance = chance
        self.lines = [contains_line(bits) for bits in range(512)]
        self.undone: list[int] = []  # moves, the latest first
        self.steps = 0

    def moves(self) -> list[int] | None:
        """All moves from the start, or None if none are found."""
        count = [sum(bits.bit_count() for bits in boards) for boards in self.marks]
        if count[0] - count[1] != self.player or not self._may_be_reached(self.player, self.board):
            return None
        trail = self._undo(self.player, self.board)
        return None if trail is None else trail + self.undone[::-1]

    def _is_shut(self, board: int) -> bool:
        first, second = self.marks[0][board], self.marks[1][board]
        return self.lines[first] or self.lines[second] or first | second == 511

    def _surplus(self, board: int, player: int) -> int:
        """How many more of this player's marks are in the board than send him there."""
        sent = sum(bits >> board & 1 for bits in self.marks[1 - player])
        return self.marks[player][board].bit_count() - sent

    def _may_be_reached(self, player: int, board: int) -> bool:
        """Whether no open board has more ways in than out; `player` is to move in `board`."""
        return all(
            self._surplus(open_board, side) + ((open_board, side) == (board, player)) >= 0
            for open_board in _CELLS
            if not self._is_shut(open_board)
            for side in (0, 1)
        )

    def _undo(self, player: int, board: int) -> list[int] | None:
        """The moves up to where marks need not be taken away one by one, the later ones being in `undone`."""
        shut = [cell for cell in _CELLS if self._is_shut(cell)]
        if not shut:
            return self._trail(player, board)
        self.steps += 1
        if self.steps > _MOST_STEPS_IN_ULTIMATE:
            return None
        mover = 1 - player
        choices = []
        for cell in shut if board == _ANY_BOARD else [board]:
            for small in _CELLS:
                if self.marks[mover][small] >> cell & 1 and not self.lines[self.marks[player][small]]:
                    choices.append((small, cell))
        self.chance.shuffle(choices)
        choices.sort(key=lambda choice: self._is_shut(choice[0]))  # what shuts a board is taken away late
        for small, cell in choices:
            self.marks[mover][small] ^= 1 << cell
            if not self.lines[self.marks[mover][small]]:
                self.undone.append(9 * small + cell)
                came_freely = self._surplus(small, mover) >= 0
                for before in (_ANY_BOARD, small) if came_freely else (small,):
                    if self._may_be_reached(mover, before):
                        trail = self._undo(mover, before)
                        if trail is not None:
                            return trail
                self.undone.pop()
            self.marks[mover][small] ^= 1 << cell
        return None

    def _trail(self, player: int, board: int) -> list[int] | None:
        """The moves of a game in which no board was ever shut, in order; the first player begins anywhere."""
        edges = {(small, side): [cell for cell in _CELLS if self.marks[side][small] >> cell & 1] for small in _CELLS for side in (0, 1)}
        count = sum(len(cells) for cells in edges.values())
        if count == 0:
            return [] if (player, board) == (0, _ANY_BOARD) else None
        # Hierholzer: walk until stuck, and fill in detours while going back.
        begin = next((place for place in edges if self._surplus(*place) + (place == (board, player)) == 1 and place[1] == 0), None)
        if begin is None:
            return None
        walk, order = [(begin, -1)], []
        while walk:
            (small, side), came_by = walk[-1]
            if edges[small, side]:
                cell = edges[small, side].pop()
                walk.append(((cell, 1 - side), 9 * small + cell))
            else:
                order.append(came_by)
                walk.pop()
        moves = order[-2::-1]
        return moves if len(moves) == count and moves[-1] % 9 == board else None
