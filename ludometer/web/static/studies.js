// The verdict table of `ludometer reproduce`, with filters and, where an entry has figures, its curves over the report's points.

import { Live } from "./live.js";
import { ask, byId, element, showError } from "./page.js";
import { Plot } from "./plot.js";

const MOST = 40;
const LOOKS = { agrees: "good", differs: "warn", "report is wrong": "bad" };
const ORDER = ["agrees", "differs", "report is wrong", "hardware", "not run", "not measured yet"];
let entries = [];
let verdict = "";
let most = MOST; // rows that are shown

/** Plain data in a short line. @param {any} value @returns {string} */
function plain(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? value.toLocaleString("en") : String(+value.toPrecision(4));
  if (Array.isArray(value)) return value.map(plain).join(" ");
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${plain(one)}`).join(", ");
  return String(value);
}

const short = (text) => (text.length > 160 ? `${text.slice(0, 159)}…` : text);

function row(entry) {
  const interval = entry.interval ? ` [${entry.interval.map(plain).join(", ")}]` : "";
  const more = element("details", {}, element("summary", { text: "more" }),
    element("p", { class: "small wrap" }, entry.note || "Nothing to add."),
    element("p", { class: "small soft wrap" }, [entry.where, entry.effort, entry.origin].filter(Boolean).join(" · ")),
    entry.settings ? element("pre", { tabindex: 0, "aria-label": "how it is measured", text: entry.settings }) : null);
  if (entry.figures?.length) more.addEventListener("toggle", () => {
    if (more.open && !more.querySelector("figure")) for (const figure of entry.figures) new Plot(more).show(chart(figure));
  });
  return element("tr", {}, element("td", {}, element("code", { text: entry.item }), element("div", { text: entry.title ?? "" }), more),
    element("td", { class: "wrap number-text", "data-head": "reported", text: short(plain(entry.reported)) }), element("td", { class: "wrap number-text", "data-head": "here", text: short(plain(entry.measured) + interval) }),
    element("td", { class: "verdict" }, element("span", { class: `badge ${LOOKS[entry.verdict] ?? ""}`, text: entry.verdict })));
}

/** A figure of a study as a chart. @param {any} figure */
function chart(figure) {
  const scale = { log: "log", symlog: "zero-log" }[figure.x_scale] ?? "linear";
  const series = [];
  for (const curve of figure.curves) {
    series.push({ name: curve.label, band: curve.low.length > 0, points: curve.x.map((x, place) => [x, curve.y[place], curve.low[place] ?? null, curve.high[place] ?? null]).filter((point) => point[1] !== null) });
    const reported = (curve.reported_x ?? []).map((x, place) => [x, curve.reported_y[place], null, null]).filter((point) => point[1] !== null);
    if (reported.length) series.push({ name: `${curve.label}, as reported`, points: reported, loose: true });
  }
  return { kind: "curves", title: figure.title, x: { label: figure.x_label, scale, format: "number" }, y: { label: figure.y_label, scale: figure.y_scale === "log" ? "log" : "linear", format: "number" }, series, lines: [] };
}

function show() {
  const study = byId("study").value;
  const search = byId("search").value.toLowerCase();
  const fitting = entries.filter((entry) => (!verdict || entry.verdict === verdict) && (!study || entry.study === study) && (!search || `${entry.item} ${entry.title} ${entry.where} ${entry.note}`.toLowerCase().includes(search)));
  byId("rows").replaceChildren(...fitting.slice(0, most).map(row));
  byId("shown").textContent = `${fitting.length} of ${entries.length} entries`;
  byId("more").hidden = fitting.length <= most;
  byId("more").textContent = `Show ${fitting.length - most} more`;
  for (const button of byId("verdicts").children) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
}

async function load() {
  const found = await ask("/api/studies");
  entries = found.entries;
  byId("loading").hidden = true;
  byId("empty").hidden = entries.some((entry) => entry.origin);
  byId("content").hidden = !entries.length;
  byId("verdicts").replaceChildren(...[["", entries.length], ...ORDER.filter((name) => found.verdicts[name]).map((name) => [name, found.verdicts[name]])].map(([name, count]) => element("button", { type: "button", "data-verdict": name, "aria-pressed": "false", text: `${name || "all"} ${count}`, onclick: () => {
    verdict = name;
    filter();
  } })));
  const study = byId("study").value;
  byId("study").replaceChildren(element("option", { value: "", text: "all" }), ...[...new Set(entries.map((entry) => entry.study))].map((one) => element("option", { value: one, text: one })));
  byId("study").value = study;
  show();
}

/** Other entries are asked for: from the first one on. */
function filter() {
  most = MOST;
  show();
}

byId("study").addEventListener("change", filter);
byId("search").addEventListener("input", filter);
byId("more").addEventListener("click", () => {
  const first = byId("rows").children.length;
  most = Infinity;
  show();
  byId("rows").children[first]?.querySelector("summary")?.focus();
});
let waiting = 0;
const tell = (error) => showError("problem", error);
load().catch(tell);
// Whenever something was measured there may be more findings; ask again, not too often.
new Live("experiments/all", {
  snapshot: () => {},
  change: (change) => {
    if (!change.runs || waiting) return;
    waiting = setTimeout(() => {
      waiting = 0;
      if (!byId("rows").querySelector("details[open]")) load().catch(tell);
    }, 2000);
  },
});
