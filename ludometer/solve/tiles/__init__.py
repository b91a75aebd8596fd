"""Tile games: two sides' tiles on a board of cells, solved by retrograde analysis."""
