// The review of a game: a curve of its value, and its moves with blunders and slips marked.

import { svg } from "./board.js";
import { Live } from "./live.js";
import { announce, ask, byId, element, onArrows, scrollWithin } from "./page.js";

const HEIGHT = 160;

export class Review {
  /** @param {string} id of the game @param {(game: string, where: any) => Promise<any>} onLook shows a position of it */
  constructor(id, onLook) {
    this.id = id;
    this.onLook = onLook;
    this.state = null;
    this.at = -1;
    byId("review").hidden = false;
    onArrows((by) => this.state && this.look(Math.max(0, (this.at < 0 ? this.state.moves.length : this.at) + by)));
    new Live(`review/${id}`, {
      snapshot: (state) => this.receive(state),
      change: (change) => {
        const { row, ...rest } = change;
        Object.assign(this.state, rest);
        if (row) this.state.rows.push(row);
        this.show();
      },
      gone: () => {
        byId("review-state").textContent = "This game is gone.";
      },
    });
  }

  /** @param {any} state */
  receive(state) {
    this.state = { rows: [], moves: [], ...state };
    this.show();
  }

  show() {
    const { rows, moves, kind, done, error, sides } = this.state;
    byId("review-error").textContent = error ?? "";
    const how = kind === "exact" ? "against perfect play" : kind === "estimate" ? "estimates by MCTS" : "";
    byId("review-state").textContent = `${rows.length} of ${moves.length} moves ${how}${done ? "" : " …"}`;
    if (!sides) return;
    const tally = [0, 1].map((side) => {
      const own = rows.filter((/** @type {any} */ row) => row.player === side);
      const count = (/** @type {string} */ mark) => own.filter((/** @type {any} */ row) => row.mark === mark).length;
      return `${sides[side]}: ${many(count("blunder"), "blunder")}, ${many(count("slip"), "slip")} in ${many(own.length, "move")}`;
    });
    byId("review-summary").textContent = rows.length ? tally.join(" · ") : done ? "There are no moves to review." : "";
    this.showMoves();
    this.showCurve();
  }

  showMoves() {
    const made = this.state.moves.map((/** @type {string} */ move, /** @type {number} */ at) => {
      const row = this.state.rows[at];
      const sign = row?.mark === "blunder" ? "??" : row?.mark === "slip" ? "?" : "";
      const button = element("button", { type: "button", class: row?.mark ?? "", "aria-current": at === this.at ? "step" : null, title: row ? words(row) : "", onclick: () => this.look(at) });
      button.append(element("span", { class: "no", text: `${at + 1}.` }), `${move}${sign}`, element("span", { class: "heard-only", text: row ? ` ${words(row)}` : "" }));
      return element("li", {}, button);
    });
    byId("review-moves").replaceChildren(...made);
  }

  showCurve() {
    const { rows, scored, final, done } = this.state;
    const heights = rows.map((/** @type {any} */ row) => row.height);
    if (done && final !== null && final !== undefined) heights.push(final);
    const most = scored ? Math.max(1, ...heights.map(Math.abs)) : 1;
    const count = Math.max(1, this.state.moves.length);
    const WIDTH = Math.max(300, byId("curve").clientWidth);
    const x = (/** @type {number} */ at) => (at / count) * (WIDTH - 20) + 10;
    const y = (/** @type {number} */ height) => HEIGHT / 2 - (height / most) * (HEIGHT / 2 - 14);
    const label = `Value of the game for ${this.state.sides[0]}, move by move`;
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    picture.append(svg("rect", { class: "above", x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }), svg("rect", { class: "below", x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }));
    picture.append(svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    if (heights.length) picture.append(svg("path", { class: "curve-line", d: heights.map((/** @type {number} */ height, /** @type {number} */ at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(height).toFixed(1)}`).join("") }));
    rows.forEach((/** @type {any} */ row, /** @type {number} */ at) => {
      if (row.mark) picture.append(svg("circle", { class: row.mark, cx: x(at + 1), cy: y(heights[at + 1] ?? row.height), r: row.mark === "blunder" ? 6 : 4 }));
    });
    if (this.at >= 0) picture.append(svg("line", { class: "now", x1: x(this.at), x2: x(this.at), y1: 0, y2: HEIGHT }));
    picture.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const box = picture.getBoundingClientRect();
      this.look(Math.min(this.state.moves.length - 1, Math.max(0, Math.round((((event.clientX - box.left) / box.width) * WIDTH - 10) / (WIDTH - 20) * count))));
    });
    byId("curve").replaceChildren(picture);
  }

  /** Show the position before a move. @param {number} at */
  async look(at) {
    if (at < 0 || at >= this.state.moves.length) return;
    this.at = at;
    const past = await ask(`/api/sessions/${this.id}/positions/${at}`);
    await this.onLook(this.state.game, { position: past.position });
    const row = this.state.rows[at];
    if (row) announce(`Move ${at + 1}: ${row.move}, ${words(row)}`);
    this.showMoves();
    this.showCurve();
    const shown = byId("review-moves").querySelector("[aria-current]");
    shown?.focus({ preventScroll: true });
    scrollWithin(byId("review-moves"), shown);
  }
}

/** @param {number} count @param {string} what */
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What is to be said of a move. @param {any} row */
function words(row) {
  const mark = row.mark === "blunder" ? "blunder: " : row.mark === "slip" ? "slip: " : "";
  return row.mark ? `${mark}${row.text}; ${row.best[0]} was better: ${row.best_text}` : row.text;
}
