// What every page has: light or dark, the announcer for screen readers, and where errors are shown.

import { byId } from "./elements.js";

const root = document.documentElement;

/** True if the page is dark now. */
function isDark() {
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

document.getElementById("theme")?.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

/** Scroll the names of the pages, which may not fit side by side, until the present one is in the middle. */
function showPresentPage() {
  const present = document.querySelector(".top nav [aria-current]");
  if (!(present instanceof HTMLElement) || !present.parentElement) return;
  const names = present.parentElement;
  names.scrollLeft = present.offsetLeft - names.offsetLeft - (names.clientWidth - present.offsetWidth) / 2;
}
showPresentPage();

/** Say something to screen readers. @param {string} text */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer && announcer.textContent !== text) announcer.textContent = text;
}

/**
 * Show an error in the element with this id, or clear it.
 *
 * @param {string} id
 * @param {unknown} error null: no error
 */
export function showError(id, error) {
  const text = error === null ? "" : error instanceof Error ? error.message : String(error);
  byId(id).textContent = text;
  if (text) announce(text);
}

/**
 * Call `step` with -1 or 1 when ← or → is pressed where these keys have no other meaning.
 *
 * @param {(by: number) => void} step
 */
export function onArrows(step) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    const used = "input, select, textarea, [data-area], .scroll, pre";
    if (event.target instanceof Element && event.target.closest(used)) return;
    event.preventDefault();
    step(event.key === "ArrowLeft" ? -1 : 1);
  });
}
