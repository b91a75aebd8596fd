"""Positions as pictures and as terminal text."""
