// A payoff table, sliders, and what follows from them; the page asks again while a slider moves, one question at a time.

import { announce, ask, byId, element, Problem, showError } from "./page.js";
import { drawLegend, drawPanel } from "./field.js";
import { tableElement } from "./shapes.js";

const MOST = 5;
const SLIDERS = {
  tau: { low: 0.05, high: 10, log: true, digits: 2 },
  kappa: { low: 1, high: 20, whole: true },
  alpha: { low: 0.001, high: 0.5, log: true, digits: 3 },
  epsilon: { low: 0, high: 1, digits: 2 },
};
const FOLLOWING = { boltzmann: "faq", replicator: "cross", "best-response": "none" };
let named = [];
let table = { rows: [], columns: [], payoffs: [] }; // payoffs[i][j] = [row, column], texts
let spec = ""; // of the game with a name that the table is; empty if it was changed

/** @param {string} name */
function value(name) {
  const { low, high, log, whole, digits } = SLIDERS[name];
  const share = byId(name).valueAsNumber / 1000;
  const found = log ? low * (high / low) ** share : low + (high - low) * share;
  return whole ? Math.round(found) : +found.toFixed(digits);
}

function set(name, wanted) {
  const { low, high, log } = SLIDERS[name];
  const share = log ? Math.log(wanted / low) / Math.log(high / low) : (wanted - low) / (high - low);
  byId(name).value = Math.round(1000 * Math.min(1, Math.max(0, share)));
}

function learners() {
  const chosen = byId("learners").value;
  return chosen === "auto" ? FOLLOWING[byId("dynamics").value] : chosen;
}

/** The question for the server. */
function query() {
  const asked = new URLSearchParams();
  asked.set("game", spec || table.payoffs.map((row) => row.map((pair) => pair.map((text) => text.trim()).join(",")).join(" ")).join("; "));
  if (!spec && table.rows.some((label, place) => label !== String(place + 1))) asked.set("rows", table.rows.join(","));
  if (!spec && table.columns.some((label, place) => label !== String(place + 1))) asked.set("columns", table.columns.join(","));
  asked.set("dynamics", byId("dynamics").value);
  if (!byId("tau").disabled) asked.set("tau", String(value("tau")));
  if (!byId("kappa").disabled) asked.set("kappa", String(value("kappa")));
  if (byId("one").checked && !byId("one").disabled) asked.set("populations", "1");
  asked.set("learners", learners());
  if (learners() !== "none") asked.set("alpha", String(value("alpha")));
  if (learners() === "greedy") asked.set("epsilon", String(value("epsilon")));
  return asked;
}

function isSymmetric() {
  const size = table.rows.length;
  return size === table.columns.length && table.payoffs.every((row, i) => row.every((pair, j) => pair[1].trim() === table.payoffs[j][i][0].trim()));
}

function showSliders() {
  byId("tau").disabled = byId("dynamics").value !== "boltzmann" && !["faq", "boltzmann"].includes(learners());
  byId("kappa").disabled = byId("dynamics").value === "best-response";
  byId("alpha").disabled = learners() === "none";
  byId("epsilon").disabled = learners() !== "greedy";
  byId("one").disabled = !isSymmetric();
  byId("one-field").title = isSymmetric() ? "" : "only for games in which both players are paid alike";
  for (const name of Object.keys(SLIDERS)) {
    byId(`${name}-value`).textContent = byId(name).disabled ? "–" : String(value(name));
    byId(name).setAttribute("aria-valuetext", byId(name).disabled ? "has no part in this" : String(value(name)));
  }
}

// ---- asking ----

let asking = false;
let again = false;

/** Ask once more as soon as the last question is answered. */
async function update() {
  showSliders();
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  const late = setTimeout(() => (byId("busy").hidden = false), 300);
  do {
    again = false;
    const asked = query();
    try {
      const found = await ask(`/api/dynamics?${asked}`);
      if (!again) show(found, asked);
      showError("problem", wrong());
    } catch (error) {
      showError("problem", wrong() ?? error);
      if (error instanceof Problem && error.status === 503) await new Promise((resolve) => setTimeout(resolve, 400));
    }
  } while (again);
  clearTimeout(late);
  byId("busy").hidden = true;
  asking = false;
}

let panels = [];

function show(found, asked) {
  history.replaceState(null, "", `?${asked}`);
  byId("field-title").textContent = `The field: ${found.headline}`;
  const place = byId("panels");
  while (panels.length > found.panels.length) panels.pop().remove();
  found.panels.forEach((panel, number) => {
    panels[number] ??= place.appendChild(element("div"));
    drawPanel(panels[number], panel);
  });
  for (const card of document.querySelectorAll("[data-answer]")) card.hidden = false;
  byId("no-picture").hidden = found.panels.length > 0;
  drawLegend(byId("legend"), found.panels);
  byId("legend").hidden = !found.panels.length;
  tableElement(found.tables.equilibria, byId("equilibria"));
  tableElement(found.tables.rest_points, byId("rest-points"));
  byId("ends-card").hidden = !found.tables.learners;
  if (found.tables.learners) tableElement(found.tables.learners, byId("ends"));
  byId("dominance").textContent = found.dominance;
  for (const form of ["svg", "png"]) {
    byId(form).hidden = !found.panels.length;
    byId(form).href = `/api/dynamics/figure?${asked}&format=${form}`;
  }
  byId("json").href = `/api/dynamics?${asked}`;
  announce(`${found.headline}: ${found.equilibria.length} equilibria, ${found.rest_points.length} rest points`);
}

// ---- the table ----

function showTable() {
  const body = byId("payoffs").tBodies[0];
  const nameInput = (side, place) => element("input", { class: "name", maxlength: 12, value: table[side][place], "aria-label": `${side === "rows" ? "Row" : "Column"} action ${place + 1}`, oninput: (event) => changed(() => (table[side][place] = event.target.value.replaceAll(",", " ").trim() || String(place + 1))) });
  const pay = (i, j, who) => element("input", { class: who ? "column-pay" : "row-pay", inputmode: "text", maxlength: 12, value: table.payoffs[i][j][who], pattern: "[\\-−+]?\\d+(\\.\\d+)?(\\/\\d+)?", required: true, "aria-label": `${table.rows[i]} against ${table.columns[j]}: payoff of the ${who ? "column" : "row"} player`, oninput: (event) => changed(() => (table.payoffs[i][j][who] = event.target.value.replace("−", "-"))) });
  body.replaceChildren(
    element("tr", {}, element("td"), ...table.columns.map((_, j) => element("td", {}, nameInput("columns", j)))),
    ...table.rows.map((_, i) => element("tr", {}, element("td", {}, nameInput("rows", i)), ...table.columns.map((__, j) => element("td", {}, element("div", { class: "pair" }, pay(i, j, 0), pay(i, j, 1)))))),
  );
  byId("more-rows").disabled = table.rows.length >= MOST;
  byId("more-columns").disabled = table.columns.length >= MOST;
  byId("fewer-rows").disabled = table.rows.length <= 2;
  byId("fewer-columns").disabled = table.columns.length <= 2;
}

/** What is wrong with the table as it is typed in; an answer to an earlier question must not wipe it away. */
function wrong() {
  return byId("payoffs").querySelector("input:invalid") ? "A payoff is a number such as 3, -0.5 or 1/3." : null;
}

function changed(change) {
  change();
  spec = "";
  byId("named").value = "";
  if (wrong()) showError("problem", wrong());
  else update();
}

function resize(rows, columns) {
  changed(() => {
    const old = table;
    const labels = (before, count) => Array.from({ length: count }, (_, place) => before[place] ?? String(place + 1));
    table = { rows: labels(old.rows, rows), columns: labels(old.columns, columns), payoffs: Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => old.payoffs[i]?.[j] ?? ["0", "0"])) };
    showTable();
  });
}

function take(game) {
  spec = game.game;
  table = { rows: [...game.rows], columns: [...game.columns], payoffs: game.payoffs.map((row) => row.map((pair) => [...pair])) };
  byId("named").value = game.game;
  byId("one").checked = byId("one").checked && game.symmetric;
  showTable();
}

/** The table that a link names: a game with a name, or payoffs. */
function takeText(text, rows, columns) {
  const game = named.find((one) => one.game === text || one.game === `matrix:${text}`);
  if (game) return take(game);
  const cells = text.replace(/^matrix:/, "").split(";").map((row) => row.trim().split(/\s+/).map((cell) => cell.split(",")));
  const width = cells[0]?.length ?? 0;
  if (cells.length > MOST || width > MOST || width < 1 || cells.some((row) => row.length !== width)) return take(named[0]);
  const labels = (given, count) => (given ? given.split(",") : Array.from({ length: count }, (_, place) => String(place + 1)));
  table = { rows: labels(rows, cells.length), columns: labels(columns, width), payoffs: cells.map((row) => row.map(([a, b]) => [a, b ?? (a.startsWith("-") ? a.slice(1) : `-${a}`)])) };
  spec = "";
  byId("named").value = "";
  showTable();
}

byId("more-rows").addEventListener("click", () => resize(table.rows.length + 1, table.columns.length));
byId("fewer-rows").addEventListener("click", () => resize(table.rows.length - 1, table.columns.length));
byId("more-columns").addEventListener("click", () => resize(table.rows.length, table.columns.length + 1));
byId("fewer-columns").addEventListener("click", () => resize(table.rows.length, table.columns.length - 1));
byId("named").addEventListener("change", (event) => {
  const game = named.find((one) => one.game === event.target.value);
  if (game) take(game);
  update();
});
for (const id of ["dynamics", "learners", "one"]) byId(id).addEventListener("change", update);
for (const id of Object.keys(SLIDERS)) byId(id).addEventListener("input", update);

set("tau", 0.5);
set("kappa", 1);
set("alpha", 0.02);
set("epsilon", 0.1);
named = await ask("/api/dynamics/games");
byId("named").append(element("option", { value: "", text: "your own table" }), ...named.map((game) => element("option", { value: game.game, text: game.title || game.game })));
const wanted = new URLSearchParams(location.search);
takeText(wanted.get("game") ?? "matrix:sexes", wanted.get("rows"), wanted.get("columns"));
for (const id of ["dynamics", "learners"]) if (wanted.has(id) && [...byId(id).options].some((option) => option.value === wanted.get(id))) byId(id).value = wanted.get(id);
if (wanted.has("learners") && FOLLOWING[byId("dynamics").value] === wanted.get("learners")) byId("learners").value = "auto";
for (const id of Object.keys(SLIDERS)) if (Number.isFinite(Number(wanted.get(id) ?? "x"))) set(id, Number(wanted.get(id)));
byId("one").checked = wanted.get("populations") === "1";
await update();
