// The verdict table of `ludometer reproduce`, with filters; an entry with figures shows its curves over the
// points of the report.

import { ask } from "./ask.js";
import { buttonById, byId, element, inputById, selectById } from "./elements.js";
import { Live } from "./live.js";
import { showError } from "./page.js";
import { Plot } from "./plot.js";

const FIRST_ROWS = 40;
const MOST_LETTERS = 160; // of a value
const RELOAD_AFTER = 2000; // milliseconds
/** @type {Record<string, string>} */
const BADGES = { agrees: "good", differs: "warn", "report is wrong": "bad" };
const VERDICTS = ["agrees", "differs", "report is wrong", "hardware", "not run", "not measured yet"];

/** @type {Api.Finding[]} */
let entries = [];
let verdict = ""; // that is chosen; "" for all
let shownRows = FIRST_ROWS;

/** A value in a short line. @param {unknown} value @returns {string} */
function plain(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    return Number.isInteger(value) ? value.toLocaleString("en") : String(+value.toPrecision(4));
  }
  if (Array.isArray(value)) return value.map(plain).join(" ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${plain(part)}`)
    .join(", ");
}

/** @param {string} text */
const shorten = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);

/** A line of the table. @param {Api.Finding} entry */
function row(entry) {
  const interval = entry.interval ? ` [${entry.interval.map(plain).join(", ")}]` : "";
  const badge = element("span", { class: `badge ${BADGES[entry.verdict] ?? ""}`, text: entry.verdict });
  const value = (/** @type {string} */ head, /** @type {string} */ text) =>
    element("td", { class: "wrap number-text", "data-head": head, text: shorten(text) });
  return element(
    "tr",
    {},
    element(
      "td",
      {},
      element("code", { text: entry.item }),
      element("div", { text: entry.title ?? "" }),
      details(entry),
    ),
    value("reported", plain(entry.reported)),
    value("here", plain(entry.measured) + interval),
    element("td", { class: "verdict" }, badge),
  );
}

/**
 * What is known of an entry beside its values; figures are drawn when it is opened.
 *
 * @param {Api.Finding} entry
 */
function details({ note, where, effort, origin, settings, figures }) {
  const source = [where, effort, origin].filter(Boolean).join(" · ");
  const made = element(
    "details",
    {},
    element("summary", { text: "more" }),
    element("p", { class: "small wrap", text: note || "Nothing to add." }),
    element("p", { class: "small soft wrap", text: source }),
    settings ? element("pre", { tabindex: 0, "aria-label": "how it is measured", text: settings }) : null,
  );
  made.addEventListener("toggle", () => {
    if (!made.open || made.querySelector("figure")) return;
    for (const figure of figures) new Plot(made).show(chartOf(figure));
  });
  return made;
}

/** A figure of a study as a chart. @param {Api.StudyFigure} figure @returns {Api.CurvesChart} */
function chartOf({ title, curves, x_label: xLabel, y_label: yLabel, x_scale: xScale, y_scale: yScale }) {
  /** @type {Record<string, Api.Axis["scale"]>} */
  const scales = { log: "log", symlog: "zero-log" };
  return {
    kind: "curves",
    title,
    x: { label: xLabel, scale: scales[xScale] ?? "linear", format: "number" },
    y: { label: yLabel, scale: yScale === "log" ? "log" : "linear", format: "number" },
    series: curves.flatMap(seriesOf),
    lines: [],
  };
}

/**
 * A measured curve, and the points of the report if it has some.
 *
 * @param {Api.StudyCurve} curve
 * @returns {Api.CurveSeries[]}
 */
function seriesOf({ label, x, y, low, high, reported_x: reportedX = [], reported_y: reportedY = [] }) {
  const measured = points(x, y, low, high);
  const reported = points(reportedX, reportedY);
  const series = { name: label, band: low.length > 0, points: measured };
  return reported.length
    ? [series, { name: `${label}, as reported`, points: reported, loose: true }]
    : [series];
}

/**
 * The points that have a value.
 *
 * @param {number[]} x
 * @param {(number|null)[]} y
 * @param {(number|null)[]} [low]
 * @param {(number|null)[]} [high]
 * @returns {Api.CurvePoint[]}
 */
function points(x, y, low = [], high = []) {
  return x.flatMap((place, number) => {
    const value = y[number];
    if (value === null) return [];
    return [/** @type {Api.CurvePoint} */ ([place, value, low[number] ?? null, high[number] ?? null])];
  });
}

function show() {
  const fitting = entries.filter(fits);
  byId("rows").replaceChildren(...fitting.slice(0, shownRows).map(row));
  byId("shown").textContent = `${fitting.length} of ${entries.length} entries`;
  byId("more").hidden = fitting.length <= shownRows;
  byId("more").textContent = `Show ${fitting.length - shownRows} more`;
  for (const button of byId("verdicts").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
  }
}

/** True if an entry passes all filters. @param {Api.Finding} entry */
function fits(entry) {
  const study = selectById("study").value;
  const search = inputById("search").value.toLowerCase();
  const text = [entry.item, entry.title, entry.where, entry.note].join(" ").toLowerCase();
  return (
    (!verdict || entry.verdict === verdict) && (!study || entry.study === study) && text.includes(search)
  );
}

async function load() {
  /** @type {{entries: Api.Finding[], verdicts: Record<string, number>}} */
  const found = await ask("/api/studies");
  entries = found.entries;
  byId("loading").hidden = true;
  byId("empty").hidden = entries.some((entry) => entry.origin);
  byId("content").hidden = !entries.length;
  const present = VERDICTS.filter((name) => found.verdicts[name]);
  const buttons = present.map((name) => verdictButton(name, found.verdicts[name]));
  byId("verdicts").replaceChildren(verdictButton("", entries.length), ...buttons);
  const study = selectById("study");
  const chosen = study.value;
  const studies = [...new Set(entries.map((entry) => entry.study))];
  const options = studies.map((name) => element("option", { value: name, text: name }));
  study.replaceChildren(element("option", { value: "", text: "all" }), ...options);
  study.value = chosen;
  show();
}

/** @param {string} name @param {number} count */
function verdictButton(name, count) {
  return element("button", {
    ...{ type: "button", "data-verdict": name, "aria-pressed": "false", text: `${name || "all"} ${count}` },
    onclick: () => {
      verdict = name;
      filter();
    },
  });
}

/** The filters have changed: show the first entries that pass. */
function filter() {
  shownRows = FIRST_ROWS;
  show();
}

selectById("study").addEventListener("change", filter);
inputById("search").addEventListener("input", filter);
buttonById("more").addEventListener("click", () => {
  const rows = byId("rows").children;
  const first = rows.length;
  shownRows = Number.POSITIVE_INFINITY;
  show();
  rows[first]?.querySelector("summary")?.focus();
});

/** @param {unknown} error */
const tell = (error) => showError("problem", error);
load().catch(tell);

/** @type {number|undefined} */
let reload;
// whenever something was measured there may be more findings; ask again, but not too often and not while one
// is read
new Live("experiments/all", {
  snapshot: () => {},
  change: (/** @type {{runs?: Api.Run[]}} */ change) => {
    if (!change.runs || reload !== undefined) return;
    reload = setTimeout(() => {
      reload = undefined;
      if (!byId("rows").querySelector("details[open]")) load().catch(tell);
    }, RELOAD_AFTER);
  },
});
