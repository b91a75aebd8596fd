// The page Analyse: a position, what its moves are worth, and the review of a game.  The position stands in the address.

import { Board, paint, svg } from "./board.js";
import { Live } from "./live.js";
import { announce, ask, byId, element, onArrows, showError } from "./page.js";
import { GameForm, usualGame } from "./players.js";
import { Review } from "./review.js";

const KINDS = { exact: "exact", mcts: "estimate: MCTS", search: "estimate: search", "": "thinking …" };
const query = new URLSearchParams(location.search);
const page = {
  game: query.get("game") ?? "",
  position: query.get("position") ?? "start",
  by: /** @type {{before?: string, move?: string}} */ ({}), // the move that led here, with the position before it
  about: /** @type {any} */ (null),
  parts: /** @type {Record<string, string>|null} */ (null), // while a position is set up
  values: /** @type {any} */ (null),
  live: /** @type {Live|null} */ (null),
  past: /** @type {any[]} */ ([]),
  future: /** @type {any[]} */ ([]),
  asked: 0,
  since: 0,
  checked: 0,
  closed: /** @type {Set<string>|null} */ (null),
};
const board = new Board(byId("board"), { label: "Board", onMove: make, onSay: announce });

const games = new GameForm(
  byId("game"),
  page.game,
  (about) => {
    byId("position-help").textContent = about.position_help;
    if (about.game !== page.game && page.about) {
      page.past = [];
      page.future = [];
      go(about.game, "start");
    }
  },
  (error) => error && showError("error", error), // what is wrong with the position is not to be wiped away
  true,
);

/** Go to another position. @param {string} game @param {string} position @param {{before?: string, move?: string}} [by] the move that led there */
async function go(game, position, by = {}) {
  const number = (page.asked += 1);
  try {
    const where = new URLSearchParams(by.move ? { game, position: by.before ?? "start", after: by.move } : { game, position });
    const about = await ask(`/api/board?${where}`);
    if (number !== page.asked) return false;
    Object.assign(page, { about, game: about.game, position: about.position, by, parts: null });
    showError("error", null);
    show();
    follow();
    return true;
  } catch (error) {
    showError("error", error);
    board.show(page.about?.board ?? { width: 1, height: 1, shapes: [], areas: [], moves: [], mark: null });
    return false;
  }
}

function show() {
  const { about } = page;
  board.onPoint = undefined;
  board.show(about.board);
  byId("setup").setAttribute("aria-pressed", "false");
  byId("setup").disabled = about.setup === null;
  byId("setup-tools").hidden = true;
  byId("legend").hidden = false;
  byId("status").textContent = about.result ? `Over: ${about.result}` : `${about.turn} to move`;
  byId("position").value = about.position;
  showSteps();
  byId("play").href = `/play?${new URLSearchParams({ game: page.game, position: page.position })}`;
  const address = new URLSearchParams({ game: page.game, position: page.position });
  const session = query.get("session");
  if (session) address.set("session", session);
  history.replaceState(null, "", `/analyse?${address}`);
  byId("tree-numbers").textContent = "";
  byId("tree-link").hidden = true;
  loadPredecessors();
}

// Values

function follow() {
  page.live?.close();
  page.since = Date.now();
  page.values = { moves: [], line: [], kind: "", text: "", work: "", done: false, error: "" };
  showValues();
  const key = btoa(unescape(encodeURIComponent(JSON.stringify([page.game, page.position, byId("engine").value]))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  page.live = new Live(`analysis/${key}`, {
    snapshot: (state) => {
      page.values = state;
      showValues();
    },
    change: (change) => {
      Object.assign(page.values, change);
      showValues();
    },
  });
}

setInterval(() => {
  if (page.values && !page.about?.result && !page.values.kind && !page.values.done && Date.now() - page.since > 2500) {
    byId("work").textContent = "The first time takes a while: code is compiled.";
  }
}, 1000);

function showValues() {
  const values = page.values;
  const exact = values.kind === "exact";
  byId("kind").hidden = !values.kind && Boolean(values.error);
  byId("kind").textContent = page.about?.result ? "over" : KINDS[/** @type {keyof typeof KINDS} */ (values.kind)];
  byId("kind").className = `badge ${exact ? "good" : "warn"}`;
  byId("work").textContent = values.kind && !exact ? `${values.work}${values.done ? "" : " …"}` : values.work;
  const about = page.about;
  byId("value").textContent = about?.result ? `The game is over: ${about.result}` : values.text ? `${about.turn}: ${values.text}` : values.error ? "" : "…";
  if (values.error) showError("error", values.error);
  if (page.parts === null) board.setValues(Object.fromEntries(values.moves.map((/** @type {any} */ row) => [row.move, { ...row, exact }])));
  const order = [...values.moves].sort((a, b) => rank(b) - rank(a));
  byId("moves").tBodies[0].replaceChildren(
    ...order.map((row) =>
      element(
        "tr",
        {},
        element("td", {}, element("button", { type: "button", class: "quiet move", text: row.move, onclick: () => make(row.move) })),
        element("td", {}, swatch(row.colour), ` ${row.text}`),
        element("td", { class: "number soft", text: row.visits === undefined ? (values.best?.includes(row.move) ? "best" : "") : row.visits.toLocaleString("en") }),
      ),
    ),
  );
  const steps = values.line.map((/** @type {string} */ move, /** @type {number} */ at) => element("button", { type: "button", class: "quiet move", text: move, onclick: () => makeAll(values.line.slice(0, at + 1)) }));
  byId("line").replaceChildren(...(steps.length ? steps : [values.done || about?.result ? "–" : "…"]));
}

/** Larger is better, for sorting. @param {any} row */
function rank(row) {
  if (typeof row.value === "number") return row.value;
  if (row.margin !== undefined) return row.margin;
  const sign = { win: 1, draw: 0, loss: -1 }[/** @type {"win"|"draw"|"loss"} */ (row.value)] ?? 0;
  return sign * 1000 - sign * (row.distance ?? 500);
}

/** @param {string} colour */
function swatch(colour) {
  const made = svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" });
  made.append(svg("circle", { cx: 5, cy: 5, r: 4.5, fill: colour, stroke: "#3d3229", "stroke-opacity": 0.5 }));
  return made;
}

// Moves

/** Where the page is, to come back to. */
function here() {
  return { game: page.game, position: page.position, by: page.by };
}

/** @param {string} move */
function make(move) {
  return makeAll([move]);
}

/** Make moves one after the other; only the last position is looked into. @param {string[]} moves */
async function makeAll(moves) {
  const way = [here()];
  try {
    for (const move of moves.slice(0, -1)) {
      const before = way[way.length - 1].position;
      const { position } = await ask(`/api/board?${new URLSearchParams({ game: page.game, position: before, after: move })}`);
      way.push({ game: page.game, position, by: { before, move } });
    }
  } catch (error) {
    showError("error", error);
    return;
  }
  const [before, move] = [way[way.length - 1].position, moves[moves.length - 1]];
  if (!(await go(page.game, before, { before, move }))) return;
  page.past.push(...way);
  page.future = [];
  showSteps();
  announce(`${move}. ${byId("status").textContent}`);
}

/** To another position, from which one can come back here. @param {string} game @param {string} position */
async function leap(game, position) {
  const from = here();
  if (!(await go(game, position))) return;
  page.past.push(from);
  page.future = [];
  showSteps();
}

/** One step back or on. @param {number} by */
async function step(by) {
  const [from, to] = by < 0 ? [page.past, page.future] : [page.future, page.past];
  const wanted = page.parts === null ? from.pop() : undefined; // not while a position is set up
  if (!wanted) return;
  to.push(here());
  await go(wanted.game, wanted.position, wanted.by);
}
let turn = Promise.resolve(); // clicks and keys may come faster than positions
/** @param {number} by */
function inTurn(by) {
  turn = turn.then(() => step(by));
}
byId("back").addEventListener("click", () => inTurn(-1));
byId("forward").addEventListener("click", () => inTurn(1));
if (!query.get("session")) onArrows(inTurn);

function showSteps() {
  byId("back").disabled = page.past.length === 0;
  byId("forward").disabled = page.future.length === 0;
}

// Setting up

byId("setup").addEventListener("click", () => (page.parts === null ? beginSetup(page.about.setup.parts) : endSetup()));
byId("setup-done").addEventListener("click", endSetup);
byId("setup-start").addEventListener("click", async () => beginSetup((await ask(`/api/board?game=${encodeURIComponent(page.game)}`)).setup.parts));

/** @param {any[]} parts */
function beginSetup(parts) {
  page.parts = Object.fromEntries(parts.map((part) => [part.name, part.value]));
  byId("setup").setAttribute("aria-pressed", "true");
  byId("setup-tools").hidden = false;
  byId("legend").hidden = true;
  byId("status").textContent = "Setting up";
  const choices = parts.filter((part) => !part.on_board);
  byId("setup-parts").replaceChildren(
    ...choices.map((part) => {
      const control = element("select", { id: `part-${part.name.replaceAll(" ", "-")}` }, ...part.values.map((/** @type {string} */ value) => element("option", { value, text: value })));
      control.value = part.value;
      control.addEventListener("change", () => {
        /** @type {any} */ (page.parts)[part.name] = control.value;
        checkSetup();
      });
      return element("span", { class: "row" }, element("label", { for: control.id, text: part.name }), control);
    }),
  );
  board.onPoint = (name) => {
    const part = page.about.setup.parts.find((/** @type {any} */ each) => each.name === name);
    if (!part || !page.parts) return;
    const at = part.values.indexOf(page.parts[name]);
    page.parts[name] = part.values[(at + 1) % part.values.length];
    drawSetup();
    announce(`${name}: ${page.parts[name] === "." ? "empty" : page.parts[name]}`);
    checkSetup();
  };
  drawSetup();
}

/** Show the parts as they are set, whether or not they make a position. */
function drawSetup() {
  const { setup } = page.about;
  const parts = /** @type {Record<string, string>} */ (page.parts);
  const areas = setup.board.areas.map((/** @type {any[]} */ area) => [...area.slice(0, 5), parts[area[0]] === "." ? "empty" : (parts[area[0]] ?? "")]);
  board.show({ ...setup.board, areas, moves: [], mark: null });
  board.setValues({});
  for (const [name, x, y, width, height] of areas) {
    const picture = setup.pictures[parts[name]];
    if (!picture || (name.startsWith("box") && !isClosed(name))) continue;
    const group = svg("g", { transform: `translate(${100 * (x + width / 2)} ${100 * (y + height / 2)})` });
    group.append(paint(picture));
    board.layers.pieces.append(group);
  }
}

/** Whether the server counts this part: it says so by its answer; until then nothing is drawn. @param {string} name */
function isClosed(name) {
  return page.closed?.has(name) ?? false;
}

async function checkSetup() {
  const parts = page.parts;
  const number = (page.checked += 1); // answers may overtake each other
  const isOld = () => parts !== page.parts || number !== page.checked;
  try {
    const found = await ask("/api/setup", { method: "POST", body: { game: page.game, parts } });
    if (isOld()) return;
    byId("position").value = found.position;
    showError("error", null);
    const seen = await ask(`/api/board?${new URLSearchParams({ game: page.game, position: found.position })}`);
    if (isOld()) return;
    page.closed = new Set(seen.board.areas.filter((/** @type {any[]} */ area) => String(area[5]).startsWith("taken")).map((/** @type {any[]} */ area) => area[0]));
    if (page.closed.size) drawSetup();
  } catch (error) {
    if (!isOld()) showError("error", error);
  }
}

async function endSetup() {
  try {
    const found = await ask("/api/setup", { method: "POST", body: { game: page.game, parts: page.parts } });
    await leap(page.game, found.position);
  } catch (error) {
    showError("error", error);
  }
}

// Other ways to a position

byId("set-position").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  leap(games.spec || page.game, byId("position").value);
});
byId("fresh").addEventListener("click", () => leap(page.game, "start"));
byId("engine").addEventListener("change", follow);
byId("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    byId("shared").textContent = "Copied.";
  } catch {
    byId("shared").textContent = location.href;
  }
});
byId("set-record").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    const made = await ask("/api/sessions", { method: "POST", body: { record: byId("record-text").value, paused: true } });
    location.assign(`/analyse?session=${made.id}`);
  } catch (error) {
    showError("error", error);
    byId("error").scrollIntoView({ block: "center" });
  }
});

// Search tree and predecessors

byId("set-tree").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const where = new URLSearchParams({ game: page.game, position: page.position, agent: byId("tree-agent").value });
  byId("tree-numbers").textContent = "Searching …";
  try {
    const found = await ask(`/api/tree?${where}`);
    byId("tree-numbers").textContent = `${found.nodes.toLocaleString("en")} positions looked at, ${found.depth} plies deep, ${found.pruned.toLocaleString("en")} moves cut off; chosen: ${found.line.join(" ")}`;
    byId("tree-picture").src = `/api/tree.png?${where}`;
    byId("tree-link").href = `/api/tree.png?${where}`;
    byId("tree-link").hidden = false;
  } catch (error) {
    byId("tree-numbers").textContent = error instanceof Error ? error.message : String(error);
    byId("tree-link").hidden = true;
  }
});
byId("predecessors-part").addEventListener("toggle", loadPredecessors);

async function loadPredecessors() {
  const part = byId("predecessors-part");
  const where = new URLSearchParams({ game: page.game, position: page.position });
  const about = await ask(`/api/analysis?${where}`).catch(() => ({ tiles: false }));
  part.hidden = !about.tiles;
  if (part.hidden || !part.open) return;
  const found = await ask(`/api/predecessors?${where}`);
  const rows = found.predecessors.map((/** @type {any} */ each) =>
    element("li", {}, element("button", { type: "button", class: "quiet move mono", text: each.position, onclick: () => leap(page.game, each.position) }), ` then ${each.move}`),
  );
  byId("predecessors").replaceChildren(...(rows.length ? rows : [element("li", { class: "soft", text: "Nothing leads here." })]));
}

// The review of a game

const session = query.get("session");
async function begin() {
  if (session && !query.get("position")) {
    try {
      const state = await ask(`/api/sessions/${encodeURIComponent(session)}`);
      Object.assign(page, { game: state.game, position: state.position });
      games.chosen = state.game;
    } catch (error) {
      showError("error", error);
    }
  }
  if (session) new Review(session, (/** @type {string} */ game, /** @type {any} */ by) => {
    page.past = [];
    page.future = [];
    return go(game, by.position, by);
  });
  if (!page.game) page.game = games.chosen = await usualGame();
  await Promise.all([go(page.game, page.position), games.load()]);
}
begin().catch((error) => showError("error", error));
