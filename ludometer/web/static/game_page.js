// A game in progress on a page: its state comes by WebSocket and as the answer to what is done; the newest one counts.

import { Board } from "./board.js";
import { Live } from "./live.js";
import { announce, ask, byId, element, onArrows, scrollWithin, showError } from "./page.js";

export class GamePage {
  /** @param {string} id @param {{onState?: (state: any) => void}} [options] */
  constructor(id, { onState = () => {} } = {}) {
    this.id = id;
    this.onState = onState;
    this.state = null;
    this.looking = null; // ply of the past that is shown, null for the present
    this.board = new Board(byId("board"), { label: "Board", onMove: (move) => this.move(move), onSay: announce });
    this.live = new Live(`game/${id}`, {
      snapshot: (state) => this.receive(state, true),
      change: (change) => this.receive(change.state, false),
      gone: () => showError("error", "This game is gone. Start a new one."),
    });
    setInterval(() => this.tick(), 500);
    let turn = Promise.resolve(); // keys may come faster than positions
    onArrows((by) => {
      turn = turn.then(() => this.state && this.look((this.looking ?? this.state.moves.length) + by));
    });
  }

  get path() {
    return `/api/sessions/${this.id}`;
  }

  /** @param {any} state @param {boolean} isFresh a snapshot counts whatever its number is */
  receive(state, isFresh) {
    const before = this.state;
    if (!isFresh && before && state.serial <= before.serial) return;
    this.state = state;
    if (!before || before.version !== state.version || isFresh) {
      this.looking = null;
      this.board.show(state.board);
      this.announceChange(before, state);
    }
    this.show();
    this.onState(state);
  }

  /** @param {any} before @param {any} state */
  announceChange(before, state) {
    if (!before) return;
    const made = state.moves.length;
    const parts = made > before.moves.length ? [`${state.sides[state.movers[made - 1]]} plays ${state.moves[made - 1]}.`] : [];
    parts.push(state.verdict ? `The game is over: ${state.verdict}` : this.turnText());
    announce(parts.join(" "));
  }

  turnText() {
    const state = this.state;
    if (state.turn === null) return state.verdict ?? "";
    const side = state.sides[state.turn];
    if (state.players[state.turn] === "human") return state.players[1 - state.turn] === "human" ? `${side} to move` : `Your move (${side})`;
    return state.paused && !state.thinking ? `${side} to move, paused` : `${side} is thinking`;
  }

  show() {
    const state = this.state;
    for (const side of [0, 1]) {
      const place = byId(`player-${side}`);
      place.classList.toggle("now", state.turn === side);
      place.querySelector(".chip").textContent = state.sides[side].slice(0, 1).toUpperCase();
      place.querySelector(".who").textContent = state.players[side] === "human" ? "You" : named(state, side);
    }
    byId("status").textContent = this.turnText();
    byId("game-name").textContent = `${state.title} · ${state.game}`;
    byId("position").textContent = state.position;
    showError("error", state.message || null);
    this.showButtons();
    this.showRecord();
    this.tick();
  }

  showButtons() {
    const { can, thinking, paused } = this.state;
    const set = (/** @type {string} */ id, /** @type {boolean} */ isOn) => {
      const button = document.getElementById(id);
      if (button instanceof HTMLButtonElement) button.disabled = !isOn;
    };
    set("undo", can.undo);
    set("redo", can.redo);
    set("hint", can.hint);
    set("resign", can.resign);
    for (const [id, isShown] of [["stop", Boolean(thinking)], ["resume", paused && !thinking && this.state.turn !== null]]) {
      const button = document.getElementById(String(id));
      if (button) button.hidden = !isShown;
    }
  }

  showRecord() {
    const state = this.state;
    const shown = this.looking ?? state.moves.length;
    const list = byId("record");
    const rows = [["start", 0], ...state.moves.map((/** @type {string} */ move, /** @type {number} */ at) => [move, at + 1])];
    const made = rows.map(([move, ply]) => {
      const side = ply ? state.sides[state.movers[Number(ply) - 1]] : "";
      const button = element("button", { type: "button", "aria-current": ply === shown ? "step" : null, onclick: () => this.look(Number(ply)) });
      if (ply) button.append(element("span", { class: "no", text: `${ply}.` }));
      button.append(String(move), element("span", { class: "heard-only", text: side ? ` by ${side}` : "" }));
      return element("li", {}, button);
    });
    list.replaceChildren(...made);
    scrollWithin(list, list.querySelector("[aria-current]"));
    byId("past").hidden = this.looking === null;
  }

  /** Show the board after so many moves. @param {number} ply */
  async look(ply) {
    const state = this.state;
    if (ply < 0 || ply > state.moves.length) return;
    if (ply === state.moves.length) {
      this.looking = null;
      this.board.show(state.board);
    } else {
      try {
        const past = await ask(`${this.path}/positions/${ply}`);
        if (this.state !== state) return;
        this.looking = ply;
        this.board.show(past.board);
      } catch (error) {
        showError("error", error);
      }
    }
    this.showRecord();
    announce(ply ? `After ${ply} moves, ${state.moves[ply - 1]}` : "The start");
  }

  /** What grows while nobody does anything: the time an agent thinks. */
  tick() {
    const thinking = this.state?.thinking;
    for (const side of [0, 1]) {
      const place = byId(`player-${side}`).querySelector(".doing");
      if (thinking?.side === side) {
        const text = `${Math.max(0, Date.now() / 1000 - thinking.since).toFixed(0)} s`;
        if (place.dataset.thinking !== "yes") {
          place.dataset.thinking = "yes";
          place.replaceChildren(element("span", { class: "spinner" }), " ", element("span", { class: "time", text }));
        } else place.querySelector(".time").textContent = text;
      } else {
        place.dataset.thinking = "no";
        place.textContent = this.state?.margin !== null && this.state ? score(this.state, side) : "";
      }
    }
  }

  /** @param {string} move */
  async move(move) {
    if (this.looking !== null) return;
    await this.send("moves", { move, version: this.state.version });
  }

  /** @param {string} action */
  async act(action) {
    await this.send("actions", { action });
  }

  /** Post something; whatever happens, the page then shows the game as the server has it. @param {string} what @param {any} body */
  async send(what, body) {
    try {
      this.receive(await ask(`${this.path}/${what}`, { method: "POST", body }), false);
      showError("error", this.state.message || null);
    } catch (error) {
      this.board.show(this.state.board);
      try {
        this.receive(await ask(this.path), true);
      } catch {
        // the server is away: the page says so already
      }
      showError("error", error);
    }
  }

  async hint() {
    byId("hint").disabled = true;
    byId("advice").textContent = "Looking for a good move …";
    try {
      const found = await ask(`${this.path}/hint`);
      if (found.version === this.state.version) {
        this.board.highlight(found.move);
        byId("advice").textContent = `${found.exact ? "Exact" : "Estimate"}: ${found.text}`;
        announce(`Hint: ${found.text}`);
      }
    } catch (error) {
      byId("advice").textContent = "";
      showError("error", error);
    }
    this.showButtons();
  }
}

/** An agent as people know it: by the level it was chosen as, if it was. @param {any} state @param {number} side */
function named(state, side) {
  return state.levels[side] ? `${state.levels[side]} (${state.players[side]})` : state.players[side];
}

/** Points so far, of a game with points. @param {any} state @param {number} side */
function score(state, side) {
  const margin = side === 0 ? state.margin : -state.margin;
  return margin > 0 ? `ahead by ${margin}` : "";
}
