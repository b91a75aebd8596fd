// The page of a game in progress.  Its state comes by WebSocket and as the answer to what is done; the newest
// one counts.

import { ask, post } from "./ask.js";
import { Board } from "./board.js";
import { buttonById, byId, element, linkById, scrollWithin } from "./elements.js";
import { Live } from "./live.js";
import { announce, onArrows, showError } from "./page.js";

const SIDES = [0, 1];

export class GamePage {
  /** @param {string} id @param {{onState?: (state: Api.GameState) => void}} [options] */
  constructor(id, { onState = () => {} } = {}) {
    this.id = id;
    this.path = `/api/sessions/${id}`;
    this.onState = onState;
    /** @type {Api.GameState|null} null until the first state has come */
    this.state = null;
    /** @type {number|null} the ply of the past that is shown, null for the present */
    this.shownPly = null;
    const onMove = (/** @type {string} */ move) => this.move(move);
    this.board = new Board(byId("board"), { label: "Board", onMove, onSay: announce });
    new Live(`game/${id}`, {
      snapshot: (/** @type {Api.GameState} */ state) => this.receive(state, true),
      change: (/** @type {{state: Api.GameState}} */ change) => this.receive(change.state, false),
      gone: () => showError("error", "This game is gone. Start a new one."),
    });
    setInterval(() => this.showThinking(), 500);
    linkById("download").href = `${this.path}/record`;
    linkById("review").href = `/analyse?session=${id}`;
    this.connectSteps();
  }

  /** The buttons and keys that step through the record. */
  connectSteps() {
    let last = Promise.resolve(); // keys may come faster than positions
    const inTurn = (/** @type {() => void|Promise<void>} */ act) => {
      last = last.then(act);
    };
    onArrows((by) => inTurn(() => this.lookBy(by)));
    byId("to-start").addEventListener("click", () => this.look(0));
    byId("back").addEventListener("click", () => this.lookBy(-1));
    byId("forward").addEventListener("click", () => this.lookBy(1));
    for (const id of ["to-end", "present"]) {
      byId(id).addEventListener("click", () => this.look(this.state?.moves.length ?? 0));
    }
  }

  /**
   * @param {Api.GameState} state
   * @param {boolean} isSnapshot a snapshot counts whatever its serial number is
   */
  receive(state, isSnapshot) {
    const before = this.state;
    if (!isSnapshot && before && state.serial <= before.serial) return;
    this.state = state;
    if (!before || before.version !== state.version || isSnapshot) {
      this.shownPly = null;
      this.board.show(state.board);
      if (before) announceChange(before, state);
    }
    this.show(state);
    this.onState(state);
  }

  /** @param {Api.GameState} state */
  show(state) {
    for (const side of SIDES) {
      const place = byId(`player-${side}`);
      place.classList.toggle("now", state.turn === side);
      part(place, ".chip").textContent = state.sides[side].slice(0, 1).toUpperCase();
      part(place, ".who").textContent = playerName(state, side);
    }
    byId("status").textContent = turnText(state);
    byId("game-name").textContent = `${state.title} · ${state.game}`;
    byId("position").textContent = state.position;
    const where = new URLSearchParams({ game: state.game, position: state.position });
    linkById("analyse").href = `/analyse?${where}`;
    showError("error", state.message || null);
    showButtons(state);
    this.showRecord(state);
    this.showThinking();
  }

  /** @param {Api.GameState} state */
  showRecord(state) {
    const shown = this.shownPly ?? state.moves.length;
    const list = byId("record");
    const items = ["start", ...state.moves].map((text, ply) => {
      const current = ply === shown ? "step" : null;
      const button = element("button", {
        type: "button",
        "aria-current": current,
        onclick: () => this.look(ply),
      });
      const mover = ply ? ` by ${state.sides[state.movers[ply - 1]]}` : "";
      if (ply) button.append(element("span", { class: "no", text: `${ply}.` }));
      button.append(text, element("span", { class: "heard-only", text: mover }));
      return element("li", {}, button);
    });
    list.replaceChildren(...items);
    scrollWithin(list, list.querySelector("[aria-current]"));
    byId("past").hidden = this.shownPly === null;
  }

  /** Show the board a number of plies further on or back. @param {number} by */
  async lookBy(by) {
    if (this.state) await this.look((this.shownPly ?? this.state.moves.length) + by);
  }

  /** Show the board after a number of moves. @param {number} ply */
  async look(ply) {
    const state = this.state;
    if (!state || ply < 0 || ply > state.moves.length) return;
    if (ply === state.moves.length) {
      this.shownPly = null;
      this.board.show(state.board);
    } else {
      try {
        /** @type {Api.PastPosition} */
        const past = await ask(`${this.path}/positions/${ply}`);
        if (this.state !== state) return;
        this.shownPly = ply;
        this.board.show(past.board);
      } catch (error) {
        showError("error", error);
      }
    }
    this.showRecord(state);
    announce(ply ? `After ${ply} moves, ${state.moves[ply - 1]}` : "The start");
  }

  /** Show how long an agent has been thinking, and who is ahead in a game with points. */
  showThinking() {
    const state = this.state;
    if (!state) return;
    for (const side of SIDES) {
      const place = part(byId(`player-${side}`), ".doing");
      const thinking = state.thinking?.side === side ? state.thinking : null;
      if (!thinking) {
        place.dataset.thinking = "no";
        place.textContent = lead(state, side);
        continue;
      }
      const text = `${Math.max(0, Date.now() / 1000 - thinking.since).toFixed(0)} s`;
      if (place.dataset.thinking === "yes") {
        part(place, ".time").textContent = text;
      } else {
        place.dataset.thinking = "yes";
        const time = element("span", { class: "time", text });
        place.replaceChildren(element("span", { class: "spinner" }), " ", time);
      }
    }
  }

  /** Make a move. @param {string} move */
  async move(move) {
    if (this.shownPly !== null || !this.state) return;
    await this.send("moves", { move, version: this.state.version });
  }

  /** Do something else with the game. @param {string} action as the API names it */
  async act(action) {
    await this.send("actions", { action });
  }

  /**
   * Post something.  Whatever happens, the page then shows the game as the server has it.
   *
   * @param {string} what
   * @param {unknown} body
   */
  async send(what, body) {
    try {
      this.receive(await post(`${this.path}/${what}`, body), false);
      showError("error", this.state?.message || null);
    } catch (error) {
      if (this.state) this.board.show(this.state.board);
      try {
        this.receive(await ask(this.path), true);
      } catch {
        // the server is away, which the page says already
      }
      showError("error", error);
    }
  }

  async hint() {
    buttonById("hint").disabled = true;
    byId("advice").textContent = "Looking for a good move …";
    try {
      /** @type {Api.Hint} */
      const found = await ask(`${this.path}/hint`);
      if (found.version === this.state?.version) {
        this.board.highlight(found.move);
        byId("advice").textContent = `${found.exact ? "Exact" : "Estimate"}: ${found.text}`;
        announce(`Hint: ${found.text}`);
      }
    } catch (error) {
      byId("advice").textContent = "";
      showError("error", error);
    }
    if (this.state) showButtons(this.state);
  }
}

/** A part of an element that its template has. @param {HTMLElement} place @param {string} selector */
function part(place, selector) {
  const found = place.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`#${place.id} has no part ${selector}`);
  return found;
}

/** Tell screen readers what has changed. @param {Api.GameState} before @param {Api.GameState} state */
function announceChange(before, state) {
  const made = state.moves.length;
  const parts = [];
  if (made > before.moves.length) {
    parts.push(`${state.sides[state.movers[made - 1]]} plays ${state.moves[made - 1]}.`);
  }
  parts.push(state.verdict ? `The game is over: ${state.verdict}` : turnText(state));
  announce(parts.join(" "));
}

/** Whose turn it is, or how the game ended. @param {Api.GameState} state */
function turnText(state) {
  if (state.turn === null) return state.verdict ?? "";
  const side = state.sides[state.turn];
  if (state.players[state.turn] !== "human") {
    return state.paused && !state.thinking ? `${side} to move, paused` : `${side} is thinking`;
  }
  return state.players[1 - state.turn] === "human" ? `${side} to move` : `Your move (${side})`;
}

/**
 * Enable and show the buttons that the state allows; not every page has all of them.
 *
 * @param {Api.GameState} state
 */
function showButtons({ can, thinking, paused, turn }) {
  for (const [id, isAllowed] of Object.entries(can)) {
    const button = document.getElementById(id);
    if (button instanceof HTMLButtonElement) button.disabled = !isAllowed;
  }
  const shown = { stop: thinking !== null, resume: paused && !thinking && turn !== null };
  for (const [id, isShown] of Object.entries(shown)) {
    const button = document.getElementById(id);
    if (button) button.hidden = !isShown;
  }
}

/**
 * A player as people know it: "You", or an agent by its level if it is one.
 *
 * @param {Api.GameState} state
 * @param {number} side
 */
function playerName(state, side) {
  const player = state.players[side];
  if (player === "human") return "You";
  return state.levels[side] ? `${state.levels[side]} (${player})` : player;
}

/**
 * By how much a side is ahead; "" if it is not, or the game has no points.
 *
 * @param {Api.GameState} state
 * @param {number} side
 */
function lead(state, side) {
  if (state.margin === null) return "";
  const margin = side === 0 ? state.margin : -state.margin;
  return margin > 0 ? `ahead by ${margin}` : "";
}
