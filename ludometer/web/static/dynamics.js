// The page Dynamics: a payoff table, sliders, and what follows from them.  It asks again while a slider
// moves, one question at a time.

import { ask, Problem } from "./ask.js";
import { buttonById, byId, element, inputById, linkById, selectById, tableElement } from "./elements.js";
import { drawLegend, drawPanel } from "./field.js";
import { announce, showError } from "./page.js";

const MOST_ACTIONS = 5; // of a player
const SLIDER_STEPS = 1000;
const BUSY_AFTER = 300; // milliseconds
const RETRY_AFTER = 400;
const PAYOFF = "[\\-−+]?\\d+(\\.\\d+)?(\\/\\d+)?";

/** @typedef {{low: number, high: number, isLog?: boolean, digits: number, initial: number}} Slider */
/** @type {Record<string, Slider>} */
const SLIDERS = {
  tau: { low: 0.05, high: 10, isLog: true, digits: 2, initial: 0.5 },
  kappa: { low: 1, high: 20, digits: 0, initial: 1 },
  alpha: { low: 0.001, high: 0.5, isLog: true, digits: 3, initial: 0.02 },
  epsilon: { low: 0, high: 1, digits: 2, initial: 0.1 },
};
/** @type {Record<string, string>} the learners that follow each dynamics */
const FOLLOWING = { boltzmann: "faq", replicator: "cross", "best-response": "none" };

/** @typedef {[row: string, column: string]} Pair the payoffs of both players, as texts */
/** @typedef {{rows: string[], columns: string[], payoffs: Pair[][]}} PayoffTable */

/** @type {Api.NamedMatrixGame[]} */
let named = [];
/** @type {PayoffTable} */
let table = { rows: [], columns: [], payoffs: [] };
let spec = ""; // of the named game that the table is; "" if it was changed
const dynamicsSelect = selectById("dynamics");
const learnersSelect = selectById("learners");
const namedSelect = selectById("named");
const oneInput = inputById("one");
const payoffTable = byId("payoffs", HTMLTableElement);

// Sliders

/** The value that a slider is set to. @param {string} name */
function sliderValue(name) {
  const { low, high, isLog, digits } = SLIDERS[name];
  const share = inputById(name).valueAsNumber / SLIDER_STEPS;
  const value = isLog ? low * (high / low) ** share : low + (high - low) * share;
  return +value.toFixed(digits);
}

/** Set a slider. @param {string} name @param {number} value */
function setSlider(name, value) {
  const { low, high, isLog } = SLIDERS[name];
  const share = isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  inputById(name).value = String(Math.round(SLIDER_STEPS * Math.min(1, Math.max(0, share))));
}

/** The learners that are chosen, or follow the dynamics. */
function chosenLearners() {
  return learnersSelect.value === "auto" ? FOLLOWING[dynamicsSelect.value] : learnersSelect.value;
}

/** True if both players are paid alike. */
function isSymmetric() {
  const { rows, columns, payoffs } = table;
  if (rows.length !== columns.length) return false;
  return payoffs.every((row, i) => row.every(([, column], j) => column.trim() === payoffs[j][i][0].trim()));
}

/** Show the values of the sliders; those that have no part in what is shown are disabled. */
function showSliders() {
  const learners = chosenLearners();
  inputById("tau").disabled =
    dynamicsSelect.value !== "boltzmann" && !["faq", "boltzmann"].includes(learners);
  inputById("kappa").disabled = dynamicsSelect.value === "best-response";
  inputById("alpha").disabled = learners === "none";
  inputById("epsilon").disabled = learners !== "greedy";
  oneInput.disabled = !isSymmetric();
  byId("one-field").title = oneInput.disabled ? "only for games in which both players are paid alike" : "";
  for (const name of Object.keys(SLIDERS)) {
    const isOff = inputById(name).disabled;
    const text = String(sliderValue(name));
    byId(`${name}-value`).textContent = isOff ? "–" : text;
    inputById(name).setAttribute("aria-valuetext", isOff ? "has no part in this" : text);
  }
}

// Asking

/** The question for the server. */
function question() {
  const asked = new URLSearchParams();
  const row = (/** @type {Pair[]} */ pairs) => pairs.map((pair) => pair.map((text) => text.trim()).join(","));
  asked.set("game", spec || table.payoffs.map((pairs) => row(pairs).join(" ")).join("; "));
  for (const side of /** @type {const} */ (["rows", "columns"])) {
    const areNumbers = table[side].every((label, place) => label === String(place + 1));
    if (!spec && !areNumbers) asked.set(side, table[side].join(","));
  }
  const learners = chosenLearners();
  asked.set("dynamics", dynamicsSelect.value);
  for (const name of ["tau", "kappa"]) {
    if (!inputById(name).disabled) asked.set(name, String(sliderValue(name)));
  }
  if (oneInput.checked && !oneInput.disabled) asked.set("populations", "1");
  asked.set("learners", learners);
  if (learners !== "none") asked.set("alpha", String(sliderValue("alpha")));
  if (learners === "greedy") asked.set("epsilon", String(sliderValue("epsilon")));
  return asked;
}

let isAsking = false;
let asksAgain = false;

/** Ask what follows from the table and the sliders, as soon as the last question is answered. */
async function update() {
  showSliders();
  if (isAsking) {
    asksAgain = true;
    return;
  }
  isAsking = true;
  const busy = byId("busy");
  const late = setTimeout(() => {
    busy.hidden = false;
  }, BUSY_AFTER);
  do {
    asksAgain = false;
    await askOnce(question());
  } while (asksAgain);
  clearTimeout(late);
  busy.hidden = true;
  isAsking = false;
}

/** @param {URLSearchParams} asked */
async function askOnce(asked) {
  try {
    /** @type {Api.Dynamics} */
    const found = await ask(`/api/dynamics?${asked}`);
    if (!asksAgain) show(found, asked);
    showError("problem", tableProblem());
  } catch (error) {
    showError("problem", tableProblem() ?? error);
    if (error instanceof Problem && error.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
    }
  }
}

/** @type {HTMLElement[]} */
const panels = [];

/** @param {Api.Dynamics} found @param {URLSearchParams} asked */
function show(found, asked) {
  history.replaceState(null, "", `?${asked}`);
  byId("field-title").textContent = `The field: ${found.headline}`;
  for (const panel of panels.splice(found.panels.length)) panel.remove();
  found.panels.forEach((panel, number) => {
    panels[number] ??= byId("panels").appendChild(element("div"));
    drawPanel(panels[number], panel);
  });
  const hasPicture = found.panels.length > 0;
  for (const card of document.querySelectorAll("[data-answer]")) card.toggleAttribute("hidden", false);
  byId("no-picture").hidden = hasPicture;
  drawLegend(byId("legend"), found.panels);
  byId("legend").hidden = !hasPicture;
  const { equilibria, rest_points: restPoints, learners } = found.tables;
  tableElement(equilibria, byId("equilibria", HTMLTableElement));
  tableElement(restPoints, byId("rest-points", HTMLTableElement));
  byId("ends-card").hidden = !learners;
  if (learners) tableElement(learners, byId("ends", HTMLTableElement));
  byId("dominance").textContent = found.dominance;
  for (const format of ["svg", "png"]) {
    linkById(format).hidden = !hasPicture;
    linkById(format).href = `/api/dynamics/figure?${asked}&format=${format}`;
  }
  linkById("json").href = `/api/dynamics?${asked}`;
  const counted = `${found.equilibria.length} equilibria, ${found.rest_points.length} rest points`;
  announce(`${found.headline}: ${counted}`);
}

// The payoff table

/** The names of actions that have none: 1, 2, … @param {number} count */
const numbers = (count) => Array.from({ length: count }, (_, place) => String(place + 1));

function showTable() {
  const { rows, columns } = table;
  const head = element("tr", {}, element("td"), ...columns.map((_, place) => nameCell("columns", place)));
  const body = rows.map((_, i) => {
    const cells = columns.map((__, j) => {
      const pair = element("div", { class: "pair" }, payoffInput(i, j, 0), payoffInput(i, j, 1));
      return element("td", {}, pair);
    });
    return element("tr", {}, nameCell("rows", i), ...cells);
  });
  payoffTable.tBodies[0].replaceChildren(head, ...body);
  buttonById("more-rows").disabled = rows.length >= MOST_ACTIONS;
  buttonById("more-columns").disabled = columns.length >= MOST_ACTIONS;
  buttonById("fewer-rows").disabled = rows.length <= 2;
  buttonById("fewer-columns").disabled = columns.length <= 2;
}

/** The cell with the name of an action. @param {"rows"|"columns"} side @param {number} place */
function nameCell(side, place) {
  const label = `${side === "rows" ? "Row" : "Column"} action ${place + 1}`;
  const input = element("input", {
    ...{ class: "name", maxlength: 12, value: table[side][place], "aria-label": label },
    oninput: () => {
      table[side][place] = input.value.replaceAll(",", " ").trim() || String(place + 1);
      changed();
    },
  });
  return element("td", {}, input);
}

/** @param {number} i row @param {number} j column @param {0|1} player 0 is the row player */
function payoffInput(i, j, player) {
  const side = player ? "column" : "row";
  const label = `${table.rows[i]} against ${table.columns[j]}: payoff of the ${side} player`;
  const input = element("input", {
    ...{ class: `${side}-pay`, inputmode: "text", maxlength: 12, value: table.payoffs[i][j][player] },
    ...{ pattern: PAYOFF, required: true, "aria-label": label },
    oninput: () => {
      table.payoffs[i][j][player] = input.value.replace("−", "-");
      changed();
    },
  });
  return input;
}

/**
 * What is wrong with the table as it is typed in, null if nothing is; the answer to an earlier question
 * does not wipe it away.
 */
function tableProblem() {
  const isWrong = payoffTable.querySelector("input:invalid") !== null;
  return isWrong ? "A payoff is a number such as 3, -0.5 or 1/3." : null;
}

/** The table is no longer that of a named game. */
function changed() {
  spec = "";
  namedSelect.value = "";
  const problem = tableProblem();
  if (problem) showError("problem", problem);
  else update();
}

/** Add or remove actions. @param {number} rowCount @param {number} columnCount */
function resize(rowCount, columnCount) {
  const old = table;
  const rows = numbers(rowCount).map((number, place) => old.rows[place] ?? number);
  const columns = numbers(columnCount).map((number, place) => old.columns[place] ?? number);
  const payoffs = rows.map((_, i) => columns.map((__, j) => old.payoffs[i]?.[j] ?? noPayoffs()));
  table = { rows, columns, payoffs };
  showTable();
  changed();
}

/** @returns {Pair} */
const noPayoffs = () => ["0", "0"];

/** Show a named game. @param {Api.NamedMatrixGame} game */
function take(game) {
  spec = game.game;
  const payoffs = game.payoffs.map((row) => row.map(([own, other]) => /** @type {Pair} */ ([own, other])));
  table = { rows: [...game.rows], columns: [...game.columns], payoffs };
  namedSelect.value = game.game;
  oneInput.checked = oneInput.checked && game.symmetric;
  showTable();
}

/**
 * Show the game of an address: a named one, or payoffs.
 *
 * @param {string} text
 * @param {string|null} rows
 * @param {string|null} columns
 */
function takeText(text, rows, columns) {
  const game = named.find((each) => each.game === text || each.game === `matrix:${text}`);
  const lines = text.replace(/^matrix:/, "").split(";");
  const cells = lines.map((line) => line.trim().split(/\s+/).map(pairOf));
  const width = cells[0].length;
  const isTable = cells.length <= MOST_ACTIONS && width <= MOST_ACTIONS;
  if (game || !isTable || cells.some((row) => row.length !== width)) {
    take(game ?? named[0]);
    return;
  }
  const labels = (/** @type {string|null} */ given, /** @type {number} */ count) =>
    given ? given.split(",") : numbers(count);
  table = { rows: labels(rows, cells.length), columns: labels(columns, width), payoffs: cells };
  spec = "";
  namedSelect.value = "";
  showTable();
}

/**
 * The payoffs of a cell such as "3,2"; one alone is that of a zero-sum game.
 *
 * @param {string} cell
 * @returns {Pair}
 */
function pairOf(cell) {
  const [own, other] = cell.split(",");
  return [own, other ?? (own.startsWith("-") ? own.slice(1) : `-${own}`)];
}

byId("more-rows").addEventListener("click", () => resize(table.rows.length + 1, table.columns.length));
byId("fewer-rows").addEventListener("click", () => resize(table.rows.length - 1, table.columns.length));
byId("more-columns").addEventListener("click", () => resize(table.rows.length, table.columns.length + 1));
byId("fewer-columns").addEventListener("click", () => resize(table.rows.length, table.columns.length - 1));
namedSelect.addEventListener("change", () => {
  const game = named.find((each) => each.game === namedSelect.value);
  if (game) take(game);
  update();
});
for (const control of [dynamicsSelect, learnersSelect, oneInput]) control.addEventListener("change", update);
for (const name of Object.keys(SLIDERS)) byId(name).addEventListener("input", update);

/** Set the forms from the address of the page. */
function fillForms() {
  const wanted = new URLSearchParams(location.search);
  takeText(wanted.get("game") ?? "matrix:sexes", wanted.get("rows"), wanted.get("columns"));
  for (const control of [dynamicsSelect, learnersSelect]) {
    const value = wanted.get(control.id);
    if (value && [...control.options].some((option) => option.value === value)) control.value = value;
  }
  const learners = wanted.get("learners");
  if (learners && FOLLOWING[dynamicsSelect.value] === learners) learnersSelect.value = "auto";
  for (const [name, { initial }] of Object.entries(SLIDERS)) {
    const value = Number.parseFloat(wanted.get(name) ?? "");
    setSlider(name, Number.isFinite(value) ? value : initial);
  }
  oneInput.checked = wanted.get("populations") === "1";
}

named = await ask("/api/dynamics/games");
const options = named.map(({ game, title }) => element("option", { value: game, text: title || game }));
namedSelect.append(element("option", { value: "", text: "your own table" }), ...options);
fillForms();
await update();
