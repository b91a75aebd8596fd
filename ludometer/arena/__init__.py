"""Games between agents, one or many."""
