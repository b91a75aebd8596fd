"""Boards as pictures and as terminal text, drawn from what each game says about its looks."""
