// What is solved, what can be, and perfect play to step through.

import { announce, ask, byId, element, showError } from "./page.js";
import { Live } from "./live.js";
import { Plot } from "./plot.js";

let tables = { solved: [], solvable: [] };
let jobs = [];
let chosen = "";
let lines = [];
let plots = [];

function size(bytes) {
  for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
  return `${bytes} bytes`;
}

const count = (number) => (number === null || number === undefined ? "–" : number.toLocaleString("en"));

async function load() {
  tables = await ask("/api/tables");
  byId("loading").hidden = true;
  byId("none").hidden = tables.solved.length > 0;
  byId("solved").replaceChildren(...tables.solved.map((row) => element("li", {},
    element("div", { class: "row spread" }, row.error ? element("span", { class: "name", text: row.game }) : element("a", { class: "name", href: `/tables?game=${encodeURIComponent(row.game)}`, "aria-current": row.game === chosen ? "true" : null, text: row.game, onclick: (event) => choose(event, row.game) }), element("span", { class: "badge", text: size(row.bytes) })),
    element("div", { class: "soft small number", text: row.error || (row.states ? `${count(row.states)} positions · ${row.kept}` : `value of the start · ${row.kept}`) }))));
  const open = tables.solvable.filter((row) => !row.solved);
  const before = byId("game").value;
  byId("game").replaceChildren(...open.map((row) => element("option", { value: row.game, text: `${row.game} (${row.title})${row.from_here ? "" : ", too large for a page"}`, disabled: !row.from_here })));
  if (open.some((row) => row.game === before)) byId("game").value = before;
  byId("solve").disabled = !open.some((row) => row.from_here);
  showForecast();
}

function showForecast() {
  const row = tables.solvable.find((one) => one.game === byId("game").value);
  byId("forecast").textContent = row ? row.forecast : "All listed games within reach of a page are solved.";
}

function choose(event, game) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", `/tables?game=${encodeURIComponent(game)}`);
  show(game);
}

async function show(game) {
  chosen = game;
  for (const link of byId("solved").querySelectorAll("a")) {
    if (link.textContent === game) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  showError("problem", null);
  byId("choose").hidden = true;
  try {
    showAnalysis(await ask(`/api/tables/analysis?game=${encodeURIComponent(game)}`));
    showLines(await ask(`/api/tables/lines?game=${encodeURIComponent(game)}`));
  } catch (error) {
    byId("about").hidden = byId("lines").hidden = true;
    byId("choose").hidden = false;
    byId("choose").textContent = error.message;
  }
}

function showAnalysis(found) {
  byId("about").hidden = false;
  byId("about-title").textContent = `${found.game}: ${found.start_text}`;
  const share = (part) => (found.states ? `${count(part)} (${((100 * part) / found.states).toFixed(1)} %)` : "–");
  const facts = { "start, for who begins": found.start_text, positions: count(found.states), won: share(found.win), lost: share(found.loss), drawn: share(found.draw), kept: found.kept };
  byId("facts").replaceChildren(...Object.entries(facts).map(([name, text]) => element("div", {}, element("dt", { text: name }), element("dd", { text }))));
  while (plots.length > found.charts.length) plots.pop().remove();
  found.charts.forEach((chart, place) => {
    plots[place] ??= new Plot(byId("charts"));
    plots[place].show(chart);
  });
  byId("classes-svg").hidden = byId("distances-svg").hidden = !found.charts.length;
  const game = encodeURIComponent(found.game);
  byId("classes-svg").href = `/api/tables/figure?game=${game}&what=classes&format=svg`;
  byId("distances-svg").href = `/api/tables/figure?game=${game}&what=distances&format=svg`;
  byId("analysis-json").href = `/api/tables/analysis?game=${game}`;
}

function showLines(found) {
  lines = found.lines;
  byId("lines").hidden = !lines.length;
  byId("note").textContent = found.note;
  byId("line").replaceChildren(...lines.map((line, place) => element("option", { value: place, text: `${line.title} (${line.steps.length - 1} moves)` })));
  byId("line").value = found.longest === null ? 0 : lines.length > 1 ? 1 : 0;
  showLine();
}

function line() {
  return lines[Number(byId("line").value)] ?? lines[0];
}

function showLine() {
  const steps = line().steps;
  byId("step").max = steps.length - 1;
  byId("step").value = 0;
  byId("steps").replaceChildren(...steps.slice(1).map((step, place) => element("li", {}, element("button", { type: "button", text: step.move, onclick: () => go(place + 1) }))));
  go(0);
}

function go(place) {
  const steps = line().steps;
  const at = Math.max(0, Math.min(steps.length - 1, place));
  const step = steps[at];
  byId("step").value = at;
  const before = at ? steps[at - 1] : null;
  const asked = new URLSearchParams(before ? { game: chosen, position: before.position, after: step.move } : { game: chosen, position: step.position });
  byId("board").src = `/api/board.svg?${asked}`;
  byId("board").alt = `${chosen}: ${step.position}`;
  const whose = step.result ? `over: ${step.result}` : `${step.turn} to move: ${step.value}`;
  byId("said").textContent = `${at ? `move ${at}, ${step.move}; ` : ""}${whose}`;
  byId("step").setAttribute("aria-valuetext", byId("said").textContent);
  byId("back").disabled = byId("to-start").disabled = at === 0;
  byId("on").disabled = byId("to-end").disabled = at === steps.length - 1;
  byId("analyse").href = `/analyse?game=${encodeURIComponent(chosen)}&position=${encodeURIComponent(step.position)}`;
  [...byId("steps").querySelectorAll("button")].forEach((button, number) => {
    if (number === at - 1) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
}

const at = () => Number(byId("step").value);
byId("line").addEventListener("change", showLine);
byId("step").addEventListener("input", () => go(at()));
byId("back").addEventListener("click", () => go(at() - 1));
byId("on").addEventListener("click", () => go(at() + 1));
byId("to-start").addEventListener("click", () => go(0));
byId("to-end").addEventListener("click", () => go(line().steps.length - 1));
byId("game").addEventListener("change", showForecast);
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  showError("problem", null);
  byId("solve").disabled = true;
  try {
    await ask("/api/jobs", { method: "POST", body: { kind: "solve", game: byId("game").value } });
  } catch (error) {
    showError("problem", error);
  }
  byId("solve").disabled = false;
});

function showJobs() {
  const solving = jobs.filter((job) => job.kind === "solve").slice(0, 5);
  byId("jobs").replaceChildren(...solving.map((job) => {
    const going = job.state === "running" || job.state === "queued";
    const again = job.state === "stopped" || job.state === "failed";
    const path = `/api/jobs/${job.job}/${going ? "stop" : "resume"}`;
    const progress = job.progress.total ? `${job.progress.done.toLocaleString("en")} of ${job.progress.total.toLocaleString("en")} · ${job.progress.text}` : job.progress.text ?? "";
    return element("li", {},
      element("div", { class: "row spread" }, element("span", { class: "name", text: `solve ${job.games[0]}` }), element("span", { class: `badge state ${job.state} ${{ done: "good", failed: "bad", stopped: "warn" }[job.state] ?? ""}`, text: job.state })),
      going ? element("progress", { max: 1, value: job.progress.total ? job.progress.done / job.progress.total : null, "aria-label": `solving ${job.games[0]}` }) : null,
      element("div", { class: "soft small number wrap", text: job.error || (going ? progress : `${job.seconds.toFixed(1)} s`) }),
      going || again ? element("div", { class: "row" }, element("button", { type: "button", text: going ? "Stop" : "Resume", onclick: () => ask(path, { method: "POST" }).catch((error) => showError("problem", error)) })) : null);
  }));
}

await load();
const wanted = new URLSearchParams(location.search).get("game");
byId("choose").hidden = Boolean(wanted) || !tables.solved.length;
if (wanted) show(wanted);
addEventListener("popstate", () => {
  const game = new URLSearchParams(location.search).get("game");
  if (game) show(game);
});
new Live("experiments/all", {
  snapshot: (state) => {
    jobs = state.jobs;
    showJobs();
  },
  change: (change) => {
    if (!change.job) return;
    const before = jobs.find((job) => job.job === change.job.job);
    jobs = [change.job, ...jobs.filter((job) => job.job !== change.job.job)].sort((one, other) => other.created - one.created);
    showJobs();
    if (change.job.kind === "solve" && change.job.state === "done" && before?.state !== "done") {
      announce(`${change.job.games[0]} is solved`);
      load().then(() => show(change.job.games[0]));
    }
  },
});
