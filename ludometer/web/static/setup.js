// Setting a position up on the board: clicks go through the values of a cell, everything else is chosen
// beside the board.

import { ask, post } from "./ask.js";
import { byId, inputById, svg } from "./elements.js";
import { announce, showError } from "./page.js";
import { paint, units } from "./paint.js";
import { field, select } from "./players.js";

/** @typedef {import("./board.js").Board} Board */

export class PositionSetup {
  /**
   * @param {Board} board
   * @param {string} game
   * @param {Api.Setup} setup
   * @param {Api.SetupPart[]} [parts] with the values at first
   */
  constructor(board, game, setup, parts = setup.parts) {
    this.board = board;
    this.game = game;
    this.setup = setup;
    /** @type {Record<string, string>} */
    this.values = Object.fromEntries(parts.map((part) => [part.name, part.value]));
    /** @type {Set<string>} areas that are taken in the position that the parts make, such as closed boxes */
    this.taken = new Set();
    this.checks = 0;
    this.isOver = false;
    byId("setup-parts").replaceChildren(
      ...parts.filter((part) => !part.on_board).map((part) => this.choice(part)),
    );
    board.onPoint = (name) => this.advance(name);
    this.draw();
  }

  /** Leave the board to moves again. */
  end() {
    this.isOver = true;
    this.board.onPoint = null;
  }

  /** The field of a part that does not lie on the board. @param {Api.SetupPart} part */
  choice(part) {
    const control = select(
      part.values.map((value) => [value, value]),
      part.value,
    );
    control.addEventListener("change", () => {
      this.values[part.name] = control.value;
      this.check();
    });
    const row = field(part.name, control);
    row.className = "row";
    return row;
  }

  /** Give the part on an area its next value. @param {string} name */
  advance(name) {
    const part = this.setup.parts.find((each) => each.name === name);
    if (!part) return;
    const value = part.values[(part.values.indexOf(this.values[name]) + 1) % part.values.length];
    this.values[name] = value;
    this.draw();
    announce(`${name}: ${value === "." ? "empty" : value}`);
    this.check();
  }

  /** Show the parts as they are set, whether or not they make a position. */
  draw() {
    const { board, pictures } = this.setup;
    const areas = board.areas.map((area) => {
      const value = this.values[area[0]];
      return /** @type {Api.Area} */ ([...area.slice(0, 5), value === "." ? "empty" : (value ?? "")]);
    });
    this.board.show({ ...board, areas, moves: [], mark: null });
    this.board.setValues({});
    const parts = new Map(this.setup.parts.map((part) => [part.name, part]));
    for (const [name, x, y, width, height] of areas) {
      const picture = pictures[this.values[name]];
      if (!picture || (parts.get(name)?.only_when_taken && !this.taken.has(name))) continue;
      const transform = `translate(${units(x + width / 2)} ${units(y + height / 2)})`;
      this.board.layers.pieces.append(svg("g", { transform }, paint(picture)));
    }
  }

  /** The position that the parts make. @returns {Promise<string>} */
  async position() {
    return (await post("/api/setup", { game: this.game, parts: this.values })).position;
  }

  /** Show whether the parts make a position, and which. */
  async check() {
    this.checks += 1;
    const number = this.checks; // answers may overtake each other
    const isOld = () => this.isOver || number !== this.checks;
    try {
      const position = await this.position();
      if (isOld()) return;
      inputById("position").value = position;
      showError("error", null);
      /** @type {Api.DrawnPosition} */
      const seen = await ask(`/api/board?${new URLSearchParams({ game: this.game, position })}`);
      if (isOld()) return;
      this.taken = new Set(
        seen.board.areas.filter((area) => area[5].startsWith("taken")).map(([name]) => name),
      );
      if (this.taken.size) this.draw();
    } catch (error) {
      if (!isOld()) showError("error", error);
    }
  }
}
