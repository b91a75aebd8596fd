"""Dots-and-Boxes the slow and obvious way: edges are pairs of dots, boxes are looked at one by one."""

from __future__ import annotations

Dot = tuple[int, int]
Edge = tuple[Dot, Dot]


def dot_name(dot: Dot) -> str:
    return "ABCDEFGHIJ"[dot[1]] + str(dot[0] + 1)


def edge_name(edge: Edge) -> str:
    return dot_name(edge[0]) + "-" + dot_name(edge[1])


class NaiveDots:
    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.drawn: list[Edge] = []
        self.owners: dict[Dot, int] = {}  # upper left corner of a closed box -> player
        self.player = 0

    def edges(self) -> list[Edge]:
        level = [((r, c), (r, c + 1)) for r in range(self.rows + 1) for c in range(self.columns)]
        return level + [((r, c), (r + 1, c)) for r in range(self.rows) for c in range(self.columns + 1)]

    def free(self) -> list[Edge]:
        return [edge for edge in self.edges() if edge not in self.drawn]

    def moves(self) -> list[str]:
        return [edge_name(edge) for edge in self.free()]

    def sides(self, box: Dot) -> list[Edge]:
        r, c = box
        return [((r, c), (r, c + 1)), ((r + 1, c), (r + 1, c + 1)), ((r, c), (r + 1, c)), ((r, c + 1), (r + 1, c + 1))]

    def play(self, name: str) -> None:
        edge = next(edge for edge in self.free() if edge_name(edge) == name)
        self.drawn.append(edge)
        again = False
        for box in [(r, c) for r in range(self.rows) for c in range(self.columns)]:
            if box not in self.owners and all(side in self.drawn for side in self.sides(box)):
                self.owners[box] = self.player
                again = True
        if not again:
            self.player = 1 - self.player

    def undo_to(self, drawn: int, owners: dict[Dot, int], player: int) -> None:
        del self.drawn[drawn:]
        self.owners, self.player = dict(owners), player

    def margin(self) -> int:
        mine = [owner for owner in self.owners.values() if owner == self.player]
        return 2 * len(mine) - len(self.owners)

    def is_over(self) -> bool:
        return not self.free()

    def text(self) -> str:
        lines = []
        for r in range(self.rows + 1):
            lines.append("".join("-" if ((r, c), (r, c + 1)) in self.drawn else "." for c in range(self.columns)))
            if r < self.rows:
                line = ""
                for c in range(self.columns + 1):
                    line += "|" if ((r, c), (r + 1, c)) in self.drawn else "."
                    if c < self.columns:
                        line += "ab"[self.owners[r, c]] if (r, c) in self.owners else "_"
                lines.append(line)
        return "/".join(lines) + " " + "ab"[self.player]

    def image(self, symmetry: int) -> NaiveDots:
        """Every dot and box moved: bit 2 swaps rows and columns, then bit 0 mirrors left-right and bit 1 top-bottom."""

        def move(dot: Dot) -> Dot:
            r, c = (dot[1], dot[0]) if symmetry & 4 else dot
            return self.rows - r if symmetry & 2 else r, self.columns - c if symmetry & 1 else c

        seen = NaiveDots(self.rows, self.columns)
        seen.drawn = [tuple(sorted((move(a), move(b)))) for a, b in self.drawn]  # type: ignore[misc]
        for (r, c), owner in self.owners.items():
            seen.owners[min(move((r + dr, c + dc)) for dr in (0, 1) for dc in (0, 1))] = owner
        seen.player = self.player
        return seen


def perft(game: NaiveDots, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    before = len(game.drawn), dict(game.owners), game.player
    for name in game.moves():
        game.play(name)
        total += perft(game, depth - 1)
        game.undo_to(*before)
    return total


def games_by_margin(game: NaiveDots, known: dict[object, dict[int, int]] | None = None) -> dict[int, int]:
    """How many complete games end with each margin of the first player (boxes of a minus boxes of b)."""
    known = {} if known is None else known
    first = sum(1 if owner == 0 else -1 for owner in game.owners.values())
    if game.is_over():
        return {first: 1}
    here = (frozenset(game.drawn), game.player)
    if here not in known:
        counts: dict[int, int] = {}
        before = len(game.drawn), dict(game.owners), game.player
        for name in game.moves():
            game.play(name)
            for margin, games in games_by_margin(game, known).items():
                counts[margin - first] = counts.get(margin - first, 0) + games
            game.undo_to(*before)
        known[here] = counts
    return {margin + first: games for margin, games in known[here].items()}
