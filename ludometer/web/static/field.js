// The picture of a learning dynamics: streamlines drawn from a grid of velocities, paths, rest points by
// kind, equilibria. Everything comes from the server in the panel's own coordinates (see
// view/dynamics/fields.py); shapes, not colours alone, tell kinds apart.

import { element, svg } from "./elements.js";
import { streamlines } from "./streamlines.js";

const SIDE = 440; // pixels
const HEIGHT = Math.sqrt(3) / 2; // of a triangle whose side is 1
const SHARES = [0, 0.25, 0.5, 0.75, 1]; // at which a square has ticks
const STAR = "M0-10L2.6-3.4L9.6-3.1L4.1 1.3L6 8.1L0 4.2L-6 8.1L-4.1 1.3L-9.6-3.1L-2.6-3.4z";
const DISC = "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0";

/** @type {Record<string, {shape: string, style: string, meaning: string}>} kinds of rest points */
const KINDS = {
  sink: { shape: DISC, style: "full", meaning: "everything near is drawn in" },
  source: { shape: DISC, style: "hollow", meaning: "everything near is driven away" },
  saddle: {
    shape: "M-5.5-5.5L5.5 5.5M-5.5 5.5L5.5-5.5",
    style: "cross",
    meaning: "approached from some sides only",
  },
  centre: { shape: "M-6 0H6M0-6V6", style: "cross", meaning: "orbits circle" },
  degenerate: {
    shape: "M-5.5-5.5h11v11h-11z",
    style: "hollow",
    meaning: "the linear part does not decide",
  },
  equilibrium: {
    shape: "M0-7L7 0L0 7L-7 0z",
    style: "full",
    meaning: "a rest point of a field that jumps",
  },
};

/**
 * Where a panel lies in its picture: the size of the picture, and the rectangle around the square or
 * triangle.
 *
 * @typedef {{width: number, height: number, left: number, top: number, tall: number}} Layout
 */
/** @typedef {(x: number, y: number) => string} ToPixels a point in panel coordinates, for a path */

/** @type {Record<Api.FieldPanel["shape"], Layout>} */
const LAYOUTS = {
  square: { width: SIDE + 60, height: SIDE + 52, left: 48, top: 10, tall: SIDE },
  triangle: { width: SIDE + 80, height: SIDE * HEIGHT + 76, left: 40, top: 30, tall: SIDE * HEIGHT },
};

/** Draw a panel into a place, or draw it anew. @param {HTMLElement} place @param {Api.FieldPanel} panel */
export function drawPanel(place, panel) {
  const layout = LAYOUTS[panel.shape];
  const isSquare = panel.shape === "square";
  /** @type {(point: Api.Point) => Api.Point} */
  const at = ([x, y]) => {
    const up = isSquare ? y : y / HEIGHT;
    return [layout.left + x * SIDE, layout.top + layout.tall * (1 - up)];
  };
  /** @type {ToPixels} */
  const point = (x, y) =>
    at([x, y])
      .map((value) => value.toFixed(1))
      .join(" ");
  /** @param {Api.Point[]} points */
  const line = (points) => (points.length ? `M${points.map(([x, y]) => point(x, y)).join("L")}` : "");
  /** @param {string} name @param {Api.Point[][]} lines */
  const lines = (name, lines) => lines.map((points) => svg("path", { d: line(points), class: name }));
  /** @param {string} name @param {Api.Point[][]} lines */
  const starts = (name, lines) =>
    lines
      .filter((points) => points.length)
      .map(([first]) => {
        const [cx, cy] = at(first);
        return svg("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3, class: `${name}-start` });
      });
  const streams = streamlines(panel.grid).flatMap((stream) => [
    svg("path", { d: line(stream) }),
    arrowHead(stream.map(at)),
  ]);
  const parts = [
    ...(isSquare ? squareFrame(panel, point, layout) : triangleFrame(panel, point, layout)),
    svg("g", { class: "streams" }, ...streams),
    ...lines("learner", panel.learners),
    ...starts("learner", panel.learners),
    ...lines("separatrix", panel.separatrices),
    ...lines("path", panel.paths),
    ...starts("path", panel.paths),
    ...panel.equilibria.map(({ x, y, text }) =>
      pointMark(STAR, "nash", point(x, y), `Nash equilibrium: ${text}`),
    ),
    ...panel.rest_points.map(({ x, y, kind, text }) => {
      const { shape, style } = KINDS[kind];
      return pointMark(shape, `rest ${style}`, point(x, y), `${kind}: ${text}`);
    }),
  ];
  const picture =
    place.querySelector("svg") ?? place.appendChild(svg("svg", { class: "field", role: "img" }));
  picture.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height.toFixed(0)}`);
  const who = isSquare ? "both players" : panel.who;
  const points = panel.rest_points.map(({ kind, text }) => `${kind} at ${text}`);
  picture.setAttribute("aria-label", `Field of ${who}: ${points.join("; ")}`);
  picture.replaceChildren(...parts);
}

/**
 * A mark at a point, with a title.
 *
 * @param {string} shape
 * @param {string} style
 * @param {string} place
 * @param {string} title
 */
function pointMark(shape, style, place, title) {
  const attributes = { d: shape, class: style, transform: `translate(${place})` };
  return svg("path", attributes, svg("title", { text: title }));
}

/** @param {Api.FieldPanel} panel @param {ToPixels} point @param {Layout} layout */
function squareFrame(panel, point, { left, top, tall }) {
  const outline = `M${point(0, 0)}L${point(1, 0)}L${point(1, 1)}L${point(0, 1)}Z`;
  const [middleX, middleY] = [left + SIDE / 2, top + tall / 2];
  const ticks = SHARES.flatMap((share) => [
    svg("text", { x: left + share * SIDE, y: top + tall + 18, class: "tick middle", text: share }),
    svg("text", { x: left - 13, y: top + tall * (1 - share) + 4, class: "tick end", text: share }),
  ]);
  const turned = { x: 12, y: middleY, transform: `rotate(-90 12 ${middleY})` };
  return [
    svg("path", { d: outline, class: "field-frame" }),
    ...ticks,
    svg("text", { x: middleX, y: top + tall + 38, class: "axis-label middle", text: panel.x }),
    svg("text", { ...turned, class: "axis-label middle", text: panel.y }),
  ];
}

/** @param {Api.FieldPanel} panel @param {ToPixels} point @param {Layout} layout */
function triangleFrame(panel, point, { left, top, tall }) {
  /** A mixture of the three actions. @param {number[]} shares */
  const mixture = ([, second, third]) => point(second + third / 2, third * HEIGHT);
  const outline = `M${mixture([1, 0, 0])}L${mixture([0, 1, 0])}L${mixture([0, 0, 1])}Z`;
  const grid = SHARES.slice(1, -1).flatMap((share) => {
    const rest = 1 - share;
    const lines = [
      [
        [share, rest, 0],
        [share, 0, rest],
      ],
      [
        [rest, share, 0],
        [0, share, rest],
      ],
      [
        [rest, 0, share],
        [0, rest, share],
      ],
    ];
    return lines.map(([from, to]) => svg("path", { d: `M${mixture(from)}L${mixture(to)}`, class: "grid" }));
  });
  const corners = [
    { x: left, y: top + tall + 20 },
    { x: left + SIDE, y: top + tall + 20 },
    { x: left + SIDE / 2, y: top - 10 },
  ];
  const names = panel.corners.map((text, place) =>
    svg("text", { ...corners[place], class: "corner middle", text }),
  );
  const text = panel.remark ? `${panel.who}; ${panel.remark}` : panel.who;
  const label = { x: left + SIDE / 2, y: top + tall + 38, class: "axis-label middle", text };
  return [svg("path", { d: outline, class: "field-frame" }), ...grid, ...names, svg("text", label)];
}

/** A small head in the middle of a stream. @param {Api.Point[]} stream in pixels */
function arrowHead(stream) {
  const middle = Math.floor(stream.length / 2);
  const [x0, y0] = stream[Math.max(0, middle - 2)];
  const [x1, y1] = stream[Math.min(stream.length - 1, middle + 1)];
  const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  const transform = `translate(${x1.toFixed(1)} ${y1.toFixed(1)}) rotate(${angle.toFixed(0)})`;
  return svg("path", { d: "M-3.5-3L3-0L-3.5 3z", class: "head", transform });
}

/** What the marks of these panels mean. @param {HTMLElement} place @param {Api.FieldPanel[]} panels */
export function drawLegend(place, panels) {
  const kinds = [...new Set(panels.flatMap((panel) => panel.rest_points.map((point) => point.kind)))];
  const items = [legendItem(STAR, "nash", "Nash equilibrium")];
  for (const kind of kinds) {
    const { shape, style, meaning } = KINDS[kind];
    items.push(legendItem(shape, `rest ${style}`, `${kind}: ${meaning}`));
  }
  if (panels.some((panel) => panel.paths.length)) {
    items.push(legendItem("M-9 4C-4-8 3 8 9-4", "path", "path of the field"));
  }
  if (panels.some((panel) => panel.learners.length)) {
    items.push(legendItem("M-9 4L-4-4L0 3L4-3L9 2", "learner", "single pairs of learners"));
  }
  if (panels.some((panel) => panel.separatrices.length)) {
    items.push(legendItem("M-9 6L9-6", "separatrix", "separatrix: parts the basins"));
  }
  place.replaceChildren(...items);
}

/** @param {string} shape @param {string} style @param {string} text */
function legendItem(shape, style, text) {
  const attributes = { class: "swatch field", viewBox: "-10 -10 20 20", "aria-hidden": "true" };
  return element("li", {}, svg("svg", attributes, svg("path", { d: shape, class: style })), text);
}
