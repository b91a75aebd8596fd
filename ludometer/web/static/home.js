// The home page: the games played last.

import { ask } from "./ask.js";
import { byId, element } from "./elements.js";

const SHOWN = 8;

/** Pictures need the rules of each game, which are compiled when the lab is used for the first time. */
setTimeout(() => {
  const pictures = [...document.querySelectorAll(".game img")].filter(
    (each) => each instanceof HTMLImageElement,
  );
  if (pictures.every((each) => each.complete)) return;
  const text = "The first time takes a while: code is compiled.";
  const note = element("p", { class: "soft small", role: "status", text });
  byId("games-title").after(note);
  Promise.allSettled(pictures.map((each) => each.decode())).then(() => note.remove());
}, 1500);

/** @type {Api.RecentGame[]} */
const recent = await ask("/api/sessions");
if (recent.length) {
  const head = ["Game", "Players", "Result"].map((text) => element("th", { text }));
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...recent.slice(0, SHOWN).map(row)),
  );
  const around = { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Latest first" };
  byId("recent").replaceChildren(element("div", around, table));
}

/** @param {Api.RecentGame} game */
function row({ id, game, players, moves, result }) {
  const page = players.includes("human") ? "play" : "watch";
  const who = players.map((player) => (player === "human" ? "You" : player)).join(" against ");
  const state = result ?? `goes on, ${moves} ${moves === 1 ? "move" : "moves"} made`;
  return element(
    "tr",
    {},
    element("td", {}, element("a", { href: `/${page}/${id}`, text: game })),
    element("td", { text: who }),
    element("td", { text: state }),
  );
}
