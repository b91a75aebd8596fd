// Forms: which game, and who plays on a side: a person, a level, or any agent with its options as fields.

import { ask, post } from "./ask.js";
import { byId, element } from "./elements.js";
import { showError } from "./page.js";

const HUMAN = "human";
const AGENT = "agent"; // the choice that shows the fields of agents
let fieldCount = 0;

/** @typedef {HTMLInputElement|HTMLSelectElement} Control */

/** A labelled field. @param {string} label @param {Control} control @param {string} [help] */
export function field(label, control, help = "") {
  if (!control.id) {
    fieldCount += 1;
    control.id = `field-${fieldCount}`;
  }
  const made = element(
    "div",
    { class: "field" },
    element("label", { for: control.id, text: label }),
    control,
  );
  if (help) {
    const hint = element("span", { class: "help", id: `${control.id}-help`, text: help });
    control.setAttribute("aria-describedby", hint.id);
    made.append(hint);
  }
  return made;
}

/** A select element. @param {[value: string, text: string][]} choices @param {string} chosen */
export function select(choices, chosen) {
  const options = choices.map(([value, text]) => element("option", { value, text }));
  const made = element("select", {}, ...options);
  if (choices.some(([value]) => value === chosen)) made.value = chosen;
  return made;
}

/** The game chosen last, or one of middling size. @returns {Promise<string>} */
export async function usualGame() {
  const kept = localStorage.getItem("game");
  if (kept) return kept;
  /** @type {Api.GameFamily[]} */
  const families = await ask("/api/kinds");
  const boards = families.filter((family) => !family.simultaneous);
  const { games } = boards[Math.floor(boards.length / 2)];
  return games[Math.floor((games.length - 1) / 2)];
}

/** Which game: the listed ones by family, and other sizes by their spec. */
export class GameForm {
  /**
   * @param {HTMLElement} place
   * @param {string} chosen the game that is chosen at first
   * @param {{onGame: (about: Api.GameDescription) => void, onError: (error: unknown) => void, boardsOnly?: boolean}} options
   */
  constructor(place, chosen, { onGame, onError, boardsOnly = false }) {
    this.place = place;
    this.chosen = chosen;
    this.onGame = onGame;
    this.onError = onError;
    this.boardsOnly = boardsOnly;
    this.list = element("select", { name: "game" });
    this.own = element("input", {
      ...{ type: "text", name: "spec", maxlength: 500, placeholder: "mnk:6,7,4" },
      ...{ autocomplete: "off", spellcheck: "false" },
    });
    this.ownField = field("Game spec", this.own);
    this.list.addEventListener("change", () => this.refresh());
    this.own.addEventListener("change", () => this.refresh());
  }

  async load() {
    /** @type {Api.GameFamily[]} */
    const all = await ask("/api/kinds");
    const families = all.filter((family) => !this.boardsOnly || !family.simultaneous);
    for (const family of families) {
      const options = family.games.map((spec) => element("option", { value: spec, text: spec }));
      this.list.append(element("optgroup", { label: family.name }, ...options));
    }
    this.list.append(element("option", { value: "", text: "Another size …" }));
    this.ownField = field("Game spec", this.own, families.map((family) => family.syntax).join(" · "));
    this.list.value = listedSpec(families, this.chosen);
    if (!this.list.value) this.own.value = this.chosen;
    this.place.replaceChildren(field("Game", this.list), this.ownField);
    await this.refresh();
  }

  /** The spec of the chosen game. */
  get spec() {
    return this.list.value || this.own.value.trim();
  }

  /** Look the chosen game up. */
  async refresh() {
    this.ownField.hidden = this.list.value !== "";
    if (!this.spec) {
      this.own.focus();
      return;
    }
    try {
      const wanted = this.spec;
      /** @type {Api.GameDescription} */
      const about = await ask(`/api/games/${encodeURIComponent(wanted)}`);
      if (wanted !== this.spec) return;
      if (!about.simultaneous) localStorage.setItem("game", about.game);
      this.onError(null);
      this.onGame(about);
    } catch (error) {
      this.onError(error);
    }
  }
}

/**
 * A game as the list has it; "" if it is not listed.
 *
 * @param {Api.GameFamily[]} families
 * @param {string} spec
 */
function listedSpec(families, spec) {
  for (const { games, canonical } of families) {
    const place = Math.max(games.indexOf(spec), canonical.indexOf(spec));
    if (place >= 0) return games[place];
  }
  return "";
}

/** Who plays on a side. */
export class PlayerForm {
  /**
   * @param {HTMLElement} place
   * @param {string} spec
   * @param {{people?: boolean}} [options] `people`: a person may be chosen
   */
  constructor(place, spec, { people = true } = {}) {
    this.place = place;
    this.people = people;
    this.initialSpec = spec;
    /** @type {{option: Api.OptionField, control: Control}[]} the options of the chosen agent */
    this.options = [];
    /** @type {HTMLSelectElement|null} null until a game has been chosen */
    this.who = null;
    /** @type {HTMLSelectElement|null} null unless an agent is chosen by its options */
    this.kind = null;
    this.detail = element("div", { class: "agent-options" });
  }

  /** Offer the players of a game. @param {Api.GameDescription} about */
  show(about) {
    const wanted = this.who ? this.spec : this.initialSpec;
    /** @type {[string, string][]} */
    const choices = [];
    if (this.people) choices.push([HUMAN, "You"]);
    for (const { agent, name, hint } of about.levels) choices.push([agent, `${name}: ${hint}`]);
    choices.push([AGENT, "An agent with options …"]);
    const isOffered = choices.some(([value]) => value === wanted);
    const who = select(choices, isOffered ? wanted : AGENT);
    who.addEventListener("change", () => this.showAgent(about, ""));
    this.who = who;
    this.place.replaceChildren(field("Player", who), this.detail);
    this.showAgent(about, isOffered ? "" : wanted);
  }

  /**
   * Show the fields of agents, filled from a spec, if that is chosen.
   *
   * @param {Api.GameDescription} about
   * @param {string} spec
   */
  showAgent(about, spec) {
    this.options = [];
    this.kind = null;
    this.detail.replaceChildren();
    if (this.who?.value !== AGENT) return;
    const [name, values] = parseSpec(spec);
    const kind = select(
      about.agents.map((agent) => [agent.name, `${agent.name}: ${agent.title}`]),
      name || "mcts",
    );
    this.kind = kind;
    const place = element("div");
    const showFields = (/** @type {Record<string, string>} */ given) => {
      const agent = about.agents.find((each) => each.name === kind.value);
      if (agent) this.showOptions(place, agent, given);
    };
    kind.addEventListener("change", () => showFields({}));
    this.detail.replaceChildren(field("Agent", kind), place);
    showFields(values);
  }

  /** @param {HTMLElement} place @param {Api.AgentForm} agent @param {Record<string, string>} given */
  showOptions(place, agent, given) {
    this.options = agent.options.map((option) => {
      const value = given[option.name] ?? (option.name === agent.main ? given[""] : undefined);
      return { option, control: controlFor(option, value) };
    });
    const isMain = (/** @type {Api.OptionField} */ option) => [agent.main, "blunder"].includes(option.name);
    const fields = this.options.map(({ option, control }) => ({
      isMain: isMain(option),
      node: field(option.name, control, option.help),
    }));
    const main = fields.filter((each) => each.isMain).map((each) => each.node);
    const more = fields.filter((each) => !each.isMain).map((each) => each.node);
    place.replaceChildren(element("div", { class: "fields" }, ...main));
    if (!more.length) return;
    const summary = element("summary", { text: `${more.length} more options` });
    place.append(element("details", {}, summary, element("div", { class: "fields" }, ...more)));
  }

  /** The spec of the chosen player; of an agent's options, it has those that differ from their defaults. */
  get spec() {
    if (!this.kind) return this.who?.value ?? this.initialSpec;
    const parts = this.options.flatMap(({ option, control }) => {
      const text = changedValue(option, control);
      return text === null ? [] : [`${option.name}=${text}`];
    });
    return parts.length ? `${this.kind.value}:${parts.join(",")}` : this.kind.value;
  }
}

/**
 * The control for an option.
 *
 * @param {Api.OptionField} option
 * @param {string} [value] as a spec has it
 * @returns {Control}
 */
function controlFor(option, value) {
  if (option.type === "switch") {
    const made = element("input", { type: "checkbox" });
    made.checked =
      value === undefined ? Boolean(option.default) : ["yes", "true", "on", "1", ""].includes(value);
    return made;
  }
  if (option.type === "choice") {
    return select(
      option.choices.map((each) => [each, each || "default"]),
      value ?? String(option.default),
    );
  }
  const range = { min: option.least, max: option.most, step: option.whole ? 1 : "any" };
  const isNumber = option.type === "number";
  const made = element("input", { type: isNumber ? "number" : "text", maxlength: 100, ...range });
  made.value = value ?? String(option.default);
  return made;
}

/**
 * The value of an option as a spec has it; null if it is the default.
 *
 * @param {Api.OptionField} option
 * @param {Control} control
 */
function changedValue(option, control) {
  if (control instanceof HTMLInputElement && option.type === "switch") {
    return control.checked === option.default ? null : control.checked ? "yes" : "no";
  }
  const { value } = control;
  const isDefault =
    option.type === "number"
      ? value === "" || Number(value) === Number(option.default)
      : value === option.default;
  return isDefault ? null : value;
}

/**
 * Name and options of an agent's spec; a value without a name is option "".
 *
 * @param {string} spec
 * @returns {[string, Record<string, string>]}
 */
function parseSpec(spec) {
  const [name, parameters = ""] = spec.split(/:(.*)/s);
  /** @type {Record<string, string>} */
  const options = {};
  for (const part of parameters ? parameters.split(",") : []) {
    const [key, value] = part.split(/=(.*)/s);
    if (value !== undefined) options[key] = value;
    else if (/^[a-z]+$/.test(key)) options[key] = "yes";
    else options[""] = key;
  }
  return [name, options];
}

/**
 * The form that begins a game.
 *
 * @param {object} form
 * @param {string} form.page where the game will be shown
 * @param {URLSearchParams} form.query of the address
 * @param {PlayerForm[]} form.sides
 * @param {() => object} form.more what else is sent
 * @param {(about: Api.GameDescription) => void} [form.onGame] is told about the chosen game
 */
export async function newGameForm({ page, query, sides, more, onGame = () => {} }) {
  const picture = byId("picture", HTMLImageElement);
  const games = new GameForm(byId("game"), query.get("game") ?? (await usualGame()), {
    onGame: (about) => {
      for (const side of sides) side.show(about);
      byId("first-name").textContent = `First (${about.sides[0]})`;
      byId("second-name").textContent = `Second (${about.sides[1]})`;
      picture.src = `/api/board.svg?game=${encodeURIComponent(about.game)}`;
      onGame(about);
    },
    onError: (error) => showError("error", error),
  });
  games.load().catch((error) => showError("error", error));
  byId("new-game").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const players = { first: sides[0].spec, second: sides[1].spec };
      const made = await post("/api/sessions", { game: games.spec, ...players, ...more() });
      location.assign(`/${page}/${made.id}`);
    } catch (error) {
      showError("error", error);
    }
  });
}
