"""What users ask for: matches, tournaments, ladders, depth, report cards, and the runs kept in a store."""
