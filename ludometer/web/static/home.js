// The home page: the games played last.

import { ask, byId, element } from "./page.js";

// pictures need the rules of each game, which are compiled when the lab is used for the first time
setTimeout(() => {
  const pictures = [...document.querySelectorAll(".game img")];
  if (pictures.some((/** @type {any} */ each) => !each.complete)) {
    const note = element("p", { class: "soft small", role: "status", text: "The first time takes a while: code is compiled." });
    byId("games-title").after(note);
    Promise.allSettled(pictures.map((/** @type {any} */ each) => each.decode())).then(() => note.remove());
  }
}, 1500);

const recent = await ask("/api/sessions");
if (recent.length) {
  const rows = recent.slice(0, 8).map((/** @type {any} */ row) => {
    const agentsOnly = row.players.every((/** @type {string} */ player) => player !== "human");
    const who = row.players.map((/** @type {string} */ player) => (player === "human" ? "You" : player)).join(" against ");
    const state = row.result ?? `goes on, ${row.moves} ${row.moves === 1 ? "move" : "moves"} made`;
    const link = element("a", { href: `${agentsOnly ? "/watch" : "/play"}/${row.id}`, text: row.game });
    return element("tr", {}, element("td", {}, link), element("td", { text: who }), element("td", { text: state }));
  });
  const head = element("tr", {}, ...["Game", "Players", "Result"].map((text) => element("th", { text })));
  byId("recent").replaceChildren(element("div", { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Latest first" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))));
}
