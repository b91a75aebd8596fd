"""Speed beside peers, measured in one run: every module here has `compare() -> rows` with name, ours, peer and ratio."""
