"""Men's morris in plain Python: boards as drawn, men on named points."""

from __future__ import annotations

THREE = """
A1 B1 C1
A2 B2 C2
A3 B3 C3
"""
SIX = """
A1 C1 E1
B2 C2 D2
A3 B3 D3 E3
B4 C4 D4
A5 C5 E5
"""
NINE = """
A1 D1 G1
B2 D2 F2
C3 D3 E3
A4 B4 C4 E4 F4 G4
C5 D5 E5
B6 D6 F6
A7 D7 G7
"""
BOARDS = {3: THREE, 6: SIX, 9: NINE}
LINES = {
    3: ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "A3 B2 C1"],
    6: ["A1 C1 E1", "B2 C2 D2", "B4 C4 D4", "A5 C5 E5", "A1 A3 A5", "B2 B3 B4", "D2 D3 D4", "E1 E3 E5"]
    + ["C1 C2", "C4 C5", "A3 B3", "D3 E3"],
    9: ["A1 D1 G1", "B2 D2 F2", "C3 D3 E3", "C5 D5 E5", "B6 D6 F6", "A7 D7 G7"]
    + ["A1 A4 A7", "B2 B4 B6", "C3 C4 C5", "E3 E4 E5", "F2 F4 F6", "G1 G4 G7"]
    + ["D1 D2 D3", "D5 D6 D7", "A4 B4 C4", "E4 F4 G4"],
}
OPPONENT = {"X": "O", "O": "X"}


class NaiveMorris:
    def __init__(self, men: int) -> None:
        self.size = men
        self.rows = [row.split() for row in BOARDS[men].split("\n") if row]
        self.points = [point for row in self.rows for point in row]
        self.lines = [line.split() for line in LINES[men]]
        self.on = dict.fromkeys(self.points, ".")
        self.hand = {"X": men, "O": men}
        self.player = "X"

    def text(self) -> str:
        rows = ["".join(self.on[point] for point in row) for row in self.rows]
        return "/".join(rows) + f" {self.player.lower()} {self.hand[self.player]}"

    def men(self, player: str) -> list[str]:
        return [point for point in self.points if self.on[point] == player]

    def in_mill(self, on: dict[str, str], point: str) -> bool:
        return any(len(line) == 3 and point in line and {on[each] for each in line} == {on[point]} for line in self.lines)

    def neighbours(self, point: str) -> set[str]:
        found = set()
        for line in self.lines:
            if point in line:
                at = line.index(point)
                found |= set(line[max(0, at - 1) : at + 2]) - {point}
        return found

    def steps(self) -> list[tuple[str, dict[str, str], str]]:
        """(text, board after the step, point the man went to) of every step, before any man is taken."""
        empty = [point for point in self.points if self.on[point] == "."]
        found = []
        if self.hand[self.player] > 0:
            for point in empty:
                found.append((point, {**self.on, point: self.player}, point))
            return found
        own = self.men(self.player)
        for source in own:
            for target in empty:
                if target in self.neighbours(source) or (self.size == 9 and len(own) == 3):
                    found.append((f"{source}-{target}", {**self.on, source: ".", target: self.player}, target))
        return found

    def lost(self) -> bool:
        """Whether the player to move has lost before he moves."""
        opponent = OPPONENT[self.player]
        if self.size == 3:
            if any(self.in_mill(self.on, point) for point in self.men(opponent)):
                return True
        elif len(self.men(self.player)) + self.hand[self.player] < 3:
            return True
        return not self.steps()

    def after_moves(self) -> dict[str, dict[str, str]]:
        """The board after each move."""
        if self.lost():
            return {}
        opponent = OPPONENT[self.player]
        found = {}
        for text, board, target in self.steps():
            if self.size == 3 or not self.in_mill(board, target):
                found[text] = board
                continue
            enemies = self.men(opponent)
            free = [point for point in enemies if not self.in_mill(board, point)]
            for point in free or enemies:
                found[f"{text}x{point}"] = {**board, point: "."}
            if not enemies:
                found[text] = board
        return found

    def moves(self) -> list[str]:
        return list(self.after_moves())

    def result(self) -> str | None:
        if not self.lost():
            return None
        return "0-1" if self.player == "X" else "1-0"

    def play(self, move: str) -> NaiveMorris:
        after = NaiveMorris(self.size)
        after.on = self.after_moves()[move]
        after.hand = dict(self.hand)
        if after.hand[self.player] > 0:
            after.hand[self.player] -= 1
        after.player = OPPONENT[self.player]
        return after
