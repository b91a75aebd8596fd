// The picture of a learning dynamics: streamlines drawn from a grid of velocities, paths, rest points by kind, equilibria.
// Everything comes from the server in the panel's own coordinates (see view/dynamics/fields.py); shapes tell kinds apart, not colours alone.

import { svg } from "./shapes.js";
import { element } from "./page.js";

const ROOM = 440;
const HEIGHT = Math.sqrt(3) / 2;
export const KINDS = {
  sink: ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0", "full", "everything near is drawn in"],
  source: ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0", "hollow", "everything near is driven away"],
  saddle: ["M-5.5-5.5L5.5 5.5M-5.5 5.5L5.5-5.5", "cross", "approached from some sides only"],
  centre: ["M-6 0H6M0-6V6", "cross", "orbits circle"],
  degenerate: ["M-5.5-5.5h11v11h-11z", "hollow", "the linear part does not decide"],
  equilibrium: ["M0-7L7 0L0 7L-7 0z", "full", "a rest point of a field that jumps"],
};
const STAR = "M0-10L2.6-3.4L9.6-3.1L4.1 1.3L6 8.1L0 4.2L-6 8.1L-4.1 1.3L-9.6-3.1L-2.6-3.4z";

/** Draw a panel into a place, or draw it anew. @param {HTMLElement} place @param {any} panel */
export function drawPanel(place, panel) {
  const square = panel.shape === "square";
  const [width, height] = square ? [ROOM + 60, ROOM + 52] : [ROOM + 80, ROOM * HEIGHT + 76];
  const [left, top] = square ? [48, 10] : [40, 30];
  const tall = square ? ROOM : ROOM * HEIGHT;
  const at = (x, y) => [left + x * ROOM, top + tall - (square ? y : y / HEIGHT) * tall];
  const point = (x, y) => at(x, y).map((value) => value.toFixed(1)).join(" ");
  const line = (points) => (points.length ? `M${points.map(([x, y]) => point(x, y)).join("L")}` : "");
  const parts = square ? squareFrame(panel, point, left, top) : triangleFrame(panel, at, point, left, top, tall);
  const streams = svg("g", { class: "streams" });
  for (const stream of streamlines(panel.grid)) {
    streams.append(svg("path", { d: line(stream) }), arrow(stream, at));
  }
  parts.push(streams);
  for (const [name, paths] of [["learner", panel.learners], ["separatrix", panel.separatrices], ["path", panel.paths]]) {
    for (const path of paths) parts.push(svg("path", { d: line(path), class: name }));
    if (name !== "separatrix") for (const path of paths) if (path.length) parts.push(svg("circle", { cx: at(...path[0])[0].toFixed(1), cy: at(...path[0])[1].toFixed(1), r: 3, class: `${name}-start` }));
  }
  for (const one of panel.equilibria) parts.push(svg("path", { d: STAR, class: "nash", transform: `translate(${point(one.x, one.y)})` }, svg("title", { text: `Nash equilibrium: ${one.text}` })));
  for (const one of panel.rest_points) {
    const [shape, style] = KINDS[one.kind];
    parts.push(svg("path", { d: shape, class: `rest ${style}`, transform: `translate(${point(one.x, one.y)})` }, svg("title", { text: `${one.kind}: ${one.text}` })));
  }
  let picture = place.querySelector("svg");
  if (!picture) {
    picture = svg("svg", { class: "field", role: "img" });
    place.append(picture);
  }
  picture.setAttribute("viewBox", `0 0 ${width} ${height.toFixed(0)}`);
  const who = square ? "both players" : panel.who;
  picture.setAttribute("aria-label", `Field of ${who}: ${panel.rest_points.map((one) => `${one.kind} at ${one.text}`).join("; ")}`);
  picture.replaceChildren(...parts);
}

function squareFrame(panel, point, left, top) {
  const parts = [svg("path", { d: `M${point(0, 0)}L${point(1, 0)}L${point(1, 1)}L${point(0, 1)}Z`, class: "field-frame" })];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const [x, y] = [left + share * ROOM, top + ROOM - share * ROOM];
    parts.push(svg("text", { x, y: top + ROOM + 18, class: "tick middle", text: String(share) }), svg("text", { x: left - 13, y: y + 4, class: "tick end", text: String(share) }));
  }
  parts.push(svg("text", { x: left + ROOM / 2, y: top + ROOM + 38, class: "axis-label middle", text: panel.x }));
  parts.push(svg("text", { x: 12, y: top + ROOM / 2, class: "axis-label middle", transform: `rotate(-90 12 ${top + ROOM / 2})`, text: panel.y }));
  return parts;
}

function triangleFrame(panel, at, point, left, top, tall) {
  const corner = ([a, b, c]) => point(b + c / 2, c * HEIGHT);
  const parts = [svg("path", { d: `M${corner([1, 0, 0])}L${corner([0, 1, 0])}L${corner([0, 0, 1])}Z`, class: "field-frame" })];
  for (const share of [0.25, 0.5, 0.75]) {
    const rest = 1 - share;
    for (const [one, other] of [[[share, rest, 0], [share, 0, rest]], [[rest, share, 0], [0, share, rest]], [[rest, 0, share], [0, rest, share]]]) parts.push(svg("path", { d: `M${corner(one)}L${corner(other)}`, class: "grid" }));
  }
  const [names, spots] = [panel.corners, [[left, top + tall + 20, "middle"], [left + ROOM, top + tall + 20, "middle"], [left + ROOM / 2, top - 10, "middle"]]];
  names.forEach((name, place) => parts.push(svg("text", { x: spots[place][0], y: spots[place][1], class: `corner ${spots[place][2]}`, text: name })));
  parts.push(svg("text", { x: left + ROOM / 2, y: top + tall + 38, class: "axis-label middle", text: `${panel.who}${panel.remark ? `; ${panel.remark}` : ""}` }));
  return parts;
}

/** The velocity at a place, between the points of the grid; null outside. */
function velocityOf(grid) {
  const rows = grid.up.length;
  const columns = grid.up[0].length;
  return (x, y) => {
    const u = ((x - grid.x[0]) / (grid.x[1] - grid.x[0])) * (columns - 1);
    const v = ((y - grid.y[0]) / (grid.y[1] - grid.y[0])) * (rows - 1);
    if (!(u >= 0 && v >= 0 && u <= columns - 1 && v <= rows - 1)) return null;
    const [i, j] = [Math.min(columns - 2, Math.floor(u)), Math.min(rows - 2, Math.floor(v))];
    const [s, t] = [u - i, v - j];
    let [across, up, weight] = [0, 0, 0];
    for (const [a, b, w] of [[i, j, (1 - s) * (1 - t)], [i + 1, j, s * (1 - t)], [i, j + 1, (1 - s) * t], [i + 1, j + 1, s * t]]) {
      if (grid.up[b][a] === null || w === 0) continue;
      across += w * grid.across[b][a];
      up += w * grid.up[b][a];
      weight += w;
    }
    return weight > 0.5 ? [across / weight, up / weight] : null;
  };
}

/** Lines that follow the field, none too near another: an even texture. */
export function streamlines(grid, cells = 22, step = 0.008) {
  const velocity = velocityOf(grid);
  const taken = new Uint8Array(cells * cells);
  const cell = (x, y) => Math.min(cells - 1, Math.floor(x * cells)) + cells * Math.min(cells - 1, Math.floor((y / grid.y[1]) * cells));
  const found = [];
  const walk = (x, y, sign, own) => {
    const points = [];
    for (let count = 0; count < 90; count += 1) {
      const speed = velocity(x, y);
      const size = speed ? Math.hypot(...speed) : 0;
      if (!speed || size < 1e-4) break;
      const half = velocity(x + (sign * step * speed[0]) / size / 2, y + (sign * step * speed[1]) / size / 2) ?? speed;
      const length = Math.hypot(...half) || 1;
      x += (sign * step * half[0]) / length;
      y += (sign * step * half[1]) / length;
      if (!velocity(x, y)) break;
      const here = cell(x, y);
      if (taken[here] && !own.has(here)) break;
      own.add(here);
      points.push([x, y]);
    }
    return points;
  };
  for (let number = 0; number < cells * cells; number += 1) {
    const place = (number * 181) % (cells * cells); // all places, spread out
    const [x, y] = [((place % cells) + 0.5) / cells, ((Math.floor(place / cells) + 0.5) / cells) * grid.y[1]];
    if (taken[place] || !velocity(x, y)) continue;
    const own = new Set([place]);
    const ahead = walk(x, y, 1, own);
    const stream = [...walk(x, y, -1, own).reverse(), [x, y], ...ahead];
    if (stream.length < 7) continue;
    for (const here of own) taken[here] = 1;
    found.push(stream);
  }
  return found;
}

/** A small head in the middle of a stream. */
function arrow(stream, at) {
  const middle = Math.floor(stream.length / 2);
  const [[x0, y0], [x1, y1]] = [at(...stream[Math.max(0, middle - 2)]), at(...stream[Math.min(stream.length - 1, middle + 1)])];
  const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  return svg("path", { d: "M-3.5-3L3-0L-3.5 3z", class: "head", transform: `translate(${x1.toFixed(1)} ${y1.toFixed(1)}) rotate(${angle.toFixed(0)})` });
}

/** What the marks mean, for those that are there. @param {HTMLElement} place @param {any[]} panels */
export function drawLegend(place, panels) {
  const kinds = [...new Set(panels.flatMap((panel) => panel.rest_points.map((one) => one.kind)))];
  const mark = (shape, style) => svg("svg", { class: "swatch field", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, svg("path", { d: shape, class: style }));
  const rows = [element("li", {}, mark(STAR, "nash"), "Nash equilibrium")];
  for (const kind of kinds) rows.push(element("li", {}, mark(KINDS[kind][0], `rest ${KINDS[kind][1]}`), `${kind}: ${KINDS[kind][2]}`));
  if (panels.some((panel) => panel.paths.length)) rows.push(element("li", {}, mark("M-9 4C-4-8 3 8 9-4", "path"), "path of the field"));
  if (panels.some((panel) => panel.learners.length)) rows.push(element("li", {}, mark("M-9 4L-4-4L0 3L4-3L9 2", "learner"), "single pairs of learners"));
  if (panels.some((panel) => panel.separatrices.length)) rows.push(element("li", {}, mark("M-9 6L9-6", "separatrix"), "separatrix: parts the basins"));
  place.replaceChildren(...rows);
}
