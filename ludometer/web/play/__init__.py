"""Games in progress in the lab: players, thinking agents, boards, analysis of positions."""
