// One experiment, live: progress, plots that grow, tables with intervals, its games, and files to take home.

import { announce, ask, byId, element, showError } from "./page.js";
import { Live } from "./live.js";
import { Plot } from "./plot.js";
import { tableElement } from "./shapes.js";

const GAMES = 10;
const name = byId("experiment").dataset.name;
let job = null;
let run = null;
let plots = [];
let tables = [];
let first = 0;
let listed = -1;

function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function state() {
  return job && job.state !== "done" ? job.state : run ? run.state : job?.state ?? "";
}

function show() {
  byId("parts").hidden = false;
  byId("loading").hidden = true;
  const now = state();
  const before = byId("state").textContent;
  byId("state").hidden = false;
  byId("state").textContent = now;
  byId("state").className = `badge state ${now} ${{ done: "good", failed: "bad", stopped: "warn" }[now] ?? ""}`;
  if (before && before !== now) announce(`The experiment is ${now}`);
  byId("headline").textContent = run?.headline ?? (job ? `${job.kind} at ${job.games.join(", ")}` : "Experiment");
  document.title = `${byId("headline").textContent} · ludometer`;
  if (job?.error) showError("problem", job.error);
  else showError("problem", null);
  showProgress(now);
  byId("stop").hidden = !(job && (now === "running" || now === "queued"));
  byId("resume").hidden = !(now === "stopped" || now === "failed");
  byId("delete").hidden = !run || now === "running" || now === "queued";
  const charts = run?.charts ?? [];
  byId("downloads").hidden = !run;
  for (const link of byId("downloads").children) {
    if (run) link.href = `/api/runs/${run.run}/download?format=${link.dataset.format}`;
    link.hidden = !charts.length && ["svg", "png"].includes(link.dataset.format) || link.dataset.format === "csv" && (run?.kind === "report" || run?.unit_size === 1);
  }
  byId("waiting").hidden = charts.length > 0 || !["running", "queued"].includes(now) || job?.kind === "solve";
  showCharts(charts);
  showTables(run?.tables ?? [], run?.notes ?? []);
  byId("words").hidden = !run?.text;
  if (run?.text && byId("text").textContent !== run.text) byId("text").textContent = run.text;
  if (run && run.done !== listed && run.kind !== "report") showGames();
}

function showProgress(now) {
  const at = job && now === "running" && job.progress.total ? job.progress : run ? { done: run.done, total: run.games } : job?.progress ?? {};
  byId("bar").value = at.total ? at.done / at.total : now === "done" ? 1 : 0;
  const parts = [];
  if (at.total) parts.push(`${at.done.toLocaleString("en")} of ${at.total.toLocaleString("en")}`);
  if (now === "running" && at.rate) parts.push(`${at.rate >= 10 ? Math.round(at.rate).toLocaleString("en") : at.rate.toFixed(1)} a second`);
  if (now === "running" && at.left) parts.push(`${duration(at.left)} left`);
  if (at.text) parts.push(at.text);
  const spent = run?.seconds || job?.seconds;
  if (spent) parts.push(`${duration(spent)} ${now === "running" ? "so far" : "in all"}`);
  if (now === "queued") parts.push("waits for its turn");
  if (now === "running" && !at.total) parts.push("begins; code may have to be compiled first");
  if (!job && run && now === "running") parts.push("measured by another process, such as a command on a terminal");
  byId("progress").textContent = parts.join(" · ");
}

function showCharts(charts) {
  byId("charts").hidden = !charts.length;
  while (plots.length > charts.length) plots.pop().remove();
  charts.forEach((chart, place) => {
    plots[place] ??= new Plot(byId("charts"));
    plots[place].show(chart);
  });
}

function showTables(found, notes) {
  byId("tables").hidden = !found.length && !notes.length;
  if (found.length !== tables.length) {
    tables = found.map((table) => ({ into: element("table"), caption: table.caption }));
    byId("tables").replaceChildren(...tables.map((one) => element("div", { class: "scroll block", tabindex: 0, role: "region", "aria-label": one.caption }, one.into)), element("div", { id: "notes", class: "small soft" }));
  }
  found.forEach((table, place) => tableElement(table, tables[place].into));
  const place = document.getElementById("notes") ?? byId("tables").appendChild(element("div", { id: "notes", class: "small soft" }));
  place.replaceChildren(...notes.map((note) => element("p", { text: note })));
}

async function showGames() {
  listed = run.done;
  const games = await ask(`/api/runs/${run.run}/games?first=${first}&count=${GAMES}`);
  byId("games").hidden = !games.length && !first;
  byId("earlier").disabled = first === 0;
  byId("later").disabled = games.length < GAMES;
  byId("game-rows").replaceChildren(...games.map((game) => element("tr", {},
    element("td", { class: "number", text: game.game }), element("td", { text: game.first }), element("td", { text: game.second }), element("td", { text: game.result }), element("td", { class: "number", text: game.length }),
    element("td", {}, element("button", { type: "button", class: "small", "aria-label": `Show game ${game.game}`, onclick: () => showRecord(game.game), text: "Show" })))));
}

async function showRecord(number) {
  showError("record-problem", null);
  try {
    const record = await ask(`/api/runs/${run.run}/games/${number}`);
    byId("record").hidden = false;
    byId("record").textContent = record.text;
    byId("analyse").hidden = false;
    byId("record").focus();
  } catch (error) {
    showError("record-problem", error);
  }
}

byId("earlier").addEventListener("click", () => {
  first = Math.max(0, first - GAMES);
  showGames();
});
byId("later").addEventListener("click", () => {
  first += GAMES;
  showGames();
});
byId("analyse").addEventListener("click", async () => {
  try {
    const made = await ask("/api/sessions", { method: "POST", body: { record: byId("record").textContent, paused: true } });
    location.assign(`/analyse?session=${made.id}`);
  } catch (error) {
    showError("record-problem", error);
  }
});
byId("stop").addEventListener("click", () => act("stop", `/api/jobs/${job.job}/stop`));
byId("resume").addEventListener("click", async () => {
  const resumed = await act("resume", job ? `/api/jobs/${job.job}/resume` : `/api/runs/${run.run}/resume`);
  if (resumed) job = resumed;
  show();
});
byId("delete").addEventListener("click", async () => {
  if (!confirm(`Delete run ${run.run} and its games? This cannot be undone.`)) return;
  try {
    await ask(`/api/runs/${run.run}`, { method: "DELETE" });
    location.assign("/experiments");
  } catch (error) {
    showError("problem", error);
  }
});

async function act(button, path) {
  byId(button).disabled = true;
  try {
    return await ask(path, { method: "POST" });
  } catch (error) {
    showError("problem", error);
    return null;
  } finally {
    byId(button).disabled = false;
  }
}

new Live(`experiment/${name}`, {
  snapshot: (found) => {
    ({ job, run } = found);
    show();
  },
  change: (change) => {
    if (change.job) job = change.job;
    if (change.run) run = change.run;
    show();
  },
  gone: () => {
    byId("gone").hidden = false;
    byId("loading").hidden = true;
  },
});
