// The review of a game: a curve of its value, and its moves with blunders and slips marked.

import { ask } from "./ask.js";
import { byId, element, scrollWithin, svg } from "./elements.js";
import { Live } from "./live.js";
import { announce, onArrows } from "./page.js";

const HEIGHT = 160;
const MARGIN = 10; // left and right of the curve
const HEADROOM = 14; // above and below it
const SIGNS = { blunder: "??", slip: "?", "": "" };
const NOTHING = {
  ...{ game: "", moves: [], rows: [], kind: /** @type {const} */ (""), final: null },
  ...{ scored: false, done: false, error: "" },
};

/** @typedef {Partial<Api.Review> & {row?: Api.Judgement}} ReviewChange */

export class Review {
  /**
   * @param {string} id of the game
   * @param {(game: string, position: string) => Promise<unknown>} onLook shows a position of it
   */
  constructor(id, onLook) {
    this.id = id;
    this.onLook = onLook;
    /** @type {Api.Review} */
    this.state = NOTHING;
    /** @type {number|null} the move before which the game is shown */
    this.place = null;
    byId("review").hidden = false;
    onArrows((by) => this.look(Math.max(0, (this.place ?? this.state.moves.length) + by)));
    new Live(`review/${id}`, {
      snapshot: (/** @type {Api.Review} */ state) => {
        this.state = { ...NOTHING, ...state };
        this.show();
      },
      change: (/** @type {ReviewChange} */ { row, ...rest }) => {
        Object.assign(this.state, rest);
        if (row) this.state.rows.push(row);
        this.show();
      },
      gone: () => {
        byId("review-state").textContent = "This game is gone.";
      },
    });
  }

  show() {
    const { rows, moves, kind, done, error, sides } = this.state;
    byId("review-error").textContent = error;
    const how = { exact: "against perfect play", estimate: "estimates by MCTS", "": "" }[kind];
    byId("review-state").textContent = `${rows.length} of ${moves.length} moves ${how}${done ? "" : " …"}`;
    if (!sides) return;
    const noRows = done ? "There are no moves to review." : "";
    byId("review-summary").textContent = rows.length ? tallies(sides, rows).join(" · ") : noRows;
    this.showMoves();
    this.showCurve(sides);
  }

  showMoves() {
    const items = this.state.moves.map((move, place) => {
      const row = this.state.rows[place];
      const said = row ? words(row) : "";
      const button = element("button", {
        ...{ type: "button", class: row?.mark ?? "", title: said, onclick: () => this.look(place) },
        "aria-current": place === this.place ? "step" : null,
      });
      button.append(
        element("span", { class: "no", text: `${place + 1}.` }),
        `${move}${SIGNS[row?.mark ?? ""]}`,
        element("span", { class: "heard-only", text: said ? ` ${said}` : "" }),
      );
      return element("li", {}, button);
    });
    byId("review-moves").replaceChildren(...items);
  }

  /** @param {string[]} sides */
  showCurve(sides) {
    const { rows, scored, final, done, moves } = this.state;
    const heights = rows.map((row) => row.height);
    if (done && final !== null) heights.push(final);
    const most = scored ? Math.max(1, ...heights.map(Math.abs)) : 1;
    const count = Math.max(1, moves.length);
    const width = Math.max(300, byId("curve").clientWidth);
    const middle = HEIGHT / 2;
    const x = (/** @type {number} */ place) => (place / count) * (width - 2 * MARGIN) + MARGIN;
    const y = (/** @type {number} */ height) => middle - (height / most) * (middle - HEADROOM);
    const label = `Value of the game for ${sides[0]}, move by move`;
    const picture = svg(
      "svg",
      { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
      svg("rect", { class: "above", x: 0, y: 0, width, height: middle }),
      svg("rect", { class: "below", x: 0, y: middle, width, height: middle }),
      svg("line", { class: "zero", x1: 0, x2: width, y1: middle, y2: middle }),
    );
    if (heights.length) {
      const points = heights.map((height, place) => `${x(place).toFixed(1)} ${y(height).toFixed(1)}`);
      picture.append(svg("path", { class: "curve-line", d: `M${points.join("L")}` }));
    }
    rows.forEach((row, place) => {
      if (!row.mark) return;
      const centre = { cx: x(place + 1), cy: y(heights[place + 1] ?? row.height) };
      picture.append(svg("circle", { class: row.mark, ...centre, r: row.mark === "blunder" ? 6 : 4 }));
    });
    if (this.place !== null) {
      const at = x(this.place);
      picture.append(svg("line", { class: "now", x1: at, x2: at, y1: 0, y2: HEIGHT }));
    }
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const clicked = ((event.clientX - box.left) / box.width) * width;
      const place = Math.round(((clicked - MARGIN) / (width - 2 * MARGIN)) * count);
      this.look(Math.min(moves.length - 1, Math.max(0, place)));
    });
    byId("curve").replaceChildren(picture);
  }

  /** Show the position before a move. @param {number} place */
  async look(place) {
    const { moves, rows, game, sides } = this.state;
    if (place < 0 || place >= moves.length) return;
    this.place = place;
    /** @type {Api.PastPosition} */
    const past = await ask(`/api/sessions/${this.id}/positions/${place}`);
    await this.onLook(game, past.position);
    const row = rows[place];
    if (row) announce(`Move ${place + 1}: ${row.move}, ${words(row)}`);
    this.showMoves();
    if (sides) this.showCurve(sides);
    const list = byId("review-moves");
    const shown = list.querySelector("[aria-current]");
    if (shown instanceof HTMLElement) shown.focus({ preventScroll: true });
    scrollWithin(list, shown);
  }
}

/** Mistakes of each side, in words. @param {string[]} sides @param {Api.Judgement[]} rows */
function tallies(sides, rows) {
  return sides.map((side, player) => {
    const own = rows.filter((row) => row.player === player);
    const blunders = own.filter((row) => row.mark === "blunder").length;
    const slips = own.filter((row) => row.mark === "slip").length;
    return `${side}: ${many(blunders, "blunder")}, ${many(slips, "slip")} in ${many(own.length, "move")}`;
  });
}

/** @param {number} count @param {string} what */
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** A judgement in words. @param {Api.Judgement} row */
function words({ mark, text, best, best_text: bestText }) {
  return mark ? `${mark}: ${text}; ${best[0]} was better: ${bestText}` : text;
}
