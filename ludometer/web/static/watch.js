// The page Watch: two agents play, at the speed of the slider, and report on every move.

import { buttonById, byId, element, inputById } from "./elements.js";
import { GamePage } from "./game_page.js";
import { showError } from "./page.js";
import { newGameForm, PlayerForm } from "./players.js";

const id = byId("watch").dataset.game;
if (id) watch(id);
else begin().catch((error) => showError("error", error));

async function begin() {
  const query = new URLSearchParams(location.search);
  const options = { people: false };
  await newGameForm({
    page: "watch",
    query,
    sides: [
      new PlayerForm(byId("first"), query.get("first") ?? "mcts:3000", options),
      new PlayerForm(byId("second"), query.get("second") ?? "mcts:300", options),
    ],
    more: () => ({ pace: 1 }),
  });
}

/** Show a game in progress. @param {string} gameId */
function watch(gameId) {
  const pace = inputById("pace");
  const page = new GamePage(gameId, { onState: show });
  for (const action of ["undo", "swap", "restart", "stop", "step"]) {
    byId(action).addEventListener("click", () => page.act(action));
  }
  byId("run").addEventListener("click", () => page.act(page.state?.paused ? "resume" : "pause"));
  pace.addEventListener("input", () => {
    byId("pace-shown").textContent = pace.value;
  });
  pace.addEventListener("change", () => page.send("pace", { seconds: Number(pace.value) }));

  /** @param {Api.GameState} state */
  function show(state) {
    buttonById("run").textContent = state.paused ? "Go on" : "Pause";
    buttonById("run").disabled = state.turn === null;
    buttonById("step").disabled = state.turn === null || state.thinking !== null;
    if (document.activeElement !== pace) {
      pace.value = String(state.pace);
      byId("pace-shown").textContent = pace.value;
    }
    byId("no-reports").hidden = state.moves.length > 0;
    const rows = state.moves.map((_, ply) => reportRow(state, ply)).reverse();
    byId("reports", HTMLTableElement).tBodies[0].replaceChildren(...rows);
  }
}

/** What an agent said of a move. @param {Api.GameState} state @param {number} ply */
function reportRow(state, ply) {
  const report = state.reports[ply] ?? {};
  const side = state.movers[ply];
  const texts = [String(ply + 1), `${state.sides[side]}: ${state.players[side]}`, state.moves[ply]];
  const numbers = [expected(report), lookedAt(report), report.depth, time(report)];
  return element(
    "tr",
    {},
    ...texts.map((text) => element("td", { text })),
    ...numbers.map((text) => element("td", { class: "number", text: text ?? "–" })),
  );
}

/** Share of the points that an agent expects, or the score of its search. @param {Api.MoveReport} report */
function expected({ value, score }) {
  if (typeof value === "number") return `${Math.round(100 * value)} %`;
  return typeof score === "number" ? score.toFixed(2) : score;
}

/** Number of iterations or positions. @param {Api.MoveReport} report */
function lookedAt({ iterations, nodes }) {
  return (iterations ?? nodes)?.toLocaleString("en");
}

/** @param {Api.MoveReport} report */
function time({ seconds }) {
  if (typeof seconds !== "number") return null;
  return seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}
