// Shapes of drawings as SVG elements.  Board units become SVG units, of which there are 100 in one.

import { LOOKS } from "/looks.js";
import { svg } from "./elements.js";

const SCALE = 100;
const HEAD = 0.17; // of an arrow, in board units

/** A length in SVG units. @param {number} length in board units */
export const units = (length) => Math.round(length * SCALE * 10) / 10;

/**
 * The colour of something thin: the stroke's if there is one, otherwise the fill's.
 *
 * @param {Api.Look} look
 */
const thinColour = (look) => (look.stroke !== "none" ? look.stroke : look.fill);

/**
 * @typedef {(look: Api.Look, numbers: number[], text: string) => SVGElement[]} Painter numbers are in board units
 */

/** @type {Record<string, Painter>} */
const PAINTERS = {
  rect: rectangle,
  polygon,
  line,
  arrow,
  text: (look, numbers, text) => {
    const [x, y, size] = numbers.map(units);
    const place = { x, y: y + 0.35 * size, "font-size": size, "text-anchor": "middle" };
    return [svg("text", { ...place, fill: thinColour(look), text })];
  },
  cross: (look, numbers) => {
    const [x, y, radius] = numbers.map(units);
    const arm = radius * 0.88; // round line ends reach a little further
    const strokes = `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`;
    const stroke = { stroke: thinColour(look), "stroke-width": radius * 0.4, "stroke-linecap": "round" };
    return [svg("path", { d: strokes, fill: "none", ...stroke, ...faded(look) })];
  },
  ring: (look, numbers) => {
    const [cx, cy, radius] = numbers.map(units);
    const stroke = { stroke: thinColour(look), "stroke-width": radius * 0.4 };
    return [svg("circle", { cx, cy, r: radius * 0.94, fill: "none", ...stroke, ...faded(look) })];
  },
  dot: disc,
  disc,
};

/** A shape as an SVG element. @param {Api.Shape} shape */
export function paint([kind, role, numbers, text]) {
  const look = LOOKS[role] ?? LOOKS.value;
  const group = svg("g", { class: `shape ${role}` }, ...(PAINTERS[kind]?.(look, numbers, text) ?? []));
  if (kind === "arrow") group.setAttribute("opacity", String(look.stroke_opacity));
  return group;
}

/** The mark of a won area stays behind what lies on it. @param {Api.Look} look */
function faded(look) {
  return look.stroke === "none" && look.fill_opacity < 1 ? { opacity: 0.32 } : {};
}

/** @type {Painter} */
function rectangle(look, numbers) {
  const [x, y, width, height] = numbers.map(units);
  const place = { x, width, height, rx: Math.min(units(look.corner), width / 4, height / 4) };
  const made = [];
  if (look.shadow) made.push(svg("rect", { ...place, y: y + Math.min(3.5, height / 12), fill: look.shadow }));
  if (look.stroke !== "none" && Math.min(width, height) < 4 * units(look.width)) {
    made.push(svg("rect", { ...place, y, fill: look.stroke })); // too thin for an outline of its own
    return made;
  }
  made.push(
    svg("rect", { ...place, y, fill: look.fill, "fill-opacity": look.fill_opacity, ...outline(look) }),
  );
  return made;
}

/** @param {Api.Look} look */
function outline({ stroke, width, stroke_opacity: opacity }) {
  return stroke === "none" ? {} : { stroke, "stroke-width": units(width), "stroke-opacity": opacity };
}

/** @type {Painter} */
function polygon(look, numbers) {
  const points = numbers.map(units).join(" ");
  const fill = { fill: look.fill, "fill-opacity": look.fill_opacity };
  return [svg("polygon", { points, ...fill, ...outline(look), "stroke-linejoin": "round" })];
}

/** @type {Painter} */
function line(look, numbers) {
  const [x1, y1, x2, y2] = numbers.map(units);
  const dashes = look.dashed
    ? { "stroke-dasharray": `${units(2.2 * look.line)} ${units(2.6 * look.line)}` }
    : {};
  const stroke = {
    stroke: thinColour(look),
    "stroke-width": units(look.line),
    "stroke-linecap": "round",
    "stroke-opacity": look.stroke_opacity,
  };
  return [svg("line", { x1, y1, x2, y2, ...stroke, ...dashes })];
}

/** A shaft and a head that ends at the second point. @type {Painter} */
function arrow(look, [x1, y1, x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(HEAD, length * 0.6);
  const [baseX, baseY, wing] = [x2 - ux * head, y2 - uy * head, head * 0.62];
  /** @param {number} x @param {number} y */
  const at = (x, y) => `${units(x)} ${units(y)}`;
  const [left, right] = [at(baseX - uy * wing, baseY + ux * wing), at(baseX + uy * wing, baseY - ux * wing)];
  const stroke = thinColour(look);
  const shaft = { stroke, "stroke-width": 6, "stroke-linecap": "round" };
  const outline = { fill: stroke, stroke, "stroke-width": 3, "stroke-linejoin": "round" };
  return [
    svg("path", { d: `M${at(x1, y1)}L${at(baseX, baseY)}`, ...shaft }),
    svg("path", { d: `M${at(x2, y2)}L${left}L${right}Z`, ...outline }),
  ];
}

/** @type {Painter} */
function disc(look, numbers) {
  const [cx, cy, r] = numbers.map(units);
  return [svg("circle", { cx, cy, r, fill: thinColour(look), ...faded(look) })];
}

/**
 * The middle of a shape and its extent, in board units.
 *
 * @param {Api.Shape} shape
 * @returns {[number, number, number]}
 */
export function middleOf([kind, , numbers]) {
  const [x, y, third, fourth] = numbers;
  if (kind === "rect") return [x + third / 2, y + fourth / 2, Math.max(third, fourth)];
  if (kind === "polygon") {
    const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, place) => place % 2 === axis));
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    return [(left + right) / 2, (top + bottom) / 2, Math.max(right - left, bottom - top)];
  }
  if (kind === "line" || kind === "arrow") return [(x + third) / 2, (y + fourth) / 2, Infinity];
  return [x, y, 2 * third];
}
