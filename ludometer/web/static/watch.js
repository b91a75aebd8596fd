// The page Watch: two agents play, at the speed of the slider, and report on every move.

import { byId, element, showError } from "./page.js";
import { beginGame, PlayerForm } from "./players.js";
import { GamePage } from "./game_page.js";

const id = byId("watch").dataset.game;
if (id) watch(id);
else begin().catch((error) => showError("error", error));

async function begin() {
  const query = new URLSearchParams(location.search);
  const options = { people: false };
  const sides = [new PlayerForm(byId("first"), query.get("first") ?? "mcts:3000", options), new PlayerForm(byId("second"), query.get("second") ?? "mcts:300", options)];
  await beginGame("watch", sides, query, () => ({ pace: 1 }));
}

/** @param {string} table */
function watch(table) {
  const pace = byId("pace");
  const page = new GamePage(table, { onState: show });
  byId("download").href = `${page.path}/record`;
  byId("review").href = `/analyse?session=${table}`;
  for (const action of ["undo", "swap", "restart", "stop", "step"]) byId(action).addEventListener("click", () => page.act(action));
  byId("run").addEventListener("click", () => page.act(page.state.paused ? "resume" : "pause"));
  for (const [button, ply] of [["to-start", () => 0], ["back", () => (page.looking ?? page.state.moves.length) - 1], ["forward", () => (page.looking ?? page.state.moves.length) + 1], ["to-end", () => page.state.moves.length]]) {
    byId(String(button)).addEventListener("click", () => page.look(/** @type {() => number} */ (ply)()));
  }
  byId("present").addEventListener("click", () => page.look(page.state.moves.length));
  pace.addEventListener("input", () => {
    byId("pace-shown").textContent = pace.value;
  });
  pace.addEventListener("change", () => page.send("pace", { seconds: Number(pace.value) }));

  /** @param {any} state */
  function show(state) {
    byId("run").textContent = state.paused ? "Go on" : "Pause";
    byId("run").disabled = state.turn === null;
    byId("step").disabled = state.turn === null || Boolean(state.thinking);
    if (document.activeElement !== pace) {
      pace.value = state.pace;
      byId("pace-shown").textContent = pace.value;
    }
    byId("analyse").href = `/analyse?game=${encodeURIComponent(state.game)}&position=${encodeURIComponent(state.position)}`;
    byId("no-reports").hidden = state.moves.length > 0;
    const rows = state.moves.map((/** @type {string} */ move, /** @type {number} */ at) => row(state, move, at)).reverse();
    byId("reports").tBodies[0].replaceChildren(...rows);
  }
}

/** @param {any} state @param {string} move @param {number} at */
function row(state, move, at) {
  const report = state.reports[at] ?? {};
  const side = state.sides[state.movers[at]];
  const looked = report.iterations ?? report.nodes ?? null;
  const value = report.value === null || report.value === undefined ? (report.score ?? null) : `${Math.round(100 * report.value)} %`;
  const seconds = report.seconds;
  const cells = [at + 1, `${side}: ${state.players[state.movers[at]]}`, move];
  const numbers = [
    typeof value === "number" ? value.toFixed(2) : value,
    looked === null ? null : looked.toLocaleString("en"),
    report.depth,
    seconds === undefined ? null : seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`,
  ];
  return element("tr", {}, ...cells.map((text) => element("td", { text })), ...numbers.map((text) => element("td", { class: "number", text: text ?? "–" })));
}
