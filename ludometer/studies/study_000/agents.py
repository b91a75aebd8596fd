"""Declarations of the programs that the study ran, for `ludometer.studies.agents`.  No compiler is loaded."""

from __future__ import annotations

from ludometer.agents import mcts
from ludometer.core.agent import AgentKind, Option

MCTS = AgentKind(
    name="study000:mcts",
    title="the Monte Carlo tree search of study 000, with statistics by board",
    home="ludometer.studies.study_000.board_search:BoardSearchAgent",
    main="iterations",
    options=(
        mcts.ITERATIONS,
        Option("c", 2**0.5, "exploration constant", least=0.0, most=1e6, outside=True),
        Option("choice", "value", "make the move of best value, or the most visited one", choices=("value", "visits")),
        Option("reuse", False, "keep the statistics of earlier moves of the game"),
        Option(
            "statistics",
            "boards",
            "nodes with common statistics: none, equal states, or equal boards",
            choices=("nodes", "states", "boards"),
        ),
        Option("enter", "all", "states of a playout that are entered: the first one, or all", choices=("one", "all")),
        Option("doubled", True, "count visits twice in the upper confidence bound"),
        Option("ties", "random", "which of equal children and moves is taken", choices=("first", "random")),
        Option("untried", "half", "an unvisited move is never made, or counts as half a point", choices=("never", "half")),
        Option("horizon", 1000, "positions of an iteration before it is drawn; 0: the game's limit", least=0, most=10_000, outside=1000),
        mcts.TIME,
        Option("memory", 512, "megabytes for the table; a full table stops growing", least=1, most=2**20, outside=512),
    ),
)

QLEARNING = AgentKind(
    name="study000:qlearning",
    title="the Q-learning of study 000, trained anew for every game",
    home="ludometer.studies.study_000.learner:LearnerAgent",
    main="iterations",
    options=(
        Option("iterations", 1000, "training games", least=0, most=10**9, outside=1000),
        Option("alpha", 0.5, "learning rate of the first game", least=0.0, most=1e6, outside=True),
        Option("decay", 0.0005, "share of the learning rate lost with every game", least=0.0, most=1.0, outside=True),
        Option("gamma", 0.99999, "discount of the next state's value", least=0.0, most=1.0, outside=True),
        Option("epsilon", 0.01, "probability of a random move", least=0.0, most=1.0, outside=True),
        Option("divided", True, "divide the features by their number"),
        Option("target", "all", "moves whose best quality is a state's value; all: legal or not", choices=("legal", "all")),
        Option("discounted", True, "discount the result of a game as well"),
        Option("longest", 500, "moves of a training game at most; 0: the game's own limit", least=0, most=10**6, outside=1000),
        Option("overlong", "again", "learn from a game that reaches the limit, or begin it again", choices=("learnt", "again")),
        Option("anew", True, "train before the first move of every game, with random numbers of that game"),
        Option("kinds", True, "separate weights for moves of each kind that the game distinguishes"),
        Option("seed", 0, "seed of the training", outside=True),
    ),
)

AGENTS = (MCTS, QLEARNING)
