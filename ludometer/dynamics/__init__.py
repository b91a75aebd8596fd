"""Two-player matrix games: exact equilibria, fields of learning dynamics with their rest points, and learners.

game        payoffs: `matrix_game([[3, 0], [0, 2]], [[2, 0], [0, 3]])` or `find_game("matrix:sexes")`
equilibria  all extreme Nash equilibria in fractions, components, dominance, evolutionary stability
field       replicator and Boltzmann dynamics, lenient or not; rest points, paths, separatrices, basins
learners    thousands of compiled Q-learners and cross learners, in the time unit of their field
portrait    all of it for one game, as text, JSON and pictures
"""
