"""Two learners, step by step in plain Python: the slow twin of the compiled runs."""

from __future__ import annotations

import math

import numpy as np

from ludometer.core.random import draw, stream, substream, unit
from ludometer.dynamics.learners import LearnerSettings


class NaiveLearner:
    """Knows its number of actions, its own choices and its own payoffs."""

    def __init__(self, settings: LearnerSettings, values: list[float]) -> None:
        self.settings = settings
        self.values = values  # of cross learning: the policy
        self.rewards: list[list[float]] = [[] for _ in values]

    def policy(self, step: int) -> list[float]:
        settings, count, top = self.settings, len(self.values), max(self.values)
        if settings.kind == "cross":
            return list(self.values)
        if settings.kind == "greedy":
            first, last, growth = settings.epsilon
            epsilon = min(1.0, last + (first - last) * math.exp(growth * step))
            best = [value == top for value in self.values]
            return [epsilon / count + (1 - epsilon) / sum(best) * good for good in best]
        first, last, fall = settings.temperature
        temperature = max(last, first - fall * step)
        weights = [math.exp((value - top) / temperature) for value in self.values]
        return [weight / sum(weights) for weight in weights]

    def learn(self, step: int, action: int, reward: float) -> None:
        settings = self.settings
        self.rewards[action].append(reward)
        if len(self.rewards[action]) < settings.kappa:
            return
        reward = max(self.rewards[action])
        self.rewards[action] = []
        if settings.kind == "cross":
            self.values = [share - settings.alpha * reward * share for share in self.values]
            self.values[action] += settings.alpha * reward
            return
        rate = settings.alpha
        if settings.kind == "faq":
            rate *= min(1.0, settings.beta / self.policy(step)[action])
        top, value = max(self.values), self.values[action]
        if settings.printed:
            self.values[action] += rate * (reward + settings.gamma * (top - value))
        else:
            self.values[action] += rate * (reward + settings.gamma * top - value)


def naive_run(settings: LearnerSettings, payoffs, run: int, seed: int, episodes: int) -> list[list[float]]:
    """Both policies after each episode, from Q-values of zero (or a given policy); payoffs[player][row][column]."""
    # Compiled functions hand Python plain integers, and would take small ones for signed.
    key = np.uint64(substream(np.uint64(substream(stream(seed, "learners"), np.int64(run))), np.int64(0)))
    sizes = len(payoffs[0]), len(payoffs[0][0])
    if settings.start is not None:
        begin = settings.start[: sizes[0]], settings.start[sizes[0] :]
        if settings.kind != "cross":
            begin = tuple([settings.temperature[0] * math.log(share) for share in part] for part in begin)
        learners = [NaiveLearner(settings, list(part)) for part in begin]
    else:
        learners = [NaiveLearner(settings, [0.0] * size) for size in sizes]
    history = []
    for step in range(episodes + 1):
        policies = [learner.policy(step) for learner in learners]
        history.append(policies[0] + policies[1])
        choices = [
            _choose(policy, float(unit(np.uint64(draw(key, np.int64(2 * step + player)))))) for player, policy in enumerate(policies)
        ]
        for player, learner in enumerate(learners):
            learner.learn(step, choices[player], payoffs[player][choices[0]][choices[1]])
    return history


def _choose(policy: list[float], place: float) -> int:
    for action, share in enumerate(policy[:-1]):
        place -= share
        if place < 0:
            return action
    return len(policy) - 1
