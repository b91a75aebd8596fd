"""What is measured in units of work: seat-swapped pairs of games, move accuracy, self-play, visited positions."""
