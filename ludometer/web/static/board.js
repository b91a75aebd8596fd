// A board in the browser: paints a drawing from the server, and lets people make moves on it with mouse, finger or keyboard.
// Shapes are painted anew for every position; the areas that can be pointed at are built once and changed, so that a drag or the focus
// of the keyboard outlives a redraw.

import { LOOKS } from "/looks.js";

const SVG = "http://www.w3.org/2000/svg";
const SCALE = 100;
const SMALL = 24; // pixels across below which a value is hard to read
const FAR_ENOUGH = 0.45; // board units that make a drag of a press
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {string} tag @param {Record<string, string|number>} attributes @returns {any} */
export function svg(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

const units = (/** @type {number} */ value) => Math.round(value * SCALE * 10) / 10;
/** About how wide a text is in a bold face, in units of its size. @param {string} text */
const wide = (text) => [...text].reduce((sum, letter) => sum + (letter === "W" ? 1.1 : letter === "−" || letter === "+" ? 0.84 : 0.7), 0) || 1;
const solid = (/** @type {any} */ look) => (look.stroke !== "none" ? look.stroke : look.fill);

/** A shape as an SVG element; `shape` is [kind, role, numbers, text]. @param {any[]} shape */
export function paint([kind, role, numbers, text]) {
  const look = LOOKS[role] ?? LOOKS.value;
  const group = svg("g", { class: `shape ${role}` });
  const n = numbers.map(units);
  const faded = look.stroke === "none" && look.fill_opacity < 1 ? { opacity: 0.32 } : {};
  if (kind === "rect") {
    const [x, y, width, height] = n;
    const corner = Math.min(units(look.corner), width / 4, height / 4);
    const place = { x, width, height, rx: corner };
    if (look.shadow) group.append(svg("rect", { ...place, y: y + Math.min(3.5, height / 12), fill: look.shadow }));
    if (look.stroke !== "none" && Math.min(width, height) < 4 * units(look.width)) {
      group.append(svg("rect", { ...place, y, fill: look.stroke }));
    } else {
      const stroke = look.stroke === "none" ? {} : { stroke: look.stroke, "stroke-width": units(look.width), "stroke-opacity": look.stroke_opacity };
      group.append(svg("rect", { ...place, y, fill: look.fill, "fill-opacity": look.fill_opacity, ...stroke }));
    }
  } else if (kind === "line") {
    const dashes = look.dashed ? { "stroke-dasharray": `${units(2.2 * look.line)} ${units(2.6 * look.line)}` } : {};
    group.append(svg("line", { x1: n[0], y1: n[1], x2: n[2], y2: n[3], stroke: solid(look), "stroke-width": units(look.line), "stroke-linecap": "round", "stroke-opacity": look.stroke_opacity, ...dashes }));
  } else if (kind === "arrow") {
    const [x1, y1, x2, y2] = numbers;
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const head = Math.min(0.17, length * 0.6);
    const [bx, by, wing] = [x2 - ux * head, y2 - uy * head, head * 0.62];
    const at = (/** @type {number} */ x, /** @type {number} */ y) => `${units(x)} ${units(y)}`;
    const colour = solid(look);
    group.setAttribute("opacity", String(look.stroke_opacity));
    group.append(svg("path", { d: `M${at(x1, y1)}L${at(bx, by)}`, stroke: colour, "stroke-width": 6, "stroke-linecap": "round" }));
    group.append(svg("path", { d: `M${at(x2, y2)}L${at(bx - uy * wing, by + ux * wing)}L${at(bx + uy * wing, by - ux * wing)}Z`, fill: colour, stroke: colour, "stroke-width": 3, "stroke-linejoin": "round" }));
  } else if (kind === "text") {
    const made = svg("text", { x: n[0], y: n[1] + 0.35 * n[2], "font-size": n[2], "text-anchor": "middle", fill: solid(look) });
    made.textContent = text;
    group.append(made);
  } else if (kind === "cross") {
    const [x, y, r] = n;
    const arm = r * 0.88;
    group.append(svg("path", { d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`, fill: "none", stroke: solid(look), "stroke-width": r * 0.4, "stroke-linecap": "round", ...faded }));
  } else if (kind === "ring") {
    group.append(svg("circle", { cx: n[0], cy: n[1], r: n[2] * 0.94, fill: "none", stroke: solid(look), "stroke-width": n[2] * 0.4, ...faded }));
  } else if (kind === "dot" || kind === "disc") {
    group.append(svg("circle", { cx: n[0], cy: n[1], r: n[2], fill: solid(look), ...faded }));
  }
  return group;
}

/** The middle of a shape, in board units. @param {any[]} shape */
function middle([kind, , numbers]) {
  if (kind === "rect") return [numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2, Math.max(numbers[2], numbers[3])];
  if (kind === "line" || kind === "arrow") return [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2, 9];
  return [numbers[0], numbers[1], 2 * numbers[2]];
}

export class Board {
  /**
   * @param {HTMLElement} place where the board is put
   * @param {{label?: string, onMove?: (move: string) => void, onPoint?: (area: string) => void, onSay?: (text: string) => void}} [options]
   *   `onMove` gets a chosen move; `onPoint`, if given, gets every area that is pointed at, and no moves are made
   */
  constructor(place, { label = "Board", onMove = () => {}, onPoint = undefined, onSay = () => {} } = {}) {
    this.onMove = onMove;
    this.onPoint = onPoint;
    this.onSay = onSay;
    this.board = null;
    this.areas = new Map(); // name -> {x, y, width, height, holds, node}
    this.picked = []; // areas picked so far
    this.focused = "";
    this.press = null;
    this.root = svg("svg", { class: "board", role: "group", "aria-label": label });
    this.layers = {};
    for (const name of ["shapes", "pieces", "ghosts", "values", "areas"]) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
      this.root.append(this.layers[name]);
    }
    for (const name of ["shapes", "pieces", "ghosts", "values"]) this.layers[name].setAttribute("aria-hidden", "true");
    place.replaceChildren(this.root);
    place.addEventListener("keydown", (event) => this.onKey(event));
    place.addEventListener("focusin", (event) => this.onFocus(event));
    place.addEventListener("focusout", () => this.preview(null));
    this.root.addEventListener("pointerdown", (event) => this.onDown(event));
    this.root.addEventListener("pointermove", (event) => this.onDrag(event));
    this.root.addEventListener("pointerup", (event) => this.onUp(event));
    this.root.addEventListener("pointercancel", () => this.cancelPress());
    this.root.addEventListener("pointerleave", () => this.press || this.preview(null));
  }

  /** Show a board. @param {any} board as the server describes it */
  show(board) {
    if (this.press) this.cancelPress();
    this.board = board;
    this.root.setAttribute("viewBox", `0 0 ${units(board.width)} ${units(board.height)}`);
    this.root.classList.toggle("draggable", board.moves.some((/** @type {any} */ each) => each.picks.length > 1));
    this.painted = board.shapes.map((/** @type {any[]} */ shape) => ({ node: paint(shape), at: middle(shape), role: shape[1] }));
    this.layers.shapes.replaceChildren(...this.painted.map((/** @type {any} */ each) => each.node));
    this.layers.ghosts.replaceChildren();
    this.layers.pieces.replaceChildren();
    this.picked = [];
    this.placeAreas();
    this.mark();
  }

  /** Build the areas that are new, change those that are there, drop the rest. */
  placeAreas() {
    const names = new Set();
    for (const [name, x, y, width, height, holds] of this.board.areas) {
      names.add(name);
      let area = this.areas.get(name);
      if (!area) {
        area = { name, node: svg("rect", { role: "button", tabindex: -1, class: "area", rx: 6 }) };
        area.node.dataset.area = name;
        this.areas.set(name, area);
        this.layers.areas.append(area.node);
      }
      Object.assign(area, { x, y, width, height, holds });
      for (const [key, value] of Object.entries({ x, y, width, height })) area.node.setAttribute(key, String(units(value)));
    }
    for (const [name, area] of this.areas) {
      if (!names.has(name)) {
        area.node.remove();
        this.areas.delete(name);
      }
    }
  }

  /** The moves that begin with what was picked. */
  candidates(picked = this.picked) {
    return (this.board?.moves ?? []).filter((/** @type {any} */ each) => picked.every((name, at) => each.picks[at] === name));
  }

  /** Areas that can be picked next. @param {string[]} picked @returns {Set<string>} */
  next(picked = this.picked) {
    return new Set(this.candidates(picked).filter((/** @type {any} */ each) => each.picks.length > picked.length).map((/** @type {any} */ each) => each.picks[picked.length]));
  }

  /** Show what can be picked, and tell it to screen readers. */
  mark() {
    const open = this.onPoint ? new Set(this.areas.keys()) : this.next();
    const sources = this.onPoint ? open : this.next([]);
    for (const [name, area] of this.areas) {
      const isPicked = this.picked.includes(name);
      area.node.classList.toggle("open", open.has(name));
      area.node.classList.toggle("target", this.picked.length > 0 && open.has(name));
      area.node.classList.toggle("source", this.picked.length > 0 && sources.has(name));
      area.node.classList.toggle("picked", isPicked);
      const state = isPicked ? ", chosen" : open.has(name) && !this.onPoint ? (this.picked.length ? `, ${this.board.target}` : "") : "";
      area.node.setAttribute("aria-label", `${name}${area.holds ? `, ${area.holds}` : ""}${state}`);
      area.node.setAttribute("aria-disabled", String(!open.has(name) && !sources.has(name) && !isPicked));
    }
    if (!this.areas.has(this.focused)) this.focused = "";
    const first = this.focused || [...open][0] || this.board.areas[0]?.[0] || "";
    for (const [name, area] of this.areas) area.node.setAttribute("tabindex", name === first ? "0" : "-1");
    this.root.classList.toggle("idle", open.size === 0);
  }

  /** Values laid over the moves: {move: {label, colour, ink, exact}}. @param {Record<string, any>} values */
  setValues(values) {
    const made = [];
    const shown = (this.board?.moves ?? []).filter((/** @type {any} */ each) => values[each.move]);
    const pixels = this.root.clientWidth / (units(this.board?.width ?? 1) || 1);
    for (const each of shown) {
      const value = { ...values[each.move] };
      let [x, y, room] = each.spot.map(units);
      if (room * pixels < SMALL) {
        // on a small board: as large as the neighbours leave room for, and colours alone tell wins from losses
        const near = Math.min(...shown.map((/** @type {any} */ other) => Math.hypot(units(other.spot[0]) - x, units(other.spot[1]) - y) || Infinity));
        room = Math.max(room, Math.min(SMALL / pixels, 0.96 * near));
        value.label = value.label.replace(/^[WL](?=\d)/, "");
      }
      const group = svg("g", { class: value.exact ? "value exact" : "value estimate" });
      if (value.exact) group.append(svg("circle", { cx: x, cy: y, r: room / 2, fill: value.colour, stroke: "#3d3229", "stroke-opacity": 0.45, "stroke-width": Math.max(0.8, room * 0.03) }));
      else group.append(svg("rect", { x: x - room / 2, y: y - room * 0.36, width: room, height: room * 0.72, rx: room * 0.16, fill: value.colour, stroke: "#3d3229", "stroke-opacity": 0.6, "stroke-width": Math.max(0.8, room * 0.03), "stroke-dasharray": "4 3" }));
      const size = Math.min(room * 0.52, (room * 0.86) / wide(value.label));
      const text = svg("text", { x, y: y + 0.35 * size, "font-size": size, "text-anchor": "middle", fill: value.ink, "font-weight": 600 });
      text.textContent = value.label;
      group.append(text);
      made.push(group);
    }
    this.layers.values.replaceChildren(...made);
  }

  /** Point at a move without making it, such as a hint. @param {string|null} move */
  highlight(move) {
    const found = (this.board?.moves ?? []).find((/** @type {any} */ each) => each.move === move);
    for (const [name, area] of this.areas) area.node.classList.toggle("hinted", Boolean(found?.picks.includes(name)));
  }

  // What slides, and where the mark comes

  /**
   * Show a move as if it were made. @param {any} move of the board, or null for the board as it is
   * @param {number} [share] how far it has gone, from 0 to 1 @param {number[]|null} [held] where the taken piece is held
   */
  preview(move, share = 1, held = null) {
    for (const each of this.painted ?? []) each.node.removeAttribute("transform");
    this.layers.ghosts.replaceChildren();
    this.root.classList.toggle("previewing", Boolean(move));
    if (!move) return;
    const mark = this.board.mark;
    if (!move.shifts.length) {
      const area = this.areas.get(move.picks.at(-1));
      if (mark && area) this.layers.ghosts.append(this.ghost(mark, area, [0, 0]));
      return;
    }
    const taken = move.shifts[0][0];
    const on = (/** @type {any} */ area) =>
      this.painted.filter((/** @type {any} */ each) => Math.abs(each.at[0] - area.x - area.width / 2) < 0.05 && Math.abs(each.at[1] - area.y - area.height / 2) < 0.05 && each.at[2] <= area.width);
    for (const [from, to] of move.shifts) {
      const [a, b] = [this.areas.get(from), this.areas.get(to)];
      if (!a || !b) continue;
      let [dx, dy] = [(b.x - a.x) * share, (b.y - a.y) * share];
      if (from === taken) {
        if (held) [dx, dy] = [held[0] - a.x - a.width / 2, held[1] - a.y - a.height / 2];
        const parts = on(a);
        for (const each of parts) {
          each.node.setAttribute("transform", `translate(${units(dx)} ${units(dy)})`);
          this.layers.shapes.append(each.node); // above the others
        }
        if (mark) this.layers.ghosts.append(this.ghost(mark, a, [dx, dy]));
      } else {
        for (const each of on(a)) each.node.setAttribute("transform", `translate(${units(dx)} ${units(dy)})`);
      }
    }
  }

  /** @param {any[]} mark @param {any} area @param {number[]} by */
  ghost(mark, area, [dx, dy]) {
    const group = svg("g", { class: "ghost", transform: `translate(${units(area.x + area.width / 2 + dx)} ${units(area.y + area.height / 2 + dy)})` });
    group.append(paint(mark));
    return group;
  }

  // Mouse and finger

  /** Where a pointer is, in board units. @param {PointerEvent} event */
  at(event) {
    const box = this.root.getBoundingClientRect();
    const scale = Math.min(box.width / this.board.width, box.height / this.board.height);
    const left = box.left + (box.width - this.board.width * scale) / 2;
    const top = box.top + (box.height - this.board.height * scale) / 2;
    return [(event.clientX - left) / scale, (event.clientY - top) / scale];
  }

  /** The area at a place: of several, the one whose middle is nearest. @param {number[]} place @param {Set<string>|null} [among] */
  areaAt([x, y], among = null) {
    let best = "";
    let distance = Infinity;
    for (const [name, area] of this.areas) {
      if (among && !among.has(name)) continue;
      const [dx, dy] = [x - area.x - area.width / 2, y - area.y - area.height / 2];
      if (Math.abs(dx) > area.width / 2 || Math.abs(dy) > area.height / 2) continue;
      const far = Math.hypot(dx / area.width, dy / area.height);
      if (far < distance) [best, distance] = [name, far];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (!this.board || !event.isPrimary || event.button > 0) return;
    const place = this.at(event);
    const name = this.areaAt(place);
    if (!name) return;
    this.root.setPointerCapture(event.pointerId);
    this.press = { name, from: place, before: [...this.picked], target: null };
    const canBegin = !this.onPoint && this.next([]).has(name) && this.candidates([name]).some((/** @type {any} */ each) => each.picks.length > 1);
    const isTarget = this.picked.length > 0 && this.next().has(name);
    if (canBegin && !isTarget) {
      this.press.drags = true;
      this.picked = [name];
      this.mark();
    }
  }

  /** @param {PointerEvent} event */
  onDrag(event) {
    if (!this.board) return;
    const place = this.at(event);
    if (!this.press) {
      this.hover(this.areaAt(place, this.next()));
      return;
    }
    if (!this.press.drags) return;
    const [dx, dy] = [place[0] - this.press.from[0], place[1] - this.press.from[1]];
    const far = Math.hypot(dx, dy);
    this.press.target = far < FAR_ENOUGH ? null : this.towards(dx, dy, place);
    if (!this.press.target) {
      this.preview(null);
      return;
    }
    const source = this.areas.get(this.press.name);
    this.preview(this.press.target, Math.min(1, Math.max(0, (far - 0.2) / 0.8)), [source.x + source.width / 2 + dx, source.y + source.height / 2 + dy]);
  }

  /** The move that a drag means: to the area under the pointer, else in its direction. @param {number} dx @param {number} dy @param {number[]} place */
  towards(dx, dy, place) {
    const moves = this.candidates().filter((/** @type {any} */ each) => each.picks.length === 2);
    const under = this.areaAt(place, this.next());
    const exact = moves.find((/** @type {any} */ each) => each.picks[1] === under);
    if (exact) return exact;
    const source = this.areas.get(this.press.name);
    let [best, cosine] = [null, 0.75];
    for (const each of moves) {
      const area = this.areas.get(each.picks[1]);
      const [tx, ty] = [area.x + area.width / 2 - source.x - source.width / 2, area.y + area.height / 2 - source.y - source.height / 2];
      const along = (tx * dx + ty * dy) / (Math.hypot(tx, ty) * Math.hypot(dx, dy) || 1);
      if (along > cosine) [best, cosine] = [each, along];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const press = this.press;
    this.press = null;
    if (!press) return;
    this.preview(null);
    if (press.target) {
      this.finish(press.target);
      return;
    }
    if (this.areaAt(this.at(event)) !== press.name) {
      this.picked = press.before;
      this.mark();
      return;
    }
    if (press.drags && press.before.length === 1 && press.before[0] === press.name) {
      this.picked = []; // pressed again: put it back
      this.mark();
      return;
    }
    if (!press.drags) this.choose(press.name);
    else this.say();
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
    this.previewFor(name);
  }

  /** Show what picking this area would do, if it makes a move. @param {string} name */
  previewFor(name) {
    const move = name ? this.candidates([...this.picked, name]).find((/** @type {any} */ each) => each.picks.length === this.picked.length + 1) : null;
    this.preview(move ?? null);
  }

  // Choosing

  /** An area was picked. @param {string} name */
  choose(name) {
    if (this.onPoint) {
      this.onPoint(name);
      return;
    }
    if (!this.next().has(name)) {
      this.picked = this.next([]).has(name) && !this.picked.includes(name) ? [name] : [];
    } else {
      this.picked.push(name);
    }
    const made = this.candidates().find((/** @type {any} */ each) => each.picks.length === this.picked.length && this.picked.length > 0);
    if (made) this.finish(made);
    else {
      this.mark();
      this.say();
    }
  }

  /** @param {any} move */
  finish(move) {
    this.picked = [];
    this.hovered = "";
    this.mark();
    this.preview(move);
    this.onMove(move.move);
  }

  say() {
    if (this.picked.length) this.onSay(`${this.picked.at(-1)} chosen. Go to: ${[...this.next()].join(", ")}`);
  }

  // Keyboard

  /** @param {string} name @param {boolean} [focus] */
  focusOn(name, focus = true) {
    if (!this.areas.has(name)) return;
    this.focused = name;
    for (const [each, area] of this.areas) area.node.setAttribute("tabindex", each === name ? "0" : "-1");
    if (focus) this.areas.get(name).node.focus();
  }

  /** @param {FocusEvent} event */
  onFocus(event) {
    const name = event.target instanceof SVGElement ? event.target.dataset.area : "";
    if (!name) return;
    this.focused = name;
    if (!this.press) this.previewFor(this.next().has(name) ? name : "");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof SVGElement)) return;
    const name = event.target.dataset.area;
    if (!name) return;
    if (event.key in ARROWS) this.walk(name, ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]);
    else if (event.key === "Enter" || event.key === " ") this.choose(name);
    else if (event.key === "Escape" && this.picked.length) {
      const source = this.picked[0];
      this.picked = [];
      this.mark();
      this.focusOn(source);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the focus to the nearest area in a direction; while something is chosen, places to go come first. @param {string} name @param {number[]} direction */
  walk(name, [dx, dy]) {
    const here = this.areas.get(name);
    const targets = this.picked.length ? this.next() : null;
    const search = (/** @type {Set<string>|null} */ among, /** @type {number} */ slope) => {
      let [best, least] = ["", Infinity];
      for (const [each, area] of this.areas) {
        if (each === name || (among && !among.has(each))) continue;
        const [x, y] = [area.x + area.width / 2 - here.x - here.width / 2, area.y + area.height / 2 - here.y - here.height / 2];
        const along = x * dx + y * dy;
        const across = Math.abs(x * dy) + Math.abs(y * dx);
        if (along < 0.2 || across > along * slope) continue;
        const far = along + 2 * across;
        if (far < least) [best, least] = [each, far];
      }
      return best;
    };
    const found = (targets && search(targets, 6)) || search(null, 1.2) || search(null, 20);
    if (found) this.focusOn(found);
  }
}
