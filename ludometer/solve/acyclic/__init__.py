"""Games that never come back to a position: tables of all positions, and search where these do not fit."""
