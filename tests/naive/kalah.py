"""Kalah in plain Python: seeds are dropped one by one into a ring of places."""

from __future__ import annotations


class NaiveKalah:
    def __init__(self, pits: int, seeds: int, empty: bool) -> None:
        self.pits, self.empty = pits, empty
        self.ring = [seeds] * pits + [0] + [seeds] * pits + [0]  # x's pits, x's store, o's pits, o's store
        self.player = 0

    def text(self) -> str:
        half = self.pits + 1
        sides = [" ".join(map(str, self.ring[at : at + self.pits])) + f" +{self.ring[at + self.pits]}" for at in (0, half)]
        return f"{sides[0]} / {sides[1]} {'xo'[self.player]}"

    def own(self, player: int) -> range:
        return range(player * (self.pits + 1), player * (self.pits + 1) + self.pits)

    def is_over(self) -> bool:
        return any(all(self.ring[place] == 0 for place in self.own(player)) for player in (0, 1))

    def moves(self) -> list[str]:
        if self.is_over():
            return []
        return [str(number + 1) for number, place in enumerate(self.own(self.player)) if self.ring[place]]

    def margin(self) -> int:
        return self.ring[self.pits] - self.ring[-1]

    def result(self) -> str | None:
        if not self.is_over():
            return None
        return "1-0" if self.margin() > 0 else "0-1" if self.margin() < 0 else "1/2-1/2"

    def play(self, move: str) -> NaiveKalah:
        after = NaiveKalah(self.pits, 0, self.empty)
        ring = after.ring = list(self.ring)
        own_store = self.own(self.player).stop
        other_store = self.own(1 - self.player).stop
        place = self.own(self.player)[int(move) - 1]
        hand, ring[place] = ring[place], 0
        while hand:
            place = (place + 1) % len(ring)
            if place != other_store:
                ring[place] += 1
                hand -= 1
        if place in self.own(self.player) and ring[place] == 1:
            opposite = 2 * self.pits - place
            if ring[opposite] or self.empty:
                ring[own_store] += ring[opposite] + 1
                ring[place] = ring[opposite] = 0
        after.player = self.player if place == own_store else 1 - self.player
        if after.is_over():
            for player in (0, 1):
                ring[self.own(player).stop] += sum(ring[each] for each in self.own(player))
                for each in self.own(player):
                    ring[each] = 0
        return after
