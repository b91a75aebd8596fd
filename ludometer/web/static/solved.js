// The page of solved games: what is solved, what can be, and perfect play to step through.

import { ask, post } from "./ask.js";
import { buttonById, byId, element, inputById, linkById, selectById } from "./elements.js";
import { grouped, isGoingOn, stateBadge, withChangedJob } from "./jobs.js";
import { Live } from "./live.js";
import { announce, showError } from "./page.js";
import { PlotList } from "./plot.js";

const MOST_JOBS = 5; // listed
/** @type {[number, string][]} */
const SIZES = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

/** @type {{solved: Api.SolvedGame[], solvable: Api.SolvableGame[]}} */
let games = { solved: [], solvable: [] };
/** @type {Api.Job[]} */
let jobs = [];
/** @type {Api.SolvedLines["lines"]} */
let lines = [];
let chosen = ""; // game
const plots = new PlotList(byId("charts"));
const stepInput = inputById("step");
const gameSelect = selectById("game");
const lineSelect = selectById("line");

/** @param {number} bytes */
function sizeText(bytes) {
  const [unit, name] = SIZES.find(([least]) => bytes >= least) ?? [0, ""];
  return unit ? `${(bytes / unit).toFixed(1)} ${name}` : `${bytes} bytes`;
}

/** @param {number|null|undefined} number */
const countText = (number) => (number === null || number === undefined ? "–" : grouped(number));

/** The address of the page with this game chosen. @param {string} game */
const address = (game) => `/tables?game=${encodeURIComponent(game)}`;

async function load() {
  games = await ask("/api/tables");
  byId("loading").hidden = true;
  byId("none").hidden = games.solved.length > 0;
  byId("solved").replaceChildren(...games.solved.map(solvedItem));
  const open = games.solvable.filter((game) => !game.solved);
  const before = gameSelect.value;
  gameSelect.replaceChildren(...open.map(solvableOption));
  if (open.some((game) => game.game === before)) gameSelect.value = before;
  buttonById("solve").disabled = !open.some((game) => game.from_here);
  showForecast();
}

/** @param {Api.SolvedGame} solved */
function solvedItem({ game, bytes, error, states, kept }) {
  const link = {
    ...{ class: "name", href: address(game), text: game },
    "aria-current": game === chosen ? "true" : null,
    onclick: (/** @type {MouseEvent} */ event) => choose(event, game),
  };
  const name = error ? element("span", { class: "name", text: game }) : element("a", link);
  const counted = states ? `${grouped(states)} positions` : "value of the start";
  return element(
    "li",
    {},
    element("div", { class: "row spread" }, name, element("span", { class: "badge", text: sizeText(bytes) })),
    element("div", { class: "soft small number", text: error || `${counted} · ${kept}` }),
  );
}

/** @param {Api.SolvableGame} solvable */
function solvableOption({ game, title, from_here: isSmall }) {
  const text = `${game} (${title})${isSmall ? "" : ", too large for a page"}`;
  return element("option", { value: game, text, disabled: !isSmall });
}

function showForecast() {
  const found = games.solvable.find((game) => game.game === gameSelect.value);
  byId("forecast").textContent = found?.forecast ?? "All listed games within reach of a page are solved.";
}

/** @param {MouseEvent} event @param {string} game */
function choose(event, game) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", address(game));
  show(game);
}

/** Show a solved game. @param {string} game */
async function show(game) {
  chosen = game;
  for (const link of byId("solved").querySelectorAll("a")) {
    if (link.textContent === game) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  showError("problem", null);
  byId("choose").hidden = true;
  const name = encodeURIComponent(game);
  try {
    showAnalysis(await ask(`/api/tables/analysis?game=${name}`));
    showLines(await ask(`/api/tables/lines?game=${name}`));
  } catch (error) {
    byId("about").hidden = true;
    byId("lines").hidden = true;
    byId("choose").hidden = false;
    showError("choose", error);
  }
}

/** @param {Api.SolvedAnalysis} found */
function showAnalysis(found) {
  const { states } = found;
  const share = (/** @type {number} */ part) =>
    states ? `${grouped(part)} (${((100 * part) / states).toFixed(1)} %)` : "–";
  const facts = {
    "start, for who begins": found.start_text,
    positions: countText(states),
    won: share(found.win),
    lost: share(found.loss),
    drawn: share(found.draw),
    kept: found.kept,
  };
  byId("about").hidden = false;
  byId("about-title").textContent = `${found.game}: ${found.start_text}`;
  const items = Object.entries(facts).map(([name, text]) =>
    element("div", {}, element("dt", { text: name }), element("dd", { text })),
  );
  byId("facts").replaceChildren(...items);
  plots.show(found.charts);
  const game = encodeURIComponent(found.game);
  for (const what of ["classes", "distances"]) {
    const link = linkById(`${what}-svg`);
    link.hidden = !found.charts.length;
    link.href = `/api/tables/figure?game=${game}&what=${what}&format=svg`;
  }
  linkById("analysis-json").href = `/api/tables/analysis?game=${game}`;
}

// Lines of perfect play

/** @param {Api.SolvedLines} found */
function showLines(found) {
  lines = found.lines;
  byId("lines").hidden = !lines.length;
  byId("note").textContent = found.note;
  const options = lines.map(({ title, steps }, place) =>
    element("option", { value: place, text: `${title} (${steps.length - 1} moves)` }),
  );
  lineSelect.replaceChildren(...options);
  lineSelect.value = found.longest !== null && lines.length > 1 ? "1" : "0";
  showLine();
}

/** The steps of the chosen line. */
const steps = () => (lines[Number(lineSelect.value)] ?? lines[0]).steps;

function showLine() {
  const moves = steps().slice(1);
  stepInput.max = String(moves.length);
  const items = moves.map((step, place) => {
    const button = { type: "button", text: step.move, onclick: () => go(place + 1) };
    return element("li", {}, element("button", button));
  });
  byId("steps").replaceChildren(...items);
  go(0);
}

/** Show a step of the chosen line. @param {number} wanted */
function go(wanted) {
  const last = steps().length - 1;
  const place = Math.max(0, Math.min(last, wanted));
  const step = steps()[place];
  stepInput.value = String(place);
  /** @type {Record<string, string>} */
  const where = place
    ? { game: chosen, position: steps()[place - 1].position, after: step.move }
    : { game: chosen, position: step.position };
  const picture = byId("board", HTMLImageElement);
  picture.src = `/api/board.svg?${new URLSearchParams(where)}`;
  picture.alt = `${chosen}: ${step.position}`;
  const value = step.result ? `over: ${step.result}` : `${step.turn} to move: ${step.value}`;
  const said = place ? `move ${place}, ${step.move}; ${value}` : value;
  byId("said").textContent = said;
  stepInput.setAttribute("aria-valuetext", said);
  for (const id of ["back", "to-start"]) buttonById(id).disabled = place === 0;
  for (const id of ["on", "to-end"]) buttonById(id).disabled = place === last;
  linkById("analyse").href = `/analyse?${new URLSearchParams({ game: chosen, position: step.position })}`;
  [...byId("steps").querySelectorAll("button")].forEach((button, number) => {
    if (number === place - 1) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
}

lineSelect.addEventListener("change", showLine);
stepInput.addEventListener("input", () => go(Number(stepInput.value)));
byId("back").addEventListener("click", () => go(Number(stepInput.value) - 1));
byId("on").addEventListener("click", () => go(Number(stepInput.value) + 1));
byId("to-start").addEventListener("click", () => go(0));
byId("to-end").addEventListener("click", () => go(steps().length - 1));

// Solving

gameSelect.addEventListener("change", showForecast);
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  showError("problem", null);
  buttonById("solve").disabled = true;
  try {
    await post("/api/jobs", { kind: "solve", game: gameSelect.value });
  } catch (error) {
    showError("problem", error);
  }
  buttonById("solve").disabled = false;
});

function showJobs() {
  const solving = jobs.filter((job) => job.kind === "solve").slice(0, MOST_JOBS);
  byId("jobs").replaceChildren(...solving.map(jobItem));
}

/** @param {Api.Job} job */
function jobItem({ job, games: [game], state, progress, error, seconds }) {
  const goesOn = isGoingOn(state);
  const { done = 0, total = 0, text = "" } = progress;
  const soFar = total ? `${grouped(done)} of ${grouped(total)} · ${text}` : text;
  const share = total ? done / total : null;
  const bar = element("progress", { max: 1, value: share, "aria-label": `solving ${game}` });
  const act = () =>
    post(`/api/jobs/${job}/${goesOn ? "stop" : "resume"}`).catch((problem) => showError("problem", problem));
  const button = element("button", { type: "button", text: goesOn ? "Stop" : "Resume", onclick: act });
  const name = element("span", { class: "name", text: `solve ${game}` });
  const said = error || (goesOn ? soFar : `${seconds.toFixed(1)} s`);
  return element(
    "li",
    {},
    element("div", { class: "row spread" }, name, stateBadge(state)),
    goesOn ? bar : null,
    element("div", { class: "soft small number wrap", text: said }),
    state === "done" ? null : element("div", { class: "row" }, button),
  );
}

await load();
const wanted = new URLSearchParams(location.search).get("game");
byId("choose").hidden = Boolean(wanted) || !games.solved.length;
if (wanted) show(wanted);
addEventListener("popstate", () => {
  const game = new URLSearchParams(location.search).get("game");
  if (game) show(game);
});
new Live("experiments/all", {
  snapshot: (/** @type {{jobs: Api.Job[]}} */ state) => {
    jobs = state.jobs;
    showJobs();
  },
  change: (/** @type {{job?: Api.Job}} */ { job }) => {
    if (!job) return;
    const before = jobs.find((each) => each.job === job.job);
    jobs = withChangedJob(jobs, job);
    showJobs();
    if (job.kind === "solve" && job.state === "done" && before?.state !== "done") {
      announce(`${job.games[0]} is solved`);
      load().then(() => show(job.games[0]));
    }
  },
});
