"""Exact answers: counts, values and distances."""
