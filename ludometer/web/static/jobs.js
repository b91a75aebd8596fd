// Jobs in words: what the pages of experiments and of solved games say of them.

import { element } from "./elements.js";

/** @type {Partial<Record<Api.JobState, string>>} */
const BADGES = { done: "good", failed: "bad", stopped: "warn" };

/** A whole number with separators. @param {number} number */
export const grouped = (number) => number.toLocaleString("en");

/** True while a job works or waits for its turn. @param {Api.JobState|""} state */
export const isGoingOn = (state) => state === "running" || state === "queued";

/** The class of the badge of a state. @param {Api.JobState|""} state */
export const badgeClass = (state) => `badge state ${state} ${(state && BADGES[state]) || ""}`;

/** The badge of a state. @param {Api.JobState} state */
export const stateBadge = (state) => element("span", { class: badgeClass(state), text: state });

/** The jobs after one of them has changed, newest first. @param {Api.Job[]} jobs @param {Api.Job} changed */
export function withChangedJob(jobs, changed) {
  const others = jobs.filter((job) => job.job !== changed.job);
  return [changed, ...others].sort((one, other) => other.created - one.created);
}
