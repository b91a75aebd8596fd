"""Study 003: N×N tic-tac-toe with k in a row."""
