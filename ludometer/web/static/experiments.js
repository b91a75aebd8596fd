// The list of experiments, live, and the form that starts one.

import { announce, ask, byId, element, showError } from "./page.js";
import { Live } from "./live.js";

const ABOUT = {
  match: "Two agents play pairs of games with seats swapped: who is better, by how much, and how sure is that?",
  tournament: "Everybody plays everybody; ratings on one scale, with intervals.",
  ladder: "One agent with growing budgets: how does strength grow with thinking?",
  depth: "Rungs double until more thinking helps no more: how many steps of skill does a game have?",
  report: "All a designer wants to know: choices, length, fairness, draws, depth.",
};

const form = byId("form");
let jobs = [];
let runs = [];

function kind() {
  return new FormData(form).get("kind");
}

function showKind() {
  for (const part of form.querySelectorAll("[data-for]")) {
    const shown = part.dataset.for.split(" ").includes(kind());
    part.hidden = !shown;
    for (const input of part.querySelectorAll("input, select, textarea")) input.disabled = !shown;
  }
  byId("about").textContent = ABOUT[kind()];
  showMeasure();
}

function showMeasure() {
  if (kind() !== "ladder") {
    byId("number-label").textContent = kind() === "tournament" ? "Games of each pairing" : "Games";
    return;
  }
  const judged = byId("measure").value === "accuracy";
  byId("versus").disabled = byId("blunder").disabled = judged;
  byId("versus-field").hidden = byId("blunder-field").hidden = judged;
  byId("number-label").textContent = judged ? "Positions of each rung" : "Games of each rung";
}

const words = (text) => String(text ?? "").trim().split(/\s+/).filter(Boolean);
const commas = (text) => String(text ?? "").split(/[\s,]+/).filter(Boolean);

function request() {
  const given = Object.fromEntries(new FormData(form));
  const seed = Number(given.seed);
  const number = Number(given.number);
  if (given.kind === "match") return { kind: "match", game: given.game, a: given.a, b: given.b, number, seed, until: given.decided ? "decided" : "games" };
  if (given.kind === "tournament") return { kind: "tournament", game: given.game, agents: words(given.entrants), number, seed };
  if (given.kind === "ladder") {
    const asked = { kind: "ladder", games: words(given.games), agents: words(given.families), rungs: commas(given.rungs), measure: given.measure, number, seed };
    return given.measure === "accuracy" ? asked : { ...asked, versus: given.versus, blunder: commas(given.blunder).map(Number) };
  }
  return { kind: given.kind, games: words(given.games), seconds: given.seconds ? Number(given.seconds) : null, seed };
}

form.addEventListener("change", (event) => {
  if (event.target.name === "kind") showKind();
  if (event.target.id === "measure") showMeasure();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showError("problem", null);
  byId("start").disabled = true;
  try {
    const job = await ask("/api/jobs", { method: "POST", body: request() });
    location.assign(`/experiments/job-${job.job}`);
  } catch (error) {
    showError("problem", error);
    byId("start").disabled = false;
  }
});

/** Jobs that have no run yet, then runs, newest first. */
function rows() {
  const known = new Set(runs.map((run) => run.run));
  const waiting = jobs.filter((job) => job.run === null || !known.has(job.run)).map((job) => ({
    key: `job-${job.job}`, kind: job.kind, game: job.games.join(", "), who: job.title, state: job.state, done: job.progress.done ?? 0, total: job.progress.total ?? 0, when: new Date(1000 * job.created), error: job.error,
  }));
  const measured = runs.map((run) => {
    const job = jobs.find((one) => one.run === run.run);
    const state = job && (job.state === "running" || job.state === "queued") ? job.state : run.state;
    return { key: `run-${run.run}`, number: run.run, kind: run.kind, game: run.game, who: run.players.join(", "), state, done: run.done, total: run.games, when: new Date(run.started), error: job?.error ?? "" };
  });
  return [...waiting, ...measured];
}

const made = new Map();

function show() {
  const all = rows();
  byId("loading").hidden = true;
  byId("empty").hidden = all.length > 0;
  byId("count").textContent = all.length ? `${all.length} ${all.length === 1 ? "experiment" : "experiments"}` : "";
  for (const [key, item] of made) if (!all.some((row) => row.key === key)) {
    item.remove();
    made.delete(key);
  }
  all.forEach((row, place) => {
    let item = made.get(row.key);
    if (!item) {
      item = element("li", {},
        element("div", { class: "row spread" }, element("a", { class: "name", href: `/experiments/${row.key}` }), element("span", { class: "badge state" })),
        element("div", { class: "soft small wrap who" }), element("progress", { max: 1, "aria-label": "done" }), element("div", { class: "soft small number wrap numbers" }));
      made.set(row.key, item);
    }
    if (byId("list").children[place] !== item) byId("list").insertBefore(item, byId("list").children[place] ?? null);
    const number = row.number ? `${row.number} · ` : "";
    item.querySelector(".name").textContent = `${number}${row.kind} at ${row.game}`;
    item.querySelector(".who").textContent = row.who.length > 120 ? `${row.who.slice(0, 119)}…` : row.who;
    const badge = item.querySelector(".badge");
    badge.textContent = row.state;
    badge.className = `badge state ${row.state} ${{ done: "good", failed: "bad", stopped: "warn" }[row.state] ?? ""}`;
    const bar = item.querySelector("progress");
    bar.hidden = row.state === "done" || !row.total;
    bar.value = row.total ? row.done / row.total : 0;
    const when = row.when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    item.querySelector(".numbers").textContent = `${row.done.toLocaleString("en")}${row.total ? ` of ${row.total.toLocaleString("en")}` : ""} · ${when}${row.error ? ` · ${row.error}` : ""}`;
  });
}

showKind();
const asked = new URLSearchParams(location.search);
for (const [name, value] of asked) {
  const input = form.elements.namedItem(name);
  if (input instanceof RadioNodeList || input?.type === "radio") {
    for (const one of form.querySelectorAll(`input[name="kind"]`)) one.checked = one.value === value;
    showKind();
  } else if (input) input.value = value;
}
new Live("experiments/all", {
  snapshot: (state) => {
    ({ jobs, runs } = state);
    show();
  },
  change: (change) => {
    if (change.runs) runs = change.runs;
    if (change.job) {
      const before = jobs.find((job) => job.job === change.job.job);
      if (before && before.state !== change.job.state) announce(`${change.job.kind}: ${change.job.state}`);
      jobs = [change.job, ...jobs.filter((job) => job.job !== change.job.job)];
      jobs.sort((one, other) => other.created - one.created);
    }
    show();
  },
});
