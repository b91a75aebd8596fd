"""Single games: sessions, seats, one game between two agents, and many of them compiled."""
