"""Learning dynamics as text, pictures and data for plots."""
