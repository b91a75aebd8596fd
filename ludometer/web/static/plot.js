// Plots drawn from charts as the server describes them (see view/results/chart_data.py): curves with
// intervals, intervals, bars, counts. A plot is drawn anew whenever its numbers or its width change.

import { element, svg } from "./elements.js";
import { numberText, Scale } from "./scale.js";

const COLOURS = 8;
const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  "M-3.6-3.6h7.2v7.2h-7.2z",
  "M0-4.6L4.4 3.4H-4.4z",
  "M0-5L5 0L0 5L-5 0z",
  "M0 4.6L4.4-3.4H-4.4z",
];
const LEFT = 58; // pixels from the edge of the picture to the frame
const TOP = 10;
const RIGHT = 14;
const BOTTOM = 44;
const LETTER = 7.2; // pixels that a letter of a tick is wide

/** @typedef {{left: number, top: number, right: number, bottom: number}} Frame in pixels */

/** @param {number} width @param {number} height @returns {Frame} */
const frameOf = (width, height) => ({ left: LEFT, top: TOP, right: width - RIGHT, bottom: height - BOTTOM });

/** A length in a path. @param {number} length */
const fixed = (length) => length.toFixed(1);

/** The plots of a page: `show(charts)` draws them, and adds and removes as many as are needed. */
export class PlotList {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {Plot[]} */
    this.plots = [];
  }

  /** @param {Api.Chart[]} charts */
  show(charts) {
    for (const plot of this.plots.splice(charts.length)) plot.remove();
    charts.forEach((chart, number) => {
      this.plots[number] ??= new Plot(this.place);
      this.plots[number].show(chart);
    });
  }
}

/** A plot inside a figure: `show(chart)` draws it, and draws it again. */
export class Plot {
  /** @param {HTMLElement} place */
  constructor(place) {
    /** @type {Api.Chart|null} */
    this.chart = null;
    this.title = element("figcaption", { class: "plot-title" });
    this.picture = svg("svg", { class: "plot", role: "img" });
    this.legend = element("ul", { class: "legend" });
    this.figure = element("figure", { class: "plot-figure" }, this.title, this.picture, this.legend);
    place.append(this.figure);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.figure);
  }

  /** @param {Api.Chart} chart */
  show(chart) {
    this.chart = chart;
    this.title.textContent = chart.title;
    this.draw();
  }

  remove() {
    this.observer.disconnect();
    this.figure.remove();
  }

  draw() {
    const chart = this.chart;
    if (!chart) return;
    const width = Math.max(260, Math.round(this.figure.clientWidth || 600));
    const height =
      chart.kind === "intervals"
        ? 56 + 30 * chart.rows.length
        : Math.round(Math.min(380, Math.max(220, width * 0.52)));
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("aria-label", `${chart.title}; the numbers are in the table`);
    this.picture.replaceChildren(...drawn(chart, width, height));
    this.legend.replaceChildren(...legendItems(chart));
    this.legend.hidden = !this.legend.childElementCount;
  }
}

/** @param {Api.Chart} chart @param {number} width @param {number} height */
function drawn(chart, width, height) {
  if (chart.kind === "curves") return curves(chart, frameOf(width, height));
  if (chart.kind === "intervals") return intervals(chart, width, height);
  if (chart.kind === "bars") return bars(chart, frameOf(width, height));
  return counts(chart, frameOf(width, height));
}

// The legend

/** Names of the series, unless there is only one; then the lines that have names. @param {Api.Chart} chart */
function legendItems(chart) {
  if (chart.kind === "intervals") return [];
  const lines = chart.kind === "curves" ? chart.lines : [];
  const isNeeded = chart.series.length + lines.length > 1;
  const names = chart.series.map(({ name }, place) =>
    element("li", {}, swatch(chart.kind, name, place), name),
  );
  const guides = lines.filter((line) => line.name).map((line) => guideItem(line.name));
  return isNeeded ? [...names, ...guides] : guides;
}

/** @param {string} name */
function guideItem(name) {
  const sample = svg("path", { d: "M0 6H18", class: "guide" });
  const picture = svg("svg", { class: "swatch", viewBox: "0 0 18 12", "aria-hidden": "true" }, sample);
  return element("li", { class: "soft" }, picture, name);
}

/** A sample of a series. @param {Api.Chart["kind"]} kind @param {string} name @param {number} place */
function swatch(kind, name, place) {
  const roles = { bars: `value-${name}`, counts: countRole(name) };
  const role = kind === "bars" || kind === "counts" ? roles[kind] : `series-${place % COLOURS}`;
  const inside =
    kind === "curves"
      ? [svg("path", { d: "M0 6H18", class: "curve" }), mark(place, 9, 6)]
      : [svg("rect", { width: 18, height: 12, rx: 3, class: "fill" })];
  const attributes = { class: `swatch ${role}`, viewBox: "0 0 18 12", "aria-hidden": "true" };
  return svg("svg", attributes, ...inside);
}

/** The class of a series of counts. @param {string} name */
function countRole(name) {
  if (name === "wins") return "value-win";
  return name === "losses" ? "value-loss" : "series-0";
}

// Parts of pictures

/**
 * The mark of a series at a point.
 *
 * @param {number} series
 * @param {number} x
 * @param {number} y
 * @param {...Node} children
 */
function mark(series, x, y, ...children) {
  const transform = `translate(${fixed(x)} ${fixed(y)})`;
  return svg("path", { d: MARKS[series % MARKS.length], transform, class: "mark" }, ...children);
}

/**
 * A text below or beside an axis.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} place
 * @param {string} text
 */
const tick = (x, y, place, text) => svg("text", { x: fixed(x), y: fixed(y), class: `tick ${place}`, text });

/**
 * Ticks of the x axis at its foot.
 *
 * @param {Scale} x
 * @param {Frame} frame
 * @param {number} width pixels that a tick needs
 */
function xTicks(x, { left, right, bottom }, width) {
  const most = Math.max(3, Math.floor((right - left) / width));
  return x.ticks(most).map((value) => ({
    at: x.at(value),
    text: tick(x.at(value), bottom + 17, "middle", numberText(value, x.format)),
  }));
}

/**
 * Axes with their ticks and labels.
 *
 * @param {Scale|null} x null: no ticks
 * @param {Scale} y
 * @param {{x: Api.Axis, y: Api.Axis}} axes
 * @param {Frame} frame
 */
function drawFrame(x, y, axes, frame) {
  const { left, top, right, bottom } = frame;
  /** @type {SVGElement[]} */
  const parts = y.ticks(5).flatMap((value) => {
    const at = y.at(value);
    const grid = svg("path", { d: `M${left} ${fixed(at)}H${right}`, class: "grid" });
    return [grid, tick(left - 6, at + 4, "end", numberText(value, y.format))];
  });
  for (const { at, text } of x ? xTicks(x, frame, 70) : []) {
    parts.push(svg("path", { d: `M${fixed(at)} ${bottom}v4`, class: "axis" }), text);
  }
  const middle = (top + bottom) / 2;
  const turned = { x: 12, y: middle, class: "axis-label middle", transform: `rotate(-90 12 ${middle})` };
  parts.push(
    svg("path", { d: `M${left} ${bottom}H${right}`, class: "axis" }),
    axisLabel((left + right) / 2, bottom, axes.x.label),
    svg("text", { ...turned, text: axes.y.label }),
  );
  return parts;
}

/** @param {number} x @param {number} bottom @param {string} text */
const axisLabel = (x, bottom, text) => svg("text", { x, y: bottom + 35, class: "axis-label middle", text });

// Curves

/** @param {Api.CurvesChart} chart @param {Frame} frame */
function curves(chart, frame) {
  const points = chart.series.flatMap((series) => series.points);
  const lines = chart.lines.map((line) => line.at);
  const ends = points.flatMap(([, ...rest]) => rest);
  const places = points.map(([place]) => place);
  const x = new Scale({ ...chart.x, isTight: true }, places, frame.left + 8, frame.right - 8);
  const y = new Scale(chart.y, [...ends, ...lines], frame.bottom, frame.top);
  return [
    ...drawFrame(x, y, chart, frame),
    ...lines.map((at) =>
      svg("path", { d: `M${frame.left} ${fixed(y.at(at))}H${frame.right}`, class: "guide" }),
    ),
    ...chart.series.map((series, number) => curve(series, number, x, y)),
  ];
}

/**
 * A curve with its intervals and marks.
 *
 * @param {Api.CurveSeries} series
 * @param {number} number
 * @param {Scale} x
 * @param {Scale} y
 */
function curve({ name, points, band = false, loose = false }, number, x, y) {
  const group = svg("g", { class: `series-${number % COLOURS}` });
  const along = points.map(([place, value]) => `${fixed(x.at(place))} ${fixed(y.at(value))}`);
  if (band && points.length) group.append(bandOf(points, x, y));
  else group.append(...points.flatMap((point) => whisker(point, x, y)));
  if (points.length && !loose) group.append(svg("path", { d: `M${along.join("L")}`, class: "curve" }));
  for (const point of band ? points.slice(-1) : points) {
    const title = svg("title", { text: `${name}: ${pointText(point, x, y)}` });
    group.append(mark(number, x.at(point[0]), y.at(point[1]), title));
  }
  return group;
}

/**
 * An end of an interval on the axis; an open one is at the end of the axis.
 *
 * @param {number|null|undefined} value
 * @param {Scale} y
 */
const endOf = (value, y) => (value === null || value === undefined ? y.to : y.at(value));

/** @param {Api.CurvePoint[]} points @param {Scale} x @param {Scale} y */
function bandOf(points, x, y) {
  const upper = points.map(([place, , , high]) => `${fixed(x.at(place))} ${fixed(endOf(high, y))}`);
  const lower = points.map(([place, , low]) => `${fixed(x.at(place))} ${fixed(endOf(low, y))}`).reverse();
  return svg("path", { d: `M${[...upper, ...lower].join("L")}Z`, class: "band" });
}

/**
 * The interval of a point; nothing if it has none.
 *
 * @param {Api.CurvePoint} point
 * @param {Scale} x
 * @param {Scale} y
 */
function whisker([place, , low = null, high = null], x, y) {
  if (low === null && high === null) return [];
  const [at, foot, top] = [x.at(place), fixed(endOf(low, y)), fixed(endOf(high, y))];
  const ends = `m-4 0h8m-4 0M${fixed(at - 4)} ${foot}h8`;
  return [svg("path", { d: `M${fixed(at)} ${foot}V${top}${ends}`, class: "whisker" })];
}

/** @param {Api.CurvePoint} point @param {Scale} x @param {Scale} y */
function pointText([place, value, low = null, high = null], x, y) {
  const text = `${numberText(place, x.format)} → ${numberText(value, y.format)}`;
  if (low === null || high === null) return text;
  return `${text} (${numberText(low, y.format)} to ${numberText(high, y.format)})`;
}

// Intervals, bars, counts

/** @param {Api.IntervalsChart} chart @param {number} width @param {number} height */
function intervals(chart, width, height) {
  const longest = Math.max(4, ...chart.rows.map((row) => row.name.length));
  const left = Math.min(width * 0.4, 16 + LETTER * longest);
  const bottom = height - BOTTOM;
  const values = chart.rows.flatMap((row) => [row.value, row.low, row.high]);
  const x = new Scale(chart.x, values, left + 8, width - 18);
  /** @type {SVGElement[]} */
  const parts = xTicks(x, { left, top: 0, right: width, bottom }, 80).flatMap(({ at, text }) => [
    svg("path", { d: `M${fixed(at)} 8V${bottom}`, class: "grid" }),
    text,
  ]);
  parts.push(axisLabel((left + width) / 2, bottom, chart.x.label));
  chart.rows.forEach(({ name, value, low, high }, place) => {
    const y = 8 + ((bottom - 8) * (place + 0.5)) / chart.rows.length;
    const [from, to] = [low === null ? x.from : x.at(low), high === null ? x.to : x.at(high)];
    const most = Math.floor((left - 12) / LETTER);
    const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
    const title = svg("title", { text: `${name}: ${numberText(value, x.format)}` });
    const line = svg("path", { d: `M${fixed(from)} ${y}H${fixed(to)}`, class: "thick" });
    const point = mark(0, x.at(value), y, title);
    parts.push(tick(left - 4, y + 4, "end", shown), svg("g", { class: "series-0" }, line, point));
  });
  return parts;
}

/** Shares that stand on each other. @param {Api.BarsChart} chart @param {Frame} frame */
function bars(chart, frame) {
  const { left, right, bottom } = frame;
  const y = new Scale(chart.y, [0, 1], bottom, frame.top);
  const parts = drawFrame(null, y, chart, frame);
  const step = (right - left) / Math.max(1, chart.labels.length);
  const width = step * 0.86;
  const labelEvery = Math.ceil(34 / step);
  chart.labels.forEach((label, place) => {
    const x = left + step * (place + 0.07);
    let foot = 0;
    for (const { name, values } of chart.series) {
      const top = foot + values[place];
      if (top > foot) {
        const title = svg("title", { text: `${label}: ${name} ${numberText(values[place], "percent")}` });
        const size = { width: fixed(width), height: fixed(Math.max(0, y.at(foot) - y.at(top))) };
        const bar = svg("rect", { x: fixed(x), y: fixed(y.at(top)), ...size, class: "fill" }, title);
        parts.push(svg("g", { class: `value-${name}` }, bar));
      }
      foot = top;
    }
    if (place % labelEvery === 0) parts.push(tick(x + width / 2, bottom + 17, "middle", label));
  });
  return parts;
}

/** Counts as stems on a logarithmic scale. @param {Api.CountsChart} chart @param {Frame} frame */
function counts(chart, frame) {
  const { left, right, top, bottom } = frame;
  const points = chart.series.flatMap((series) => series.points);
  const places = points.map(([place]) => place);
  const x = new Scale({ ...chart.x, isTight: true }, places, left + 14, right - 14);
  const y = new Scale(chart.y, [1, ...points.map(([, count]) => count)], bottom - 6, top);
  const parts = drawFrame(x, y, chart, frame);
  chart.series.forEach(({ name, points: own }, number) => {
    const aside = chart.series.length > 1 ? (number ? 2.5 : -2.5) : 0;
    const group = svg("g", { class: countRole(name) });
    for (const [place, count] of own) {
      const [at, height] = [x.at(place) + aside, y.at(count)];
      const title = svg("title", { text: `${name} in ${place}: ${count.toLocaleString("en")}` });
      const stem = svg("path", { d: `M${fixed(at)} ${bottom}V${fixed(height)}`, class: "stem" });
      group.append(stem, mark(number, at, height, title));
    }
    parts.push(group);
  });
  return parts;
}
