"""The m,n,k games in plain Python lists, written for the eye."""

from __future__ import annotations


class NaiveMnk:
    """A board of `X`, `O` and `.`; a move is a pair (row, column)."""

    def __init__(self, rows: int, columns: int, line: int) -> None:
        self.rows, self.columns, self.line = rows, columns, line
        self.start()

    def start(self) -> None:
        self.board = [["."] * self.columns for _ in range(self.rows)]
        self.played = 0

    def turn(self) -> str:
        return "xo"[self.played % 2]

    def winner(self) -> str | None:
        """Who has `line` in a row: try every cell as the beginning of a line in every direction."""
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                    places = [(row + down * i, column + right * i) for i in range(self.line)]
                    if all(0 <= r < self.rows and 0 <= c < self.columns for r, c in places):
                        marks = {self.board[r][c] for r, c in places}
                        if marks == {"X"}:
                            return "x"
                        if marks == {"O"}:
                            return "o"
        return None

    def outcome(self) -> int | None:
        """1, 0, -1 for the player to move; None while the game goes on."""
        winner = self.winner()
        if winner is not None:
            return 1 if winner == self.turn() else -1
        return 0 if all(mark != "." for row in self.board for mark in row) else None

    def legal(self) -> list[tuple[int, int]]:
        if self.outcome() is not None:
            return []
        return [(r, c) for r in range(self.rows) for c in range(self.columns) if self.board[r][c] == "."]

    def play(self, move: tuple[int, int]) -> None:
        self.board[move[0]][move[1]] = self.turn().upper()
        self.played += 1

    def take_back(self, move: tuple[int, int]) -> None:
        self.board[move[0]][move[1]] = "."
        self.played -= 1

    def text(self) -> str:
        return "/".join("".join(row) for row in self.board) + " " + self.turn()

    def sequences(self, depth: int) -> int:
        """How many sequences of exactly `depth` moves there are."""
        if depth == 0:
            return 1
        total = 0
        for move in self.legal():
            self.play(move)
            total += self.sequences(depth - 1)
            self.take_back(move)
        return total
