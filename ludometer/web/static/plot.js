// Plots drawn from charts as the server describes them (see view/results/chart_data.py): curves with intervals, intervals, bars, counts.
// A plot is drawn anew whenever its numbers or its width change; all texts are set as text.

import { element } from "./page.js";
import { svg } from "./shapes.js";

const COLOURS = 8;
const MARKS = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-3.6-3.6h7.2v7.2h-7.2z", "M0-4.6L4.4 3.4H-4.4z", "M0-5L5 0L0 5L-5 0z", "M0 4.6L4.4-3.4H-4.4z"];

/** A number for people. @param {number} value @param {string} form */
export function numberText(value, form) {
  if (form === "percent") return `${+(100 * value).toFixed(1)} %`;
  if (form === "whole" || Math.abs(value) >= 10000) return Math.abs(value) >= 1e6 ? value.toExponential(0).replace("e+", "e") : Math.round(value).toLocaleString("en");
  return String(+value.toPrecision(4));
}

class Scale {
  /** @param {{scale: string, format: string}} axis @param {number[]} values @param {number} from @param {number} to */
  constructor(axis, values, from, to) {
    const kept = values.filter((value) => value !== null && Number.isFinite(value));
    this.form = axis.format;
    this.log = axis.scale === "log" || axis.scale === "zero-log";
    const positive = kept.filter((value) => value > 0);
    this.least = positive.length ? Math.min(...positive) : 1;
    this.zero = axis.scale === "zero-log";
    let low = kept.length ? Math.min(...kept) : 0;
    let high = kept.length ? Math.max(...kept) : 1;
    if (this.form === "percent") [low, high] = [Math.min(0, low), Math.max(1, high)];
    if (this.log) [low, high] = [this.zero ? this.least / 3 : this.least, Math.max(high, this.least * 1.01)];
    else if (low === high) [low, high] = [low - 1, high + 1];
    if (!this.log && this.form !== "percent" && !axis.exact) {
      const step = niceStep(high - low, 6);
      [low, high] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
    }
    this.low = this.up(low);
    this.high = this.up(high);
    this.ends = [low, high];
    this.from = from;
    this.to = to;
  }

  /** @param {number} value */
  up(value) {
    return this.log ? Math.log10(Math.max(value, this.zero ? this.least / 3 : this.least / 1e6)) : value;
  }

  /** The place of a value. @param {number} value */
  at(value) {
    const share = (this.up(value) - this.low) / (this.high - this.low || 1);
    return this.from + Math.min(1.02, Math.max(-0.02, share)) * (this.to - this.from);
  }

  /** @param {number} most */
  ticks(most) {
    if (this.log) {
      const found = this.zero ? [0] : [];
      const first = Math.ceil(Math.log10(this.least) - 1e-9);
      const last = Math.floor(Math.log10(this.ends[1]) + 1e-9);
      const step = Math.max(1, Math.ceil((last - first + 1) / most));
      for (let power = first; power <= last; power += step) found.push(10 ** power);
      if (last - first < 2) for (let power = first - 1; power <= last; power += 1) for (const digit of [2, 5]) {
        const value = digit * 10 ** power;
        if (value >= this.least * 0.999 && value <= this.ends[1] * 1.001) found.push(value);
      }
      return found;
    }
    const step = Math.max(niceStep(this.ends[1] - this.ends[0], most), this.form === "whole" ? 1 : 0);
    const found = [];
    for (let value = Math.ceil(this.ends[0] / step - 1e-9) * step; value <= this.ends[1] + step * 1e-9; value += step) found.push(+value.toPrecision(12));
    return found;
  }
}

/** @param {number} span @param {number} most */
function niceStep(span, most) {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999) ?? power;
}

/** A plot inside a figure: `show(chart)` draws it and draws it again. */
export class Plot {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.chart = null;
    this.title = element("figcaption", { class: "plot-title" });
    this.picture = svg("svg", { class: "plot", role: "img" });
    this.legend = element("ul", { class: "legend" });
    this.figure = element("figure", { class: "plot-figure" }, this.title, this.picture, this.legend);
    place.append(this.figure);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.figure);
  }

  /** @param {any} chart */
  show(chart) {
    this.chart = chart;
    this.title.textContent = chart.title;
    this.draw();
  }

  remove() {
    this.watch.disconnect();
    this.figure.remove();
  }

  draw() {
    const width = Math.max(260, Math.round(this.figure.clientWidth || 600));
    if (!this.chart) return;
    const kinds = { curves, intervals, bars, counts };
    const height = this.chart.kind === "intervals" ? 56 + 30 * this.chart.rows.length : Math.round(Math.min(380, Math.max(220, width * 0.52)));
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("aria-label", `${this.chart.title}; the numbers are in the table`);
    this.picture.replaceChildren(...kinds[this.chart.kind](this.chart, width, height));
    const names = this.chart.kind === "intervals" || (this.chart.series?.length ?? 0) + (this.chart.lines?.length ?? 0) < 2 ? [] : [...this.chart.series];
    this.legend.replaceChildren(
      ...names.map((one, place) => element("li", {}, swatch(this.chart.kind, one, place), one.name)),
      ...(this.chart.lines ?? []).filter((line) => line.name).map((line) => element("li", { class: "soft" }, svg("svg", { class: "swatch", viewBox: "0 0 18 12", "aria-hidden": "true" }, svg("path", { d: "M0 6H18", class: "guide" })), line.name)),
    );
    this.legend.hidden = !this.legend.childElementCount;
  }
}

/** @param {string} kind @param {any} one @param {number} place */
function swatch(kind, one, place) {
  const role = kind === "bars" ? `value-${one.name}` : kind === "counts" ? countRole(one) : `series-${place % COLOURS}`;
  const inside = kind === "curves" ? [svg("path", { d: "M0 6H18", class: "curve" }), svg("path", { d: MARKS[place % MARKS.length], transform: "translate(9 6)", class: "mark" })] : [svg("rect", { width: 18, height: 12, rx: 3, class: "fill" })];
  return svg("svg", { class: `swatch ${role}`, viewBox: "0 0 18 12", "aria-hidden": "true" }, ...inside);
}

/** @param {any} one */
function countRole(one) {
  return { wins: "value-win", losses: "value-loss" }[one.name] ?? "series-0";
}

/** Axes with their labels. @param {Scale|null} x @param {Scale} y @param {any} chart @param {number[]} box */
function frame(x, y, chart, [left, top, right, bottom]) {
  const parts = [];
  for (const value of y.ticks(5)) {
    const at = y.at(value).toFixed(1);
    parts.push(svg("path", { d: `M${left} ${at}H${right}`, class: "grid" }), svg("text", { x: left - 6, y: +at + 4, class: "tick end", text: numberText(value, y.form) }));
  }
  if (x) for (const value of x.ticks(Math.max(3, Math.floor((right - left) / 70)))) {
    const at = x.at(value).toFixed(1);
    parts.push(svg("path", { d: `M${at} ${bottom}v4`, class: "axis" }), svg("text", { x: at, y: bottom + 17, class: "tick middle", text: numberText(value, x.form) }));
  }
  parts.push(svg("path", { d: `M${left} ${bottom}H${right}`, class: "axis" }));
  parts.push(svg("text", { x: (left + right) / 2, y: bottom + 35, class: "axis-label middle", text: chart.x.label }));
  parts.push(svg("text", { x: 12, y: (top + bottom) / 2, class: "axis-label middle", transform: `rotate(-90 12 ${(top + bottom) / 2})`, text: chart.y.label }));
  return parts;
}

/** @param {any} chart @param {number} width @param {number} height */
function curves(chart, width, height) {
  const box = [58, 10, width - 14, height - 44];
  const all = chart.series.flatMap((one) => one.points);
  const x = new Scale({ ...chart.x, exact: true }, all.map((point) => point[0]), box[0] + 8, box[2] - 8);
  const y = new Scale(chart.y, [...all.flatMap((point) => point.slice(1)), ...(chart.lines ?? []).map((line) => line.at)], box[3], box[1]);
  const parts = frame(x, y, chart, box);
  for (const line of chart.lines ?? []) parts.push(svg("path", { d: `M${box[0]} ${y.at(line.at).toFixed(1)}H${box[2]}`, class: "guide" }));
  chart.series.forEach((one, place) => {
    const group = svg("g", { class: `series-${place % COLOURS}` });
    const at = one.points.map((point) => [x.at(point[0]), y.at(point[1])]);
    const ends = one.points.map((point) => [point[2] === null ? y.to : y.at(point[2]), point[3] === null ? y.to : y.at(point[3])]);
    const open = one.points.map((point) => point[2] === null && point[3] === null);
    if (one.band && at.length) {
      const upper = at.map(([px], k) => `${px.toFixed(1)} ${ends[k][1].toFixed(1)}`);
      const lower = at.map(([px], k) => `${px.toFixed(1)} ${ends[k][0].toFixed(1)}`).reverse();
      group.append(svg("path", { d: `M${[...upper, ...lower].join("L")}Z`, class: "band" }));
    } else {
      at.forEach(([px], k) => {
        if (!open[k]) group.append(svg("path", { d: `M${px.toFixed(1)} ${ends[k][0].toFixed(1)}V${ends[k][1].toFixed(1)}m-4 0h8m-4 0M${(px - 4).toFixed(1)} ${ends[k][0].toFixed(1)}h8`, class: "whisker" }));
      });
    }
    if (at.length && !one.loose) group.append(svg("path", { d: `M${at.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L")}`, class: "curve" }));
    const shown = one.band ? at.slice(-1) : at;
    shown.forEach(([px, py], k) => {
      const point = one.points[one.band ? one.points.length - 1 : k];
      const words = `${one.name}: ${numberText(point[0], x.form)} → ${numberText(point[1], y.form)}`;
      const ending = point[2] === null || point[3] === null || point[2] === undefined ? "" : ` (${numberText(point[2], y.form)} to ${numberText(point[3], y.form)})`;
      group.append(svg("path", { d: MARKS[place % MARKS.length], transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})`, class: "mark" }, svg("title", { text: words + ending })));
    });
    parts.push(group);
  });
  return parts;
}

/** @param {any} chart @param {number} width @param {number} height */
function intervals(chart, width, height) {
  const longest = Math.max(4, ...chart.rows.map((row) => row.name.length));
  const left = Math.min(width * 0.4, 16 + 7.2 * longest);
  const bottom = height - 44;
  const x = new Scale(chart.x, chart.rows.flatMap((row) => [row.value, row.low, row.high]), left + 8, width - 18);
  const parts = [];
  for (const value of x.ticks(Math.max(3, Math.floor((width - left) / 80)))) {
    const at = x.at(value).toFixed(1);
    parts.push(svg("path", { d: `M${at} 8V${bottom}`, class: "grid" }), svg("text", { x: at, y: bottom + 17, class: "tick middle", text: numberText(value, x.form) }));
  }
  parts.push(svg("text", { x: (left + width) / 2, y: bottom + 35, class: "axis-label middle", text: chart.x.label }));
  chart.rows.forEach((row, place) => {
    const y = 8 + ((bottom - 8) * (place + 0.5)) / chart.rows.length;
    const [low, high] = [row.low === null ? x.from : x.at(row.low), row.high === null ? x.to : x.at(row.high)];
    const most = Math.floor((left - 12) / 7);
    const name = row.name.length > most ? `${row.name.slice(0, most - 1)}…` : row.name;
    parts.push(
      svg("text", { x: left - 4, y: y + 4, class: "tick end", text: name }),
      svg("g", { class: "series-0" }, svg("path", { d: `M${low.toFixed(1)} ${y}H${high.toFixed(1)}`, class: "thick" }), svg("path", { d: MARKS[0], transform: `translate(${x.at(row.value).toFixed(1)} ${y})`, class: "mark" }, svg("title", { text: `${row.name}: ${numberText(row.value, x.form)}` }))),
    );
  });
  return parts;
}

/** @param {any} chart @param {number} width @param {number} height */
function bars(chart, width, height) {
  const box = [58, 10, width - 8, height - 44];
  const y = new Scale(chart.y, [0, 1], box[3], box[1]);
  const parts = frame(null, y, chart, box);
  const step = (box[2] - box[0]) / Math.max(1, chart.labels.length);
  const every = Math.ceil(34 / step);
  chart.labels.forEach((label, place) => {
    let foot = 0;
    const x = box[0] + step * place + step * 0.07;
    for (const one of chart.series) {
      const top = foot + one.values[place];
      if (top > foot) parts.push(svg("g", { class: `value-${one.name}` }, svg("rect", { x: x.toFixed(1), y: y.at(top).toFixed(1), width: (step * 0.86).toFixed(1), height: Math.max(0, y.at(foot) - y.at(top)).toFixed(1), class: "fill" }, svg("title", { text: `${label}: ${one.name} ${numberText(one.values[place], "percent")}` }))));
      foot = top;
    }
    if (place % every === 0) parts.push(svg("text", { x: (x + step * 0.43).toFixed(1), y: box[3] + 17, class: "tick middle", text: label }));
  });
  return parts;
}

/** @param {any} chart @param {number} width @param {number} height */
function counts(chart, width, height) {
  const box = [58, 10, width - 14, height - 44];
  const all = chart.series.flatMap((one) => one.points);
  const x = new Scale({ ...chart.x, exact: true }, all.map((point) => point[0]), box[0] + 14, box[2] - 14);
  const y = new Scale(chart.y, [1, ...all.map((point) => point[1])], box[3] - 6, box[1]);
  const parts = frame(x, y, chart, box);
  chart.series.forEach((one, place) => {
    const aside = chart.series.length > 1 ? (place ? 2.5 : -2.5) : 0;
    const group = svg("g", { class: countRole(one) });
    for (const [at, count] of one.points) {
      const px = (x.at(at) + aside).toFixed(1);
      group.append(svg("path", { d: `M${px} ${box[3]}V${y.at(count).toFixed(1)}`, class: "stem" }), svg("path", { d: MARKS[place], transform: `translate(${px} ${y.at(count).toFixed(1)})`, class: "mark" }, svg("title", { text: `${one.name} in ${at}: ${count.toLocaleString("en")}` })));
    }
    parts.push(group);
  });
  return parts;
}
