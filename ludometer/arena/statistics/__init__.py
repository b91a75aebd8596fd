"""Statistics as pure functions of counts: intervals, tests, ratings. Nothing here plays a game or reads a file."""
