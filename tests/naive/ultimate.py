"""Ultimate Tic-Tac-Toe in plain Python lists, written for the eye."""

from __future__ import annotations

import copy

WINNING = ["012", "345", "678", "036", "147", "258", "048", "246"]


def has_three(nine: list[str], mark: str) -> bool:
    return any(all(nine[int(place)] == mark for place in line) for line in WINNING)


class NaiveUltimate:
    """Nine lists of nine marks; a move is a pair (board, cell)."""

    def __init__(self, plays_on: bool) -> None:
        self.plays_on = plays_on  # in boards that are won
        self.start()

    def start(self) -> None:
        self.boards = [["."] * 9 for _ in range(9)]
        self.owners = ["."] * 9
        self.sent_to: int | None = None
        self.played = 0

    def turn(self) -> str:
        return "xo"[self.played % 2]

    def is_playable(self, board: int) -> bool:
        if "." not in self.boards[board]:
            return False
        return self.plays_on or self.owners[board] == "."

    def outcome(self) -> int | None:
        """1, 0, -1 for the player to move; None while the game goes on."""
        for mark in "XO":
            if has_three(self.owners, mark):
                return 1 if mark.lower() == self.turn() else -1
        return None if any(self.is_playable(board) for board in range(9)) else 0

    def legal(self) -> list[tuple[int, int]]:
        if self.outcome() is not None:
            return []
        boards = [self.sent_to] if self.sent_to is not None and self.is_playable(self.sent_to) else range(9)
        return [(b, c) for b in boards if self.is_playable(b) for c in range(9) if self.boards[b][c] == "."]

    def play(self, move: tuple[int, int]) -> None:
        board, cell = move
        mark = self.turn().upper()
        self.boards[board][cell] = mark
        if self.owners[board] == "." and has_three(self.boards[board], mark):
            self.owners[board] = mark
        self.sent_to = cell
        self.played += 1

    def text(self) -> str:
        rows = []
        for row in range(9):
            rows.append("".join(self.boards[row // 3 * 3 + column // 3][row % 3 * 3 + column % 3] for column in range(9)))
        free = self.sent_to is None or not self.is_playable(self.sent_to)
        target = "*" if free else "ABC"[self.sent_to % 3] + "123"[self.sent_to // 3]
        text = "/".join(rows) + " " + self.turn() + " " + target
        return text + " " + "".join(self.owners) if self.plays_on else text

    def sequences(self, depth: int) -> int:
        """How many sequences of exactly `depth` moves there are."""
        if depth == 1:
            return len(self.legal())
        total = 0
        for move in self.legal():
            after = copy.deepcopy(self)
            after.play(move)
            total += after.sequences(depth - 1)
        return total
