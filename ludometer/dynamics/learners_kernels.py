"""Learners of matrix games, compiled: many runs of two learners that observe only their own choices and payoffs.

Random numbers are functions of a run's key and the step, so a run does not depend on the thread or the order of computation.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.compiling.compilation import kernel
from ludometer.core.random import draw, substream, unit

GREEDY, BOLTZMANN, FREQUENCY_ADJUSTED, CROSS = range(4)
Q_RANGE, ANYWHERE, GIVEN = range(3)  # how a run starts: Q-values from a range, a policy drawn evenly, a policy that is given

in_place = njit(inline="always")  # a quarter faster than calls

_PLAY, _START = np.int64(0), np.int64(1)  # streams of one run


class LearnerRule(NamedTuple):
    """How both players learn."""

    kind: int  # GREEDY, BOLTZMANN, FREQUENCY_ADJUSTED or CROSS
    alpha: float  # learning rate
    beta: float  # of frequency adjustment
    gamma: float  # discount factor
    kappa: int  # leniency: an action's value is updated with the best of this many rewards
    printed: bool  # the update with its bracket misplaced
    epsilon_first: float  # exploration rate: ε_k = last + (first − last) e^(growth·k), at most 1
    epsilon_last: float
    epsilon_growth: float  # below zero: it falls
    tau_first: float  # temperature: T_k = max(last, first − fall·k)
    tau_last: float
    tau_fall: float


class LearnerStart(NamedTuple):
    """How runs begin."""

    way: int  # Q_RANGE, ANYWHERE or GIVEN
    low: float  # of the range of Q-values
    high: float
    policy: np.ndarray  # float64, actions of both: used when GIVEN


class LearnerRecord(NamedTuple):
    """What is kept of each run; the row player's actions first, then the column player's."""

    policy: np.ndarray  # float32, runs × marks × actions: probabilities at each mark
    values: np.ndarray  # float32, runs × marks × actions: Q-values at each mark (cross learning has none: zeros)
    frequency: np.ndarray  # float32, runs × marks × actions: how often each action was chosen since the mark before
    tail_policy: np.ndarray  # float64, runs × actions: mean probabilities over the tail
    tail_frequency: np.ndarray  # float64, runs × actions: shares of choices in the tail
    earned: np.ndarray  # float64, runs × 2: mean payoffs over the tail


@in_place
def temperature_at(rule, step):
    return max(rule.tau_last, rule.tau_first - rule.tau_fall * step)


@in_place
def epsilon_at(rule, step):
    return min(1.0, rule.epsilon_last + (rule.epsilon_first - rule.epsilon_last) * np.exp(rule.epsilon_growth * step))


@in_place
def largest(values, player, count):
    top = values[player, 0]
    for action in range(1, count):
        top = max(top, values[player, action])
    return top


@in_place
def fill_policy(rule, noise, values, policy, player, count):
    """The policy of a learner from its values; `noise` is ε or the temperature."""
    if rule.kind == CROSS:
        return
    top = largest(values, player, count)
    if rule.kind == GREEDY:
        best = 0
        for action in range(count):
            best += values[player, action] == top
        for action in range(count):
            policy[player, action] = noise / count + ((1 - noise) / best if values[player, action] == top else 0.0)
        return
    total = 0.0
    for action in range(count):
        gap = values[player, action] - top
        weight = 1.0 if gap == 0.0 else np.exp(gap / noise)
        policy[player, action] = weight
        total += weight
    for action in range(count):
        policy[player, action] /= total


@in_place
def choose(policy, player, count, word):
    """An action drawn from the policy."""
    place = unit(word)
    for action in range(count - 1):
        place -= policy[player, action]
        if place < 0:
            return action
    return count - 1


@in_place
def learn(rule, action, reward, policy, values, best, collected, player, count):
    """Update from one's own action and payoff.  A lenient learner first collects κ rewards of the action and takes their best."""
    if rule.kappa > 1:
        collected[player, action] += 1
        best[player, action] = reward if collected[player, action] == 1 else max(best[player, action], reward)
        if collected[player, action] < rule.kappa:
            return
        collected[player, action] = 0
        reward = best[player, action]
    if rule.kind == CROSS:
        for other in range(count):
            policy[player, other] -= rule.alpha * reward * policy[player, other]
        policy[player, action] += rule.alpha * reward
        return
    rate = rule.alpha
    if rule.kind == FREQUENCY_ADJUSTED:
        rate *= min(1.0, rule.beta / policy[player, action])
    top = largest(values, player, count)
    value = values[player, action]
    if rule.printed:
        values[player, action] = value + rate * (reward + rule.gamma * (top - value))
    else:
        values[player, action] = value + rate * (reward + rule.gamma * top - value)


@njit
def begin(rule, start, key, offset, values, policy, player, count):
    """Set a learner's values and policy before the first step; `offset` is the place of its first action among those of both."""
    if start.way == Q_RANGE and rule.kind != CROSS:
        for action in range(count):
            values[player, action] = start.low + (start.high - start.low) * unit(draw(key, offset + action))
        return
    total = 0.0
    for action in range(count):
        if start.way == GIVEN:
            policy[player, action] = start.policy[offset + action]
        else:  # evenly over the simplex: exponential variables, scaled to sum 1
            policy[player, action] = -np.log(1.0 - unit(draw(key, offset + action))) + 1e-12
        total += policy[player, action]
    for action in range(count):
        policy[player, action] /= total
        share = max(policy[player, action], 1e-300)
        values[player, action] = 0.0 if rule.kind == CROSS else temperature_at(rule, 0) * np.log(share)


@njit
def keep(record, run, mark, since, player, count, offset, policy, values, chosen):
    """Record one player's state at a mark and reset its counts of choices."""
    for action in range(count):
        record.policy[run, mark, offset + action] = policy[player, action]
        record.values[run, mark, offset + action] = values[player, action]
        record.frequency[run, mark, offset + action] = chosen[player, action] / since
        chosen[player, action] = 0


@kernel
def run_pairs(rule, start, payoffs, rewards, seed_key, first, count, steps, tail, marks, record):
    """Runs first … first + count − 1 of two learners.

    payoffs: float64, 2 × rows × columns, what row and column player are paid; rewards: the same as the learners are told it (between
    0 and 1 for cross learning).  marks: int64, ascending steps after which the state is kept, from 0 to `steps`.  tail: the last
    steps, over which means are taken.
    """
    rows, columns = payoffs.shape[1], payoffs.shape[2]
    shape = (2, max(rows, columns))
    values, policy, best, chosen = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    collected = np.zeros(shape, np.int64)
    for run in range(first, first + count):
        key = substream(seed_key, run)
        play_key, start_key = substream(key, _PLAY), substream(key, _START)
        values[:], policy[:], best[:], chosen[:], collected[:] = 0.0, 0.0, 0.0, 0.0, 0
        begin(rule, start, start_key, 0, values, policy, 0, rows)
        begin(rule, start, start_key, rows, values, policy, 1, columns)
        mark = 0
        for step in range(steps + 1):
            noise = epsilon_at(rule, step) if rule.kind == GREEDY else temperature_at(rule, step)
            fill_policy(rule, noise, values, policy, 0, rows)
            fill_policy(rule, noise, values, policy, 1, columns)
            if step == marks[mark]:
                since = max(1, marks[mark] - marks[max(0, mark - 1)])
                keep(record, run, mark, since, 0, rows, 0, policy, values, chosen)
                keep(record, run, mark, since, 1, columns, rows, policy, values, chosen)
                mark += 1
            if step == steps:
                break
            row = choose(policy, 0, rows, draw(play_key, 2 * step))
            column = choose(policy, 1, columns, draw(play_key, 2 * step + 1))
            chosen[0, row] += 1
            chosen[1, column] += 1
            if step >= steps - tail:
                record.tail_frequency[run, row] += 1.0 / tail
                record.tail_frequency[run, rows + column] += 1.0 / tail
                record.earned[run, 0] += payoffs[0, row, column] / tail
                record.earned[run, 1] += payoffs[1, row, column] / tail
                for action in range(rows):
                    record.tail_policy[run, action] += policy[0, action] / tail
                for action in range(columns):
                    record.tail_policy[run, rows + action] += policy[1, action] / tail
            learn(rule, row, rewards[0, row, column], policy, values, best, collected, 0, rows)
            learn(rule, column, rewards[1, row, column], policy, values, best, collected, 1, columns)
