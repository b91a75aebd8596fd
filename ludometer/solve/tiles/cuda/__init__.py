"""Solving and checking tile games on a GPU."""
