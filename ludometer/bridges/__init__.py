"""Other people's players and tools: a module for each, which loads nothing of theirs until it is used."""
