// The list of experiments, live, and the form that starts one.

import { post } from "./ask.js";
import { buttonById, byId, element, inputById, selectById } from "./elements.js";
import { badgeClass, grouped, isGoingOn, withChangedJob } from "./jobs.js";
import { Live } from "./live.js";
import { announce, showError } from "./page.js";

const MOST_LETTERS = 120; // of the names of players in the list
/** @type {Record<string, string>} */
const ABOUT = {
  match:
    "Two agents play pairs of games with seats swapped: who is better, by how much, and how sure is that?",
  tournament: "Every agent plays every other; ratings on one scale, with intervals.",
  ladder: "One agent with growing budgets: how does strength grow with thinking?",
  depth: "Levels of 75 % from random play up: how much is there to learn?",
  report: "All a designer wants to know: choices, length, fairness, draws, depth.",
};

/** @typedef {HTMLInputElement|HTMLSelectElement|HTMLTextAreaElement} Control */
/**
 * A line of the list: a job that has no run yet, or a run.
 *
 * @typedef {{key: string, name: string, who: string, state: Api.JobState, done: number, total: number, when: Date, error: string}} Row
 */

const form = byId("form", HTMLFormElement);
/** @type {Api.Job[]} */
let jobs = [];
/** @type {Api.Run[]} */
let runs = [];

// The form

/** The kind of experiment that is chosen. */
const chosenKind = () => String(new FormData(form).get("kind"));

/** Show the fields of the chosen kind. */
function showKind() {
  const kind = chosenKind();
  for (const part of form.querySelectorAll("[data-for]")) {
    if (!(part instanceof HTMLElement)) continue;
    const isShown = (part.dataset.for ?? "").split(" ").includes(kind);
    part.hidden = !isShown;
    for (const control of controlsIn(part)) control.disabled = !isShown;
  }
  byId("about").textContent = ABOUT[kind];
  showMeasure();
}

/** @param {Element} part @returns {NodeListOf<Control>} */
const controlsIn = (part) => part.querySelectorAll("input, select, textarea");

/** Show the fields of the chosen measure of a ladder. */
function showMeasure() {
  const label = byId("number-label");
  if (chosenKind() !== "ladder") {
    label.textContent = chosenKind() === "tournament" ? "Games of each pairing" : "Games";
    return;
  }
  const judgesMoves = selectById("measure").value === "accuracy";
  for (const name of ["versus", "blunder"]) {
    inputById(name).disabled = judgesMoves;
    byId(`${name}-field`).hidden = judgesMoves;
  }
  label.textContent = judgesMoves ? "Positions of each rung" : "Games of each rung";
}

/** The parts of a text between spaces. @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean);

/** The parts of a text between commas or spaces. @param {string} text */
const listed = (text) => text.split(/[\s,]+/).filter(Boolean);

/** The request that the form describes. */
function request() {
  const data = new FormData(form);
  const given = (/** @type {string} */ name) => String(data.get(name) ?? "");
  const kind = chosenKind();
  const seed = Number(given("seed"));
  const number = Number(given("number"));
  if (kind === "match") {
    const until = data.has("decided") ? "decided" : "games";
    return { kind, game: given("game"), a: given("a"), b: given("b"), number, seed, until };
  }
  if (kind === "tournament") {
    return { kind, game: given("game"), agents: words(given("entrants")), number, seed };
  }
  const games = words(given("games"));
  if (kind === "ladder") {
    const measure = given("measure");
    const rungs = { agents: words(given("families")), rungs: listed(given("rungs")) };
    const opponent = { versus: given("versus"), blunder: listed(given("blunder")).map(Number) };
    return { kind, games, ...rungs, measure, number, seed, ...(measure === "accuracy" ? {} : opponent) };
  }
  return { kind, games, seconds: given("seconds") ? Number(given("seconds")) : null, seed };
}

form.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "kind") showKind();
  if (target instanceof HTMLSelectElement && target.id === "measure") showMeasure();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showError("problem", null);
  buttonById("start").disabled = true;
  try {
    /** @type {Api.Job} */
    const job = await post("/api/jobs", request());
    location.assign(`/experiments/job-${job.job}`);
  } catch (error) {
    showError("problem", error);
    buttonById("start").disabled = false;
  }
});

/** Fill the form from the address of the page. */
function fillForm() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements.namedItem(name);
    if (control instanceof RadioNodeList) {
      control.value = value;
      showKind();
    } else if (control instanceof HTMLElement) {
      /** @type {Control} */ (control).value = value;
    }
  }
}

// The list

/** @returns {Row[]} jobs that have no run yet, then runs, newest first */
function rows() {
  const known = new Set(runs.map((run) => run.run));
  const waiting = jobs.filter((job) => job.run === null || !known.has(job.run));
  return [...waiting.map(rowOfJob), ...runs.map(rowOfRun)];
}

/** @param {Api.Job} job @returns {Row} */
function rowOfJob({ job, kind, games, title, state, progress, created, error }) {
  const { done = 0, total = 0 } = progress;
  const name = `${kind} at ${games.join(", ")}`;
  return { key: `job-${job}`, name, who: title, state, done, total, when: new Date(1000 * created), error };
}

/** @param {Api.Run} run @returns {Row} */
function rowOfRun({ run, kind, game, players, state, done, games, started }) {
  const job = jobs.find((each) => each.run === run);
  return {
    ...{ key: `run-${run}`, name: `${run} · ${kind} at ${game}`, who: players.join(", ") },
    ...{ state: job && isGoingOn(job.state) ? job.state : state, error: job?.error ?? "" },
    ...{ done, total: games, when: new Date(started) },
  };
}

/** The elements of a line of the list, which are built once and changed. */
class Item {
  /** @param {string} key */
  constructor(key) {
    this.name = element("a", { class: "name", href: `/experiments/${key}` });
    this.badge = element("span");
    this.who = element("div", { class: "soft small wrap" });
    this.bar = element("progress", { max: 1, "aria-label": "done" });
    this.numbers = element("div", { class: "soft small number wrap" });
    const head = element("div", { class: "row spread" }, this.name, this.badge);
    this.node = element("li", {}, head, this.who, this.bar, this.numbers);
  }

  /** @param {Row} row */
  show({ name, who, state, done, total, when, error }) {
    this.name.textContent = name;
    this.badge.textContent = state;
    this.badge.className = badgeClass(state);
    this.who.textContent = who.length > MOST_LETTERS ? `${who.slice(0, MOST_LETTERS - 1)}…` : who;
    this.bar.hidden = state === "done" || !total;
    this.bar.value = total ? done / total : 0;
    const counted = total ? `${grouped(done)} of ${grouped(total)}` : grouped(done);
    const time = when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    this.numbers.textContent = [counted, time, error].filter(Boolean).join(" · ");
  }
}

/** @type {Map<string, Item>} */
const items = new Map();

function show() {
  const all = rows();
  const list = byId("list");
  byId("loading").hidden = true;
  byId("empty").hidden = all.length > 0;
  byId("count").textContent = all.length ? `${all.length} experiment${all.length === 1 ? "" : "s"}` : "";
  const keys = new Set(all.map((row) => row.key));
  for (const [key, item] of items) {
    if (keys.has(key)) continue;
    item.node.remove();
    items.delete(key);
  }
  all.forEach((row, place) => {
    const item = items.get(row.key) ?? new Item(row.key);
    items.set(row.key, item);
    const present = list.children[place];
    if (present !== item.node) list.insertBefore(item.node, present ?? null);
    item.show(row);
  });
}

showKind();
fillForm();
new Live("experiments/all", {
  snapshot: (/** @type {{jobs: Api.Job[], runs: Api.Run[]}} */ state) => {
    ({ jobs, runs } = state);
    show();
  },
  change: (/** @type {{job?: Api.Job, runs?: Api.Run[]}} */ change) => {
    runs = change.runs ?? runs;
    const { job } = change;
    if (job) {
      const before = jobs.find((each) => each.job === job.job);
      if (before && before.state !== job.state) announce(`${job.kind}: ${job.state}`);
      jobs = withChangedJob(jobs, job);
    }
    show();
  },
});
