// What the moves of a position are worth, as far as the server knows: exact at once, or estimates that grow.

import { byId, element, selectById, svg } from "./elements.js";
import { Live } from "./live.js";
import { showError } from "./page.js";

const KINDS = { exact: "exact", mcts: "estimate: MCTS", search: "estimate: search", "": "thinking …" };
const COMPILING = 2500; // milliseconds without an answer after which code is being compiled
const VALUE_SIGN = { win: 1, draw: 0, loss: -1 };
/** @type {Api.Analysis} */
const NOTHING = { kind: "", text: "", work: "", moves: [], line: [], done: false, error: "" };

/** @typedef {import("./board.js").ValueMark} ValueMark */

export class Values {
  /**
   * @param {object} handlers
   * @param {(marks: Record<string, ValueMark>) => void} handlers.onValues gets what is laid over the board
   * @param {(moves: string[]) => void} handlers.onLine is told to make these moves
   */
  constructor({ onValues, onLine }) {
    this.onValues = onValues;
    this.onLine = onLine;
    /** @type {Api.Analysis} */
    this.found = NOTHING;
    /** @type {Api.DrawnPosition|null} */
    this.position = null;
    /** @type {Live<Api.Analysis, Partial<Api.Analysis>>|null} */
    this.live = null;
    this.since = 0;
    setInterval(() => this.showCompiling(), 1000);
  }

  /** Follow the values of a position. @param {Api.DrawnPosition} position */
  follow(position) {
    this.live?.close();
    this.position = position;
    this.since = Date.now();
    this.found = NOTHING;
    this.show();
    const key = topicKey([position.game, position.position, selectById("engine").value]);
    this.live = new Live(`analysis/${key}`, {
      snapshot: (state) => {
        this.found = state;
        this.show();
      },
      change: (change) => {
        this.found = { ...this.found, ...change };
        this.show();
      },
    });
  }

  /** Say why nothing comes if it takes long. */
  showCompiling() {
    if (!this.position || this.position.result || this.found.kind || this.found.done) return;
    if (Date.now() - this.since < COMPILING) return;
    byId("work").textContent = "The first time takes a while: code is compiled.";
  }

  show() {
    const { kind, work, done, error, moves } = this.found;
    if (!this.position) return;
    const { result, turn } = this.position;
    const isExact = kind === "exact";
    byId("kind").hidden = !kind && Boolean(error);
    byId("kind").textContent = result ? "over" : KINDS[kind];
    byId("kind").className = `badge ${isExact ? "good" : "warn"}`;
    byId("work").textContent = kind && !isExact && !done ? `${work} …` : work;
    const waiting = error ? "" : "…";
    const value = this.found.text ? `${turn}: ${this.found.text}` : waiting;
    byId("value").textContent = result ? `The game is over: ${result}` : value;
    if (error) showError("error", error);
    this.onValues(Object.fromEntries(moves.map((row) => [row.move, { ...row, exact: isExact }])));
    const rows = [...moves].sort((one, other) => rank(other) - rank(one)).map((row) => this.row(row));
    byId("moves", HTMLTableElement).tBodies[0].replaceChildren(...rows);
    this.showLine(Boolean(result));
  }

  /** A line of the table of moves. @param {Api.MoveValue} row */
  row({ move, text, colour, visits }) {
    const best = this.found.best?.includes(move) ? "best" : "";
    return element(
      "tr",
      {},
      element("td", {}, this.moveButton(move, [move])),
      element("td", {}, swatch(colour), ` ${text}`),
      element("td", {
        class: "number soft",
        text: visits === undefined ? best : visits.toLocaleString("en"),
      }),
    );
  }

  /** The line of best moves; a click makes all moves up to there. @param {boolean} isOver */
  showLine(isOver) {
    const { line, done } = this.found;
    const steps = line.map((move, place) => this.moveButton(move, line.slice(0, place + 1)));
    byId("line").replaceChildren(...(steps.length ? steps : [done || isOver ? "–" : "…"]));
  }

  /** @param {string} text @param {string[]} moves */
  moveButton(text, moves) {
    return element("button", {
      ...{ type: "button", class: "quiet move" },
      ...{ text, onclick: () => this.onLine(moves) },
    });
  }
}

/** The key of an analysis: the base64 of its parts, safe in an address. @param {string[]} parts */
function topicKey(parts) {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** A number by which moves are sorted, larger for better ones. @param {Api.MoveValue} row */
function rank({ value, margin, distance }) {
  if (typeof value === "number") return value;
  if (margin !== undefined) return margin;
  const sign = VALUE_SIGN[/** @type {keyof typeof VALUE_SIGN} */ (value)] ?? 0;
  return sign * 1000 - sign * (distance ?? 500);
}

/** @param {string} colour */
function swatch(colour) {
  const dot = { cx: 5, cy: 5, r: 4.5, fill: colour, stroke: "#3d3229", "stroke-opacity": 0.5 };
  return svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", dot));
}
