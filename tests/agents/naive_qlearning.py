"""Q-learning as the Quixo study describes it, on positions and text: the slow twin of `agents.qlearning_kernels`
and of `studies.study_000.learner_kernels`."""

from __future__ import annotations

import numpy as np

from ludometer.core.random import below, draw, substream, unit


def quixo_features(position):
    """The study's 4n + 7 features, read off the text of the position."""
    board, player = str(position).split(" ")
    rows = board.split("/")
    size = len(rows)
    columns = ["".join(row[c] for row in rows) for c in range(size)]
    diagonals = ["".join(rows[i][i] for i in range(size)), "".join(rows[i][size - 1 - i] for i in range(size))]
    mine, theirs = ("X", "O") if player == "x" else ("O", "X")
    found = [1.0, *("".join(rows).count(symbol) / size**2 for symbol in (mine, theirs))]
    for line in [*rows, *columns, *diagonals]:
        found += [line.count(mine) / size, line.count(theirs) / size]
    return np.array(found)


def takes_own_cube(position, move):
    """Whether a push of Quixo takes a cube of the mover's own, read off the texts."""
    board, player = str(position).split(" ")
    column, row = position.move_text(move)[:2]
    return board.split("/")[int(row) - 1][ord(column) - ord("A")] == player.upper()


class Linear:
    """Quality of a move: its row of the weight matrix times the features of the state.

    With twice as many rows as moves, the second half is for pushes that take an own cube.
    """

    def __init__(self, weights, features, normalise, divided=False):
        share = 1 / weights.shape[1] if divided else 1.0
        self.weights = weights / share  # of features that are divided by their number
        self.features = lambda position: share * features(position)
        self.normalise = normalise

    def row(self, position, move):
        moves = position.game.move_bound
        return move + moves * (len(self.weights) > moves and takes_own_cube(position, move))

    def quality(self, position, move):
        return float(self.weights[self.row(position, move)] @ self.features(position))

    def highest(self, position):
        """Of all rows, legal or not."""
        return float((self.weights @ self.features(position)).max())

    def correct(self, position, move, amount):
        seen = self.features(position)
        self.weights[self.row(position, move)] += amount * seen / (seen @ seen if self.normalise else 1.0)


class Table:
    """Quality of a move: a number in a dictionary of states and moves."""

    def __init__(self):
        self.values = {}

    def quality(self, position, move):
        return self.values.get((position.key, move), 0.0)

    def correct(self, position, move, amount):
        self.values[position.key, move] = self.quality(position, move) + amount


def best(memory, position, word):
    chosen, highest, ties = None, -np.inf, 1
    for move in position.legal:
        value = memory.quality(position, move)
        if value > highest:
            chosen, highest, ties = move, value, 1
        elif value == highest:
            ties += 1
            if below(np.uint64(draw(np.uint64(word), np.uint64(ties))), ties) == 0:
                chosen = move
    return chosen, highest


def learn(memory, before, move, after, rate, settings, score_share):
    sign = 1 if before.player == after.player else -1
    if after.is_over:
        target = sign * after.outcome * (settings.gamma if getattr(settings, "discounted", False) else 1.0) - score_share * before.margin
    else:
        promised = memory.highest(after) if getattr(settings, "target", "legal") == "all" else best(memory, after, 0)[1]
        target = score_share * (sign * after.margin - before.margin) + settings.gamma * sign * promised
    memory.correct(before, move, rate * (target - memory.quality(before, move)))


def train(memory, begin, key, games, settings, score_share, random_move, longest, opponent=None):
    """`begin(words)` gives the position a game starts from, `random_move(position, word)` a random move; `longest` cuts games off.

    `opponent` is an agent who plays one side, if it is given.  `settings` are those of `qlearning`, or of `study000:qlearning`.
    """
    for game in range(games):
        words = np.uint64(substream(key, np.uint64(game)))
        first = position = begin(words)
        before = 0  # moves of starts that came to nothing
        explores = getattr(settings, "stages", "one") == "one" or game < games // 2
        steps = []
        seated = opponent.player(position, game % 2) if opponent else None
        rate = settings.alpha * (1 - settings.decay) ** game
        while not position.is_over and (len(steps) < longest or getattr(settings, "overlong", "learnt") == "again"):
            if len(steps) == longest:
                before, steps, position = before + longest, [], first
            number = before + len(steps)
            word, random_word, tie_word = (np.uint64(draw(words, np.uint64(3 * number + place))) for place in range(3))
            is_opponent = getattr(settings, "opponent", "self") == "random" and position.player == game % 2
            if seated and position.player == game % 2:
                move = seated.choose(position, random_word).move
            elif is_opponent or unit(word) < (settings.epsilon if explores else 0.0):
                move = random_move(position, random_word)
            else:
                move = best(memory, position, tie_word)[0]
            after = position.play(move)
            steps.append((position, move, after))
            if getattr(settings, "update", "game") == "step":
                learn(memory, *steps[-1], rate, settings, score_share)
            position = after
        if getattr(settings, "update", "game") == "game":
            for step in reversed(steps):
                learn(memory, *step, rate, settings, score_share)
