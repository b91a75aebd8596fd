// The page Play: a form for a new game, or the game whose id stands in the address.

import { byId, showError } from "./page.js";
import { beginGame, PlayerForm } from "./players.js";
import { GamePage } from "./game_page.js";

const id = byId("play").dataset.game;
if (id) playOn(id);
else begin().catch((error) => showError("error", error));

async function begin() {
  const query = new URLSearchParams(location.search);
  const start = query.get("position") ?? "start";
  const sides = [new PlayerForm(byId("first"), query.get("first") ?? "human"), new PlayerForm(byId("second"), query.get("second") ?? "mcts:300")];
  byId("start").value = start;
  if (start !== "start") byId("further").open = true;
  await beginGame(
    "play",
    sides,
    query,
    () => ({ start: byId("start").value.trim() || "start" }),
    (about) => {
      byId("position-help").textContent = about.position_help;
    },
  );
}

/** @param {string} table */
function playOn(table) {
  const page = new GamePage(table, {
    onState: (state) => {
      byId("advice").textContent = "";
      page.board.highlight(null);
      byId("analyse").href = `/analyse?game=${encodeURIComponent(state.game)}&position=${encodeURIComponent(state.position)}`;
      byId("resign-sure").hidden = true;
    },
  });
  byId("download").href = `${page.path}/record`;
  byId("review").href = `/analyse?session=${table}`;
  for (const action of ["undo", "redo", "restart", "swap", "stop", "resume"]) byId(action).addEventListener("click", () => page.act(action));
  byId("hint").addEventListener("click", () => page.hint());
  byId("resign").addEventListener("click", () => {
    byId("resign-sure").hidden = !byId("resign-sure").hidden;
    if (!byId("resign-sure").hidden) byId("resign-yes").focus();
  });
  byId("resign-yes").addEventListener("click", () => page.act("resign"));
  byId("resign-no").addEventListener("click", () => {
    byId("resign-sure").hidden = true;
    byId("resign").focus();
  });
  for (const [button, ply] of [["to-start", () => 0], ["back", () => (page.looking ?? page.state.moves.length) - 1], ["forward", () => (page.looking ?? page.state.moves.length) + 1], ["to-end", () => page.state.moves.length]]) {
    byId(String(button)).addEventListener("click", () => page.look(/** @type {() => number} */ (ply)()));
  }
  byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const move = byId("typed-move").value.trim();
    if (move) page.move(move);
    byId("typed-move").value = "";
  });
  byId("present").addEventListener("click", () => page.look(page.state.moves.length));
}
