// The page Play: a form for a new game, or the game whose id stands in the address.

import { byId, inputById } from "./elements.js";
import { GamePage } from "./game_page.js";
import { showError } from "./page.js";
import { newGameForm, PlayerForm } from "./players.js";

const id = byId("play").dataset.game;
if (id) playOn(id);
else begin().catch((error) => showError("error", error));

async function begin() {
  const query = new URLSearchParams(location.search);
  const start = inputById("start");
  start.value = query.get("position") ?? "start";
  byId("further", HTMLDetailsElement).open = start.value !== "start";
  await newGameForm({
    page: "play",
    query,
    sides: [
      new PlayerForm(byId("first"), query.get("first") ?? "human"),
      new PlayerForm(byId("second"), query.get("second") ?? "mcts:300"),
    ],
    more: () => ({ start: start.value.trim() || "start" }),
    onGame: (about) => {
      byId("position-help").textContent = about.position_help;
    },
  });
}

/** Show a game in progress. @param {string} gameId */
function playOn(gameId) {
  const page = new GamePage(gameId, {
    onState: () => {
      byId("advice").textContent = "";
      page.board.highlight(null);
      byId("resign-sure").hidden = true;
    },
  });
  for (const action of ["undo", "redo", "restart", "swap", "stop", "resume"]) {
    byId(action).addEventListener("click", () => page.act(action));
  }
  byId("hint").addEventListener("click", () => page.hint());
  byId("resign").addEventListener("click", () => {
    const question = byId("resign-sure");
    question.hidden = !question.hidden;
    if (!question.hidden) byId("resign-yes").focus();
  });
  byId("resign-yes").addEventListener("click", () => page.act("resign"));
  byId("resign-no").addEventListener("click", () => {
    byId("resign-sure").hidden = true;
    byId("resign").focus();
  });
  byId("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const input = inputById("typed-move");
    const move = input.value.trim();
    if (move) page.move(move);
    input.value = "";
  });
}
