// The page Analyse: a position, what its moves are worth, and the review of a game.  The position stands in
// the address.

import { ask, post } from "./ask.js";
import { Board } from "./board.js";
import { buttonById, byId, element, inputById, linkById, selectById } from "./elements.js";
import { announce, onArrows, showError } from "./page.js";
import { GameForm, usualGame } from "./players.js";
import { Review } from "./review.js";
import { PositionSetup } from "./setup.js";
import { Values } from "./values.js";

/**
 * A place in the history of the page: a position, and if known the move that led there with the position
 * before it.
 *
 * @typedef {{game: string, position: string, before?: string, move?: string}} Place
 */

const query = new URLSearchParams(location.search);
const session = query.get("session");
const page = {
  /** @type {Place} */
  here: { game: query.get("game") ?? "", position: query.get("position") ?? "start" },
  /** @type {Api.DrawnPosition|null} the position that is shown */
  shown: null,
  /** @type {PositionSetup|null} while a position is set up */
  setup: null,
  /** @type {Place[]} */
  past: [],
  /** @type {Place[]} */
  future: [],
  questions: 0, // for positions; only the answer to the last one counts
};
const board = new Board(byId("board"), { label: "Board", onMove: (move) => make([move]), onSay: announce });
const values = new Values({
  onValues: (marks) => {
    if (!page.setup) board.setValues(marks);
  },
  onLine: make,
});
const games = new GameForm(byId("game"), page.here.game, {
  boardsOnly: true,
  onGame: (about) => {
    byId("position-help").textContent = about.position_help;
    if (!page.shown || about.game === page.here.game) return;
    page.past = [];
    page.future = [];
    go({ game: about.game, position: "start" });
  },
  onError: (error) => {
    if (error) showError("error", error); // what is wrong with the position is not wiped away
  },
});

/**
 * Show another position; false if there is an error or another question came meanwhile.
 *
 * @param {Place} place
 */
async function go({ game, position, before, move }) {
  page.questions += 1;
  const number = page.questions;
  /** @type {Record<string, string>} */
  const asked = move ? { game, position: before ?? "start", after: move } : { game, position };
  try {
    /** @type {Api.DrawnPosition} */
    const found = await ask(`/api/board?${new URLSearchParams(asked)}`);
    if (number !== page.questions) return false;
    page.shown = found;
    page.here = { game: found.game, position: found.position, before, move };
    endSetup();
    showError("error", null);
    show(found);
    values.follow(found);
    return true;
  } catch (error) {
    showError("error", error);
    if (page.shown) board.show(page.shown.board);
    return false;
  }
}

/** @param {Api.DrawnPosition} found */
function show(found) {
  board.show(found.board);
  buttonById("setup").disabled = found.setup === null;
  byId("status").textContent = found.result ? `Over: ${found.result}` : `${found.turn} to move`;
  inputById("position").value = found.position;
  showSteps();
  const where = new URLSearchParams({ game: found.game, position: found.position });
  linkById("play").href = `/play?${where}`;
  if (session) where.set("session", session);
  history.replaceState(null, "", `/analyse?${where}`);
  byId("tree-numbers").textContent = "";
  byId("tree-link").hidden = true;
  loadPredecessors();
}

// Moves and the history of the page

/** Make moves one after the other; values are shown of the last position only. @param {string[]} moves */
async function make(moves) {
  const way = [page.here];
  const { game } = page.here;
  try {
    for (const move of moves.slice(0, -1)) {
      const before = way[way.length - 1].position;
      const { position } = await ask(
        `/api/board?${new URLSearchParams({ game, position: before, after: move })}`,
      );
      way.push({ game, position, before, move });
    }
  } catch (error) {
    showError("error", error);
    return;
  }
  const before = way[way.length - 1].position;
  const move = moves[moves.length - 1];
  if (!(await go({ game, position: before, before, move }))) return;
  page.past.push(...way);
  page.future = [];
  showSteps();
  announce(`${move}. ${byId("status").textContent}`);
}

/** Show another position, from which one can come back here. @param {string} game @param {string} position */
async function leap(game, position) {
  const from = page.here;
  if (!(await go({ game, position }))) return;
  page.past.push(from);
  page.future = [];
  showSteps();
}

/** Go one step back (-1) or on (1). @param {number} by */
async function step(by) {
  const [from, to] = by < 0 ? [page.past, page.future] : [page.future, page.past];
  const wanted = page.setup ? undefined : from.pop();
  if (!wanted) return;
  to.push(page.here);
  await go(wanted);
}

let lastStep = Promise.resolve(); // clicks and keys may come faster than positions
/** @param {number} by */
function stepInTurn(by) {
  lastStep = lastStep.then(() => step(by));
}
byId("back").addEventListener("click", () => stepInTurn(-1));
byId("forward").addEventListener("click", () => stepInTurn(1));
if (!session) onArrows(stepInTurn);

function showSteps() {
  buttonById("back").disabled = page.past.length === 0;
  buttonById("forward").disabled = page.future.length === 0;
}

// Setting up

/** Set a position up, beginning with these parts. @param {Api.SetupPart[]} [parts] */
function beginSetup(parts) {
  if (!page.shown?.setup) return;
  page.setup?.end();
  page.setup = new PositionSetup(board, page.here.game, page.shown.setup, parts);
  buttonById("setup").setAttribute("aria-pressed", "true");
  byId("setup-tools").hidden = false;
  byId("legend").hidden = true;
  byId("status").textContent = "Setting up";
}

function endSetup() {
  page.setup?.end();
  page.setup = null;
  buttonById("setup").setAttribute("aria-pressed", "false");
  byId("setup-tools").hidden = true;
  byId("legend").hidden = false;
}

/** Show the position that was set up. */
async function takeSetup() {
  if (!page.setup) return;
  try {
    await leap(page.here.game, await page.setup.position());
  } catch (error) {
    showError("error", error);
  }
}
byId("setup").addEventListener("click", () => (page.setup ? takeSetup() : beginSetup()));
byId("setup-done").addEventListener("click", takeSetup);
byId("setup-start").addEventListener("click", async () => {
  /** @type {Api.DrawnPosition} */
  const start = await ask(`/api/board?game=${encodeURIComponent(page.here.game)}`);
  beginSetup(start.setup?.parts);
});

// Other ways to a position

byId("set-position").addEventListener("submit", (event) => {
  event.preventDefault();
  leap(games.spec || page.here.game, inputById("position").value);
});
byId("fresh").addEventListener("click", () => leap(page.here.game, "start"));
selectById("engine").addEventListener("change", () => {
  if (page.shown) values.follow(page.shown);
});
byId("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    byId("shared").textContent = "Copied.";
  } catch {
    byId("shared").textContent = location.href;
  }
});
byId("set-record").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const record = byId("record-text", HTMLTextAreaElement).value;
    const made = await post("/api/sessions", { record, paused: true });
    location.assign(`/analyse?session=${made.id}`);
  } catch (error) {
    showError("error", error);
    byId("error").scrollIntoView({ block: "center" });
  }
});

// Search tree and predecessors

byId("set-tree").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { game, position } = page.here;
  const where = new URLSearchParams({ game, position, agent: inputById("tree-agent").value });
  const [numbers, link] = [byId("tree-numbers"), linkById("tree-link")];
  numbers.textContent = "Searching …";
  try {
    /** @type {Api.SearchTree} */
    const { nodes, depth, pruned, line } = await ask(`/api/tree?${where}`);
    const [looked, cut] = [nodes.toLocaleString("en"), pruned.toLocaleString("en")];
    const chosen = line.join(" ");
    const counted = `${looked} positions looked at, ${depth} plies deep, ${cut} moves cut off`;
    numbers.textContent = `${counted}; chosen: ${chosen}`;
    byId("tree-picture", HTMLImageElement).src = `/api/tree.png?${where}`;
    link.href = `/api/tree.png?${where}`;
    link.hidden = false;
  } catch (error) {
    showError("tree-numbers", error);
    link.hidden = true;
  }
});
byId("predecessors-part").addEventListener("toggle", loadPredecessors);

/** List the positions before this one, if its game can say them and the list is open. */
async function loadPredecessors() {
  const { game, position } = page.here;
  const part = byId("predecessors-part", HTMLDetailsElement);
  const where = new URLSearchParams({ game, position });
  const about = await ask(`/api/analysis?${where}`).catch(() => ({ tiles: false }));
  part.hidden = !about.tiles;
  if (part.hidden || !part.open) return;
  /** @type {{predecessors: {position: string, move: string}[]}} */
  const found = await ask(`/api/predecessors?${where}`);
  const items = found.predecessors.map((before) => {
    const attributes = { type: "button", class: "quiet move mono", text: before.position };
    const button = element("button", { ...attributes, onclick: () => leap(game, before.position) });
    return element("li", {}, button, ` then ${before.move}`);
  });
  const none = element("li", { class: "soft", text: "Nothing leads here." });
  byId("predecessors").replaceChildren(...(items.length ? items : [none]));
}

// The review of a game

/** Show a position of the reviewed game. @param {string} game @param {string} position */
async function showReviewed(game, position) {
  page.past = [];
  page.future = [];
  await go({ game, position });
}

async function begin() {
  if (session && !query.get("position")) {
    try {
      /** @type {Api.GameState} */
      const state = await ask(`/api/sessions/${encodeURIComponent(session)}`);
      page.here = { game: state.game, position: state.position };
      games.chosen = state.game;
    } catch (error) {
      showError("error", error);
    }
  }
  if (session) new Review(session, showReviewed);
  if (!page.here.game) {
    const game = await usualGame();
    page.here = { game, position: "start" };
    games.chosen = game;
  }
  await Promise.all([go(page.here), games.load()]);
}
begin().catch((error) => showError("error", error));
