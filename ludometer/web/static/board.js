// A board in the browser: paints a drawing from the server, and lets people make moves with mouse, finger or
// keyboard. Shapes are painted anew for every position.  The areas that can be pointed at are built once and
// changed, so that a drag and the focus of the keyboard outlive a redraw.

import { svg } from "./elements.js";
import { middleOf, paint, units } from "./paint.js";

const READABLE = 24; // pixels across below which a value is hard to read
const ACROSS = 1.25; // weight of a way across; from 1.7 on, arrows would pass over rows of hexagons
const DRAG_DISTANCE = 0.45; // board units from where on a press is a drag
const DIRECTION_COSINE = 0.75; // of the angle within which a drag means a direction
/** @type {Record<string, Point>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const LAYERS = /** @type {const} */ (["shapes", "pieces", "ghosts", "values", "areas"]);
const OUTLINE = { stroke: "#3d3229", "stroke-opacity": 0.45 };

/** @typedef {[x: number, y: number]} Point in board units */
/**
 * @typedef {{name: string, x: number, y: number, width: number, height: number, holds: string, node: SVGRectElement}} Area
 */
/** @typedef {{node: SVGGElement, x: number, y: number, extent: number}} Painted */
/**
 * A pressed button or finger: where it began, what was picked before, whether it can drag, and the move
 * that the drag means.
 *
 * @typedef {{name: string, from: Point, before: string[], drags: boolean, target: Api.BoardMove|null}} Press
 */
/** @typedef {{label: string, colour: string, ink: string, exact: boolean}} ValueMark */

/** @param {Area} area @returns {Point} */
const centreOf = (area) => [area.x + area.width / 2, area.y + area.height / 2];

/** About how wide a bold text is, in units of its size. @param {string} text */
function textWidth(text) {
  const widths = [...text].map((letter) => (letter === "W" ? 1.1 : "−+".includes(letter) ? 0.84 : 0.7));
  return widths.reduce((sum, width) => sum + width, 0) || 1;
}

export class Board {
  /**
   * @param {HTMLElement} place where the board is put
   * @param {{label?: string, onMove?: (move: string) => void, onSay?: (text: string) => void}} [options]
   *   `onMove` gets a chosen move, `onSay` what a screen reader is to say
   */
  constructor(place, { label = "Board", onMove = () => {}, onSay = () => {} } = {}) {
    this.onMove = onMove;
    this.onSay = onSay;
    /**
     * Gets every area that is pointed at; no moves are made while it is set.
     *
     * @type {((area: string) => void)|null}
     */
    this.onPoint = null;
    /** @type {Api.Board} */
    this.board = { width: 1, height: 1, shapes: [], areas: [], moves: [], target: "", mark: null };
    /** @type {Map<string, Area>} */
    this.areas = new Map();
    /** @type {Painted[]} */
    this.painted = [];
    /** @type {string[]} areas picked so far */
    this.picked = [];
    this.focused = "";
    this.hovered = "";
    /** @type {Press|null} */
    this.press = null;
    this.root = svg("svg", { class: "board", role: "group", "aria-label": label });
    const layers = LAYERS.map((name) => {
      const isHidden = name === "areas" ? null : "true";
      return /** @type {const} */ ([name, svg("g", { class: `layer-${name}`, "aria-hidden": isHidden })]);
    });
    this.layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ (Object.fromEntries(layers));
    this.root.append(...layers.map(([, layer]) => layer));
    place.replaceChildren(this.root);
    place.addEventListener("keydown", (event) => this.onKey(event));
    place.addEventListener("focusin", (event) => this.onFocus(event));
    place.addEventListener("focusout", () => this.preview(null));
    this.root.addEventListener("pointerdown", (event) => this.onDown(event));
    this.root.addEventListener("pointermove", (event) => this.onDrag(event));
    this.root.addEventListener("pointerup", (event) => this.onUp(event));
    this.root.addEventListener("pointercancel", () => this.cancelPress());
    this.root.addEventListener("pointerleave", () => {
      if (!this.press) this.preview(null);
    });
  }

  /** Show a board. @param {Api.Board} board */
  show(board) {
    if (this.press) this.cancelPress();
    this.board = board;
    this.root.setAttribute("viewBox", `0 0 ${units(board.width)} ${units(board.height)}`);
    this.root.classList.toggle(
      "draggable",
      board.moves.some((move) => move.picks.length > 1),
    );
    this.painted = board.shapes.map((shape) => {
      const [x, y, extent] = middleOf(shape);
      return { node: paint(shape), x, y, extent };
    });
    this.layers.shapes.replaceChildren(...this.painted.map((each) => each.node));
    this.layers.ghosts.replaceChildren();
    this.layers.pieces.replaceChildren();
    this.picked = [];
    this.placeAreas();
    this.mark();
  }

  /** Build the areas that are new, change the others, and drop those that are gone. */
  placeAreas() {
    const gone = new Map(this.areas);
    for (const [name, x, y, width, height, holds] of this.board.areas) {
      gone.delete(name);
      const node = this.areas.get(name)?.node ?? this.newAreaNode(name);
      this.areas.set(name, { name, x, y, width, height, holds, node });
      for (const [key, value] of Object.entries({ x, y, width, height })) {
        node.setAttribute(key, String(units(value)));
      }
    }
    for (const [name, area] of gone) {
      area.node.remove();
      this.areas.delete(name);
    }
  }

  /** @param {string} name */
  newAreaNode(name) {
    const node = svg("rect", { role: "button", tabindex: -1, class: "area", rx: 6, "data-area": name });
    this.layers.areas.append(node);
    return node;
  }

  /** The area with this name, which the board has. @param {string} name */
  area(name) {
    const found = this.areas.get(name);
    if (!found) throw new Error(`the board has no area ${name}`);
    return found;
  }

  /** The moves that begin with these picks. @param {string[]} [picked] */
  candidates(picked = this.picked) {
    return this.board.moves.filter((move) => picked.every((name, place) => move.picks[place] === name));
  }

  /** The areas that can be picked after these. @param {string[]} [picked] */
  nextPicks(picked = this.picked) {
    const names = this.candidates(picked).flatMap((move) =>
      move.picks.slice(picked.length, picked.length + 1),
    );
    return new Set(names);
  }

  /** Show which areas can be picked, and tell it to screen readers. */
  mark() {
    const open = this.onPoint ? new Set(this.areas.keys()) : this.nextPicks();
    const sources = this.onPoint ? open : this.nextPicks([]);
    const hasPick = this.picked.length > 0;
    for (const [name, { node, holds }] of this.areas) {
      const isPicked = this.picked.includes(name);
      node.classList.toggle("open", open.has(name));
      node.classList.toggle("target", hasPick && open.has(name));
      node.classList.toggle("source", hasPick && sources.has(name));
      node.classList.toggle("picked", isPicked);
      const isTarget = hasPick && open.has(name) && !this.onPoint;
      const state = isPicked ? "chosen" : isTarget ? this.board.target : "";
      node.setAttribute("aria-label", [name, holds, state].filter(Boolean).join(", "));
      node.setAttribute("aria-disabled", String(!open.has(name) && !sources.has(name) && !isPicked));
    }
    if (!this.areas.has(this.focused)) this.focused = "";
    const first = this.focused || [...open][0] || this.board.areas[0]?.[0] || "";
    this.setTabStop(first);
    this.root.classList.toggle("idle", open.size === 0);
  }

  /** Make one area the tab stop of the board. @param {string} name */
  setTabStop(name) {
    for (const [each, area] of this.areas) area.node.setAttribute("tabindex", each === name ? "0" : "-1");
  }

  /** Lay values over the moves. @param {Record<string, ValueMark>} values by move */
  setValues(values) {
    const shown = this.board.moves.filter((move) => values[move.move]);
    const marks = shown.map((move) => this.valueMark(move, values[move.move], shown));
    this.layers.values.replaceChildren(...marks);
  }

  /**
   * A circle for an exact value, a dashed rectangle for an estimate.
   *
   * @param {Api.BoardMove} move
   * @param {ValueMark} value
   * @param {Api.BoardMove[]} shown all moves with values
   */
  valueMark(move, value, shown) {
    const pixelsPerUnit = this.root.clientWidth / (units(this.board.width) || 1);
    const [x, y, spotSize] = move.spot.map(units);
    let size = spotSize;
    let label = value.label;
    if (size * pixelsPerUnit < READABLE) {
      // on a small board, marks grow up to their neighbours, and colours alone tell wins from losses
      const distances = shown.map(
        ({ spot }) => Math.hypot(units(spot[0]) - x, units(spot[1]) - y) || Infinity,
      );
      size = Math.max(size, Math.min(READABLE / pixelsPerUnit, 0.96 * Math.min(...distances)));
      label = label.replace(/^[WL](?=\d)/, "");
    }
    const paintOf = { ...OUTLINE, fill: value.colour, "stroke-width": Math.max(0.8, size * 0.03) };
    const [width, height] = [size, size * 0.72];
    const shape = value.exact
      ? svg("circle", { cx: x, cy: y, r: size / 2, ...paintOf })
      : svg("rect", {
          ...{ x: x - width / 2, y: y - height / 2, width, height, rx: size * 0.16 },
          ...{ ...paintOf, "stroke-opacity": 0.6, "stroke-dasharray": "4 3" },
        });
    const fontSize = Math.min(size * 0.52, (size * 0.86) / textWidth(label));
    const place = { x, y: y + 0.35 * fontSize, "font-size": fontSize, "text-anchor": "middle" };
    const text = svg("text", { ...place, fill: value.ink, "font-weight": 600, text: label });
    return svg("g", { class: value.exact ? "value exact" : "value estimate" }, shape, text);
  }

  /** Point at a move without making it, such as a hint. @param {string|null} move */
  highlight(move) {
    const picks = this.board.moves.find((each) => each.move === move)?.picks ?? [];
    for (const [name, area] of this.areas) area.node.classList.toggle("hinted", picks.includes(name));
  }

  // Previews: what slides, and where the mark will be

  /**
   * Show a move as if it were made.
   *
   * @param {Api.BoardMove|null} move null: the board as it is
   * @param {number} [share] of the way that pieces have slid, from 0 to 1
   * @param {Point|null} [held] where the taken piece is held
   */
  preview(move, share = 1, held = null) {
    for (const each of this.painted) each.node.removeAttribute("transform");
    this.layers.ghosts.replaceChildren();
    this.root.classList.toggle("previewing", move !== null);
    if (!move) return;
    if (!move.shifts.length) {
      const area = this.areas.get(move.picks[move.picks.length - 1]);
      if (area) this.showGhost(area, [0, 0]);
      return;
    }
    const taken = move.shifts[0][0];
    for (const [from, to] of move.shifts) {
      const [begin, end] = [this.areas.get(from), this.areas.get(to)];
      if (!begin || !end) continue;
      /** @type {Point} */
      let way = [(end.x - begin.x) * share, (end.y - begin.y) * share];
      if (from === taken && held) {
        const [x, y] = centreOf(begin);
        way = [held[0] - x, held[1] - y];
      }
      this.slide(begin, way, from === taken);
      if (from === taken) this.showGhost(begin, way);
    }
  }

  /** Move what lies on an area. @param {Area} area @param {Point} way @param {boolean} toTop */
  slide(area, [dx, dy], toTop) {
    const [x, y] = centreOf(area);
    for (const each of this.painted) {
      const isOnArea =
        Math.abs(each.x - x) < 0.05 && Math.abs(each.y - y) < 0.05 && each.extent <= area.width;
      if (!isOnArea) continue;
      each.node.setAttribute("transform", `translate(${units(dx)} ${units(dy)})`);
      if (toTop) this.layers.shapes.append(each.node);
    }
  }

  /** Show the mover's mark on an area that has slid. @param {Area} area @param {Point} way */
  showGhost(area, [dx, dy]) {
    if (!this.board.mark) return;
    const [x, y] = centreOf(area);
    const transform = `translate(${units(x + dx)} ${units(y + dy)})`;
    this.layers.ghosts.append(svg("g", { class: "ghost", transform }, paint(this.board.mark)));
  }

  // Mouse and finger

  /** Where a pointer is. @param {PointerEvent} event @returns {Point} */
  placeOf(event) {
    const box = this.root.getBoundingClientRect();
    const scale = Math.min(box.width / this.board.width, box.height / this.board.height);
    const left = box.left + (box.width - this.board.width * scale) / 2;
    const top = box.top + (box.height - this.board.height * scale) / 2;
    return [(event.clientX - left) / scale, (event.clientY - top) / scale];
  }

  /**
   * The name of the area at a place, "" if there is none; of several areas, the one whose centre is nearest.
   *
   * @param {Point} place
   * @param {Set<string>|null} [among]
   */
  areaAt([x, y], among = null) {
    let nearest = "";
    let least = Infinity;
    for (const [name, area] of this.areas) {
      if (among && !among.has(name)) continue;
      const [centreX, centreY] = centreOf(area);
      const [across, down] = [(x - centreX) / area.width, (y - centreY) / area.height];
      if (Math.abs(across) > 0.5 || Math.abs(down) > 0.5) continue;
      const distance = Math.hypot(across, down);
      if (distance < least) [nearest, least] = [name, distance];
    }
    return nearest;
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (!event.isPrimary || event.button > 0) return;
    const from = this.placeOf(event);
    const name = this.areaAt(from);
    if (!name) return;
    this.root.setPointerCapture(event.pointerId);
    const isTarget = this.picked.length > 0 && this.nextPicks().has(name);
    const drags = !this.onPoint && !isTarget && this.candidates([name]).some((move) => move.picks.length > 1);
    this.press = { name, from, before: [...this.picked], drags, target: null };
    if (drags) {
      this.picked = [name];
      this.mark();
    }
  }

  /** @param {PointerEvent} event */
  onDrag(event) {
    const place = this.placeOf(event);
    const press = this.press;
    if (!press) {
      this.hover(this.areaAt(place, this.nextPicks()));
      return;
    }
    if (!press.drags) return;
    const [dx, dy] = [place[0] - press.from[0], place[1] - press.from[1]];
    const distance = Math.hypot(dx, dy);
    press.target = distance < DRAG_DISTANCE ? null : this.draggedMove(press, [dx, dy], place);
    if (!press.target) {
      this.preview(null);
      return;
    }
    const [x, y] = centreOf(this.area(press.name));
    this.preview(press.target, Math.min(1, Math.max(0, (distance - 0.2) / 0.8)), [x + dx, y + dy]);
  }

  /**
   * A move that a drag means: to the area under the pointer, otherwise in its direction.
   *
   * @param {Press} press
   * @param {Point} way
   * @param {Point} place
   */
  draggedMove(press, [dx, dy], place) {
    const moves = this.candidates().filter((move) => move.picks.length > 1);
    const under = this.areaAt(place, this.nextPicks());
    const exact = moves.find((move) => move.picks[1] === under);
    if (exact) return exact;
    const [fromX, fromY] = centreOf(this.area(press.name));
    /** @type {Api.BoardMove|null} */
    let best = null;
    let cosine = DIRECTION_COSINE;
    for (const move of moves) {
      const [x, y] = centreOf(this.area(move.picks[1]));
      const [tx, ty] = [x - fromX, y - fromY];
      const along = (tx * dx + ty * dy) / (Math.hypot(tx, ty) * Math.hypot(dx, dy) || 1);
      if (along > cosine) [best, cosine] = [move, along];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const press = this.press;
    this.press = null;
    if (!press) return;
    this.preview(null);
    if (press.target && press.target.picks.length > 2) {
      this.picked = press.target.picks.slice(0, 2); // the rest is picked one by one
      this.mark();
      this.sayNext();
      this.focusOn(this.picked[1], false);
      return;
    }
    if (press.target) {
      this.finish(press.target);
      return;
    }
    if (this.areaAt(this.placeOf(event)) !== press.name) {
      this.picked = press.before;
      this.mark();
      return;
    }
    if (press.drags && press.before.length === 1 && press.before[0] === press.name) {
      this.picked = []; // pressed again: put it back
      this.mark();
      return;
    }
    if (press.drags) this.sayNext();
    else this.choose(press.name);
    this.focusOn(press.name, false);
  }

  cancelPress() {
    this.press = null;
    this.picked = [];
    this.preview(null);
    this.mark();
  }

  /** @param {string} name */
  hover(name) {
    if (name === this.hovered) return;
    this.hovered = name;
    this.previewPick(name);
  }

  /** Preview the move that picking this area would make, if it makes one. @param {string} name */
  previewPick(name) {
    const length = this.picked.length + 1;
    const moves = name ? this.candidates([...this.picked, name]) : [];
    this.preview(moves.find((move) => move.picks.length === length) ?? null);
  }

  // Choosing

  /** Pick an area. @param {string} name */
  choose(name) {
    if (this.onPoint) {
      this.onPoint(name);
      return;
    }
    if (this.nextPicks().has(name)) this.picked.push(name);
    else this.picked = this.nextPicks([]).has(name) && !this.picked.includes(name) ? [name] : [];
    const length = this.picked.length;
    const made = length > 0 && this.candidates().find((move) => move.picks.length === length);
    if (made) {
      this.finish(made);
    } else {
      this.mark();
      this.sayNext();
    }
  }

  /** Make a move. @param {Api.BoardMove} move */
  finish(move) {
    this.picked = [];
    this.hovered = "";
    this.mark();
    this.preview(move);
    this.onMove(move.move);
  }

  /** Tell a screen reader what can be picked next. */
  sayNext() {
    if (!this.picked.length) return;
    const targets = [...this.nextPicks()].join(", ");
    this.onSay(`${this.picked[this.picked.length - 1]} chosen. Go to: ${targets}`);
  }

  // Keyboard

  /** @param {string} name @param {boolean} [moveFocus] */
  focusOn(name, moveFocus = true) {
    const area = this.areas.get(name);
    if (!area) return;
    this.focused = name;
    this.setTabStop(name);
    if (moveFocus) area.node.focus();
  }

  /** @param {FocusEvent} event */
  onFocus(event) {
    const name = event.target instanceof SVGElement ? event.target.dataset.area : "";
    if (!name) return;
    this.focused = name;
    if (!this.press) this.previewPick(this.nextPicks().has(name) ? name : "");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof SVGElement)) return;
    const name = event.target.dataset.area;
    if (!name || !this.act(event.key, name)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Do what a key means on an area; false if it means nothing. @param {string} key @param {string} name */
  act(key, name) {
    if (key in ARROWS) this.walk(name, ARROWS[key]);
    else if (key === "Enter" || key === " ") this.choose(name);
    else if (key === "Escape" && this.picked.length) {
      const [source] = this.picked;
      this.picked = [];
      this.mark();
      this.focusOn(source);
    } else return false;
    return true;
  }

  /**
   * Move the focus in a direction; areas to go to come first while something is picked.
   *
   * @param {string} name
   * @param {Point} direction
   */
  walk(name, direction) {
    const targets = this.picked.length ? this.nextPicks() : null;
    const found =
      (targets && this.neighbour(name, direction, 6, targets)) ||
      this.neighbour(name, direction, 1.2) ||
      this.neighbour(name, direction, 20);
    if (found) this.focusOn(found);
  }

  /**
   * The nearest area in a direction, "" if there is none.
   *
   * @param {string} name
   * @param {Point} direction
   * @param {number} slope the largest ratio of the way across to the way along
   * @param {Set<string>|null} [among]
   */
  neighbour(name, [dx, dy], slope, among = null) {
    const [fromX, fromY] = centreOf(this.area(name));
    let nearest = "";
    let least = Infinity;
    for (const [each, area] of this.areas) {
      if (each === name || (among && !among.has(each))) continue;
      const [centreX, centreY] = centreOf(area);
      const [x, y] = [centreX - fromX, centreY - fromY];
      const along = x * dx + y * dy;
      const across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along < 0.2 || across > along * slope) continue;
      const distance = along + ACROSS * across;
      if (distance < least) [nearest, least] = [each, distance];
    }
    return nearest;
  }
}
