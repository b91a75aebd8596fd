"""Checks of games and agents of the user's own: the contracts, and the command that runs them with time limits."""
