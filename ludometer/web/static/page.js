// What every page has: light or dark, the announcer for screen readers, small functions to build elements and to ask the server.

const root = document.documentElement;

/** Whether the page is dark now. */
function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
document.getElementById("theme")?.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

// where the names of the pages do not fit side by side, the one that is open is in sight
const here = document.querySelector(".top nav [aria-current]");
if (here instanceof HTMLElement && here.parentElement) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2;

/** Say something to screen readers. @param {string} text */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer && announcer.textContent !== text) announcer.textContent = text;
}

/** The element with this id; its absence is a defect of the template. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/**
 * A new element.  Texts are set as text, never as markup.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node|string|null)} children @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Scroll a list, and never the page, until an item of it is seen. @param {HTMLElement} list @param {Element|null} item */
export function scrollWithin(list, item) {
  if (!item) return;
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** The arrow keys step through moves, wherever they have no other meaning. @param {(by: number) => void} step is told -1 or 1 */
export function onArrows(step) {
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, [data-area], .scroll, pre")) return;
    event.preventDefault();
    step(by);
  });
}

/** An error that the server put into words. */
export class Problem extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/**
 * Ask the API; raises Problem with words for people.
 * @param {string} path @param {{method?: string, body?: any, signal?: AbortSignal}} [options] @returns {Promise<any>}
 */
export async function ask(path, { method = "GET", body = undefined, signal = undefined } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "The lab does not answer. Is `ludometer serve` still running?");
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  let document_ = null;
  try {
    document_ = JSON.parse(text);
  } catch {
    throw new Problem(answer.status, `The lab answered ${answer.status} with something that is not JSON.`);
  }
  if (!answer.ok) throw new Problem(answer.status, document_.detail ?? `The lab answered ${answer.status}.`);
  return document_;
}

/** Show an error in words where the page has room for it. @param {string} id @param {unknown} error */
export function showError(id, error) {
  const place = byId(id);
  const text = error === null ? "" : error instanceof Error ? error.message : String(error);
  place.textContent = text;
  if (text) announce(text);
}
