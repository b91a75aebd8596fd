"""Plays the first legal move, or another one of the first few."""


def choose(position, place: int = 0):
    return position.legal[min(place, len(position.legal) - 1)]
