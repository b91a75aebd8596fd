// Elements of pictures and tables; all texts are set as text, never as markup.

import { element } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, any>} [attributes] @param {...Node} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A table from {caption, head, rows, left}; one that is there already is filled anew.
 * @param {any} table @param {HTMLTableElement} [into] @returns {HTMLTableElement}
 */
export function tableElement(table, into = element("table")) {
  const side = (place) => (table.left.includes(place) ? "" : "number");
  const plain = table.head.every((cell) => !cell);
  const head = element("thead", {}, element("tr", {}, ...table.head.map((cell, place) => (cell ? element("th", { scope: "col", class: side(place), text: cell }) : element("td", { class: side(place) })))));
  const body = element("tbody", {}, ...table.rows.map((row) => element("tr", {}, ...row.map((cell, place) => element(place === 0 && table.left.includes(0) && cell ? "th" : "td", { class: side(place), scope: place === 0 && table.left.includes(0) && cell ? "row" : null, text: cell })))));
  into.replaceChildren(element("caption", { text: table.caption }), ...(plain ? [] : [head]), body);
  return into;
}
