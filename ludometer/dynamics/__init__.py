"""Two-player matrix games as a whole: exact equilibria, the fields of learning dynamics with their rest points, and learners.

game        what is paid: `matrix_game([[3, 0], [0, 2]], [[2, 0], [0, 3]])` or `find_game("matrix:sexes")`
equilibria  all extreme Nash equilibria in fractions, components, dominance, evolutionary stability
field       replicator and Boltzmann dynamics, lenient or not; rest points, paths, separatrices, basins
learners    thousands of Q-learners and cross learners, compiled, on the clock of their field
portrait    all of it for one game, as text, JSON and pictures
"""
