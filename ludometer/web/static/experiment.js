// One experiment, live: progress, plots that grow, tables with intervals, its games, and files to download.

import { ask, post } from "./ask.js";
import { buttonById, byId, element, tableElement } from "./elements.js";
import { badgeClass, grouped, isGoingOn } from "./jobs.js";
import { Live } from "./live.js";
import { announce, showError } from "./page.js";
import { PlotList } from "./plot.js";

const PAGE = 10; // games in one list

const name = byId("experiment").dataset.name;
/** @type {Api.Job|null} */
let job = null;
/** @type {Api.ShownRun|null} */
let run = null;
/** @type {HTMLTableElement[]} */
let tables = [];
let firstGame = 0; // of the list
let listedAt = -1; // units that were done when the games were listed
const plots = new PlotList(byId("charts"));
const notes = element("div", { id: "notes", class: "small soft" });

/** @param {number} seconds */
function durationText(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/**
 * The state of the experiment: that of its job unless it is done, otherwise that of its run.
 *
 * @returns {Api.JobState|""}
 */
function stateNow() {
  if (job && job.state !== "done") return job.state;
  return run?.state ?? job?.state ?? "";
}

function show() {
  byId("parts").hidden = false;
  byId("loading").hidden = true;
  const state = stateNow();
  const badge = byId("state");
  if (badge.textContent && badge.textContent !== state) announce(`The experiment is ${state}`);
  badge.hidden = false;
  badge.textContent = state;
  badge.className = badgeClass(state);
  const wanted = job ? `${job.kind} at ${job.games.join(", ")}` : "Experiment";
  byId("headline").textContent = run?.headline ?? wanted;
  document.title = `${byId("headline").textContent} · ludometer`;
  showError("problem", job?.error || null);
  byId("progress").textContent = progressParts(state).join(" · ");
  buttonById("stop").hidden = !job || !isGoingOn(state);
  buttonById("resume").hidden = state !== "stopped" && state !== "failed";
  buttonById("delete").hidden = !run || isGoingOn(state);
  const charts = run?.charts ?? [];
  byId("waiting").hidden = charts.length > 0 || !isGoingOn(state) || job?.kind === "solve";
  byId("charts").hidden = !charts.length;
  plots.show(charts);
  showDownloads();
  showTables(run?.tables ?? [], run?.notes ?? []);
  byId("words").hidden = !run?.text;
  if (run?.text && byId("text").textContent !== run.text) byId("text").textContent = run.text;
  if (run && run.done !== listedAt && run.kind !== "report") showGames(run);
}

function showDownloads() {
  byId("downloads").hidden = !run;
  if (!run) return;
  const isShown = {
    csv: run.kind !== "report" && run.unit_size !== 1,
    json: true,
    svg: run.charts.length > 0,
    png: run.charts.length > 0,
  };
  for (const link of byId("downloads").querySelectorAll("a")) {
    const format = /** @type {keyof typeof isShown} */ (link.dataset.format);
    link.href = `/api/runs/${run.run}/download?format=${format}`;
    link.hidden = !isShown[format];
  }
}

/**
 * The latest progress: of the job while it works, otherwise of the run.
 *
 * @param {Api.JobState|""} state
 * @returns {Api.Progress}
 */
function progressNow(state) {
  if (job && state === "running" && job.progress.total) return job.progress;
  return run ? { done: run.done, total: run.games } : (job?.progress ?? {});
}

/** Set the bar; returns what is said beside it. @param {Api.JobState|""} state */
function progressParts(state) {
  const { done = 0, total = 0, rate, left, text } = progressNow(state);
  const isRunning = state === "running";
  const whole = state === "done" ? 1 : 0;
  byId("bar", HTMLProgressElement).value = total ? done / total : whole;
  const parts = [];
  if (total) parts.push(`${grouped(done)} of ${grouped(total)}`);
  if (isRunning && rate) parts.push(`${rate >= 10 ? grouped(Math.round(rate)) : rate.toFixed(1)} a second`);
  if (isRunning && left) parts.push(`${durationText(left)} left`);
  if (text) parts.push(text);
  const spent = run?.seconds || job?.seconds;
  if (spent) parts.push(`${durationText(spent)} ${isRunning ? "so far" : "in all"}`);
  if (state === "queued") parts.push("waits for its turn");
  if (isRunning && !total) parts.push("begins; code may have to be compiled first");
  if (isRunning && !job && run) parts.push("measured by another process, such as a command on a terminal");
  return parts;
}

/** @param {Api.Table[]} found @param {string[]} said */
function showTables(found, said) {
  const place = byId("tables");
  place.hidden = !found.length && !said.length;
  if (found.length !== tables.length || !notes.isConnected) {
    tables = found.map(() => element("table"));
    const regions = found.map(({ caption }, number) => {
      const region = { class: "scroll block", tabindex: 0, role: "region", "aria-label": caption };
      return element("div", region, tables[number]);
    });
    place.replaceChildren(...regions, notes);
  }
  found.forEach((table, number) => {
    tableElement(table, tables[number]);
  });
  notes.replaceChildren(...said.map((text) => element("p", { text })));
}

// Games

/** @param {Api.ShownRun} of */
async function showGames(of) {
  listedAt = of.done;
  /** @type {Api.PlayedGame[]} */
  const games = await ask(`/api/runs/${of.run}/games?first=${firstGame}&count=${PAGE}`);
  byId("games").hidden = !games.length && !firstGame;
  buttonById("earlier").disabled = firstGame === 0;
  buttonById("later").disabled = games.length < PAGE;
  byId("game-rows").replaceChildren(...games.map((game) => gameRow(of, game)));
}

/** @param {Api.ShownRun} of @param {Api.PlayedGame} played */
function gameRow(of, { game, first, second, result, length }) {
  const button = element("button", {
    ...{ type: "button", class: "small", "aria-label": `Show game ${game}`, text: "Show" },
    onclick: () => showRecord(of, game),
  });
  return element(
    "tr",
    {},
    element("td", { class: "number", text: game }),
    ...[first, second, result].map((text) => element("td", { text })),
    element("td", { class: "number", text: length }),
    element("td", {}, button),
  );
}

/** @param {Api.ShownRun} of @param {number} number */
async function showRecord(of, number) {
  showError("record-problem", null);
  try {
    const record = await ask(`/api/runs/${of.run}/games/${number}`);
    byId("record").hidden = false;
    byId("record").textContent = record.text;
    byId("analyse").hidden = false;
    byId("record").focus();
  } catch (error) {
    showError("record-problem", error);
  }
}

/** List games further on or back. @param {number} by */
function turnPage(by) {
  firstGame = Math.max(0, firstGame + by);
  if (run) showGames(run);
}
byId("earlier").addEventListener("click", () => turnPage(-PAGE));
byId("later").addEventListener("click", () => turnPage(PAGE));
byId("analyse").addEventListener("click", async () => {
  try {
    const made = await post("/api/sessions", { record: byId("record").textContent, paused: true });
    location.assign(`/analyse?session=${made.id}`);
  } catch (error) {
    showError("record-problem", error);
  }
});

// Stop, resume, delete

byId("stop").addEventListener("click", () => job && act("stop", `/api/jobs/${job.job}/stop`));
byId("resume").addEventListener("click", async () => {
  const path = job ? `/api/jobs/${job.job}/resume` : `/api/runs/${run?.run}/resume`;
  job = (await act("resume", path)) ?? job;
  show();
});
byId("delete").addEventListener("click", async () => {
  if (!run || !confirm(`Delete run ${run.run} and its games? This cannot be undone.`)) return;
  try {
    await ask(`/api/runs/${run.run}`, { method: "DELETE" });
    location.assign("/experiments");
  } catch (error) {
    showError("problem", error);
  }
});

/**
 * Post for a button, which is disabled meanwhile.
 *
 * @param {string} button
 * @param {string} path
 * @returns {Promise<Api.Job|null>}
 */
async function act(button, path) {
  buttonById(button).disabled = true;
  try {
    return await post(path);
  } catch (error) {
    showError("problem", error);
    return null;
  } finally {
    buttonById(button).disabled = false;
  }
}

new Live(`experiment/${name}`, {
  snapshot: (/** @type {{job: Api.Job|null, run: Api.ShownRun|null}} */ found) => {
    ({ job, run } = found);
    show();
  },
  change: (/** @type {{job?: Api.Job, run?: Api.ShownRun}} */ change) => {
    job = change.job ?? job;
    run = change.run ?? run;
    show();
  },
  gone: () => {
    byId("gone").hidden = false;
    byId("loading").hidden = true;
  },
});
