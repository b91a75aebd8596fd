// Elements of pages, pictures and tables.  Texts are set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with this id, of this class.  Throws if there is none: the template and its script disagree.
 *
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {Element} Kind
 * @overload
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
/** @param {string} id @param {new () => Element} kind */
export function byId(id, kind = HTMLElement) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** The button with this id. @param {string} id */
export const buttonById = (id) => byId(id, HTMLButtonElement);

/** The link with this id. @param {string} id */
export const linkById = (id) => byId(id, HTMLAnchorElement);

/** The input with this id. @param {string} id */
export const inputById = (id) => byId(id, HTMLInputElement);

/** The select element with this id. @param {string} id */
export const selectById = (id) => byId(id, HTMLSelectElement);

/**
 * A new element.  The attribute `text` is its text, `on…` are listeners, `true` is an attribute without a
 * value; attributes that are false, null or undefined are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = String(value);
    else if (typeof value === "function")
      made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A new element of a picture; attributes as in `element`.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string|number|null|undefined>} [attributes]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[Tag]} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = String(value);
    else if (value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A table from its description; `into` is filled anew if it is given.
 *
 * @param {Api.Table} table
 * @param {HTMLTableElement} [into]
 */
export function tableElement(table, into = element("table")) {
  /** @param {number} column */
  const side = (column) => (table.left.includes(column) ? "" : "number");
  const headCells = table.head.map((text, column) =>
    text
      ? element("th", { scope: "col", class: side(column), text })
      : element("td", { class: side(column), text: "" }),
  );
  const rows = table.rows.map((row) => {
    const cells = row.map((text, column) => {
      const isHead = column === 0 && table.left.includes(0) && text !== "";
      return element(isHead ? "th" : "td", { class: side(column), scope: isHead ? "row" : null, text });
    });
    return element("tr", {}, ...cells);
  });
  const hasHead = table.head.some((text) => text);
  into.replaceChildren(
    element("caption", { text: table.caption }),
    ...(hasHead ? [element("thead", {}, element("tr", {}, ...headCells))] : []),
    element("tbody", {}, ...rows),
  );
  return into;
}

/**
 * Scroll a list, but never the page, until an item of it is seen.
 *
 * @param {HTMLElement} list
 * @param {Element|null} item
 */
export function scrollWithin(list, item) {
  if (!item) return;
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
