// Forms: which game, and who plays on a side: a person, a level, or any agent with its options as fields.

import { ask, byId, element, showError } from "./page.js";

const HUMAN = "human";
const AGENT = "agent";
let count = 0;

/** A labelled field. @param {string} label @param {any} control @param {string} [help] */
export function field(label, control, help = "") {
  control.id ||= `field-${(count += 1)}`;
  const parts = [element("label", { for: control.id, text: label }), control];
  if (help) {
    const hint = element("span", { class: "help", id: `${control.id}-help`, text: help });
    control.setAttribute("aria-describedby", hint.id);
    parts.push(hint);
  }
  return element("div", { class: "field" }, ...parts);
}

/** @param {any[]} choices [value, text] @param {string} chosen */
export function select(choices, chosen) {
  const made = element("select", {}, ...choices.map(([value, text]) => element("option", { value, text })));
  if (choices.some(([value]) => value === chosen)) made.value = chosen;
  return made;
}

/** The game chosen last, or one of middling size. @returns {Promise<string>} */
export async function usualGame() {
  const kept = localStorage.getItem("game");
  if (kept) return kept;
  const kinds = (await ask("/api/kinds")).filter((/** @type {any} */ kind) => !kind.simultaneous);
  const { games } = kinds[Math.floor(kinds.length / 2)];
  return games[Math.floor((games.length - 1) / 2)];
}

/** Which game: the listed ones by family, and other sizes by their spec. */
export class GameForm {
  /** @param {HTMLElement} place @param {string} chosen @param {(about: any) => void} onGame @param {(error: unknown) => void} onError @param {boolean} [boardsOnly] */
  constructor(place, chosen, onGame, onError, boardsOnly = false) {
    Object.assign(this, { place, chosen, onGame, onError, boardsOnly, about: null });
  }

  async load() {
    const kinds = (await ask("/api/kinds")).filter((/** @type {any} */ kind) => !this.boardsOnly || !kind.simultaneous);
    this.list = element("select", { name: "game" });
    const listed = new Map(kinds.flatMap((/** @type {any} */ kind) => kind.games.flatMap((/** @type {string} */ spec, /** @type {number} */ at) => [[spec, spec], [kind.canonical[at], spec]])));
    for (const kind of kinds) {
      this.list.append(element("optgroup", { label: kind.name }, ...kind.games.map((/** @type {string} */ spec) => element("option", { value: spec, text: spec }))));
    }
    this.list.append(element("option", { value: "", text: "Another size …" }));
    this.own = element("input", { type: "text", name: "spec", maxlength: 500, autocomplete: "off", spellcheck: "false", placeholder: "mnk:6,7,4" });
    const syntax = kinds.map((/** @type {any} */ kind) => kind.syntax).join(" · ");
    this.ownField = field("Game spec", this.own, syntax);
    this.list.value = listed.get(this.chosen) ?? "";
    if (!this.list.value) this.own.value = this.chosen;
    this.place.replaceChildren(field("Game", this.list), this.ownField);
    this.list.addEventListener("change", () => this.refresh());
    this.own.addEventListener("change", () => this.refresh());
    await this.refresh();
  }

  get spec() {
    return this.list.value || this.own.value.trim();
  }

  async refresh() {
    this.ownField.hidden = this.list.value !== "";
    if (!this.spec) {
      this.own.focus();
      return;
    }
    try {
      const wanted = this.spec;
      const about = await ask(`/api/games/${encodeURIComponent(wanted)}`);
      if (wanted !== this.spec) return;
      this.about = about;
      if (!about.simultaneous) localStorage.setItem("game", about.game);
      this.onError(null);
      this.onGame(about);
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Who plays on a side. */
export class PlayerForm {
  /** @param {HTMLElement} place @param {string} spec @param {{people?: boolean, onChange?: () => void}} [options] */
  constructor(place, spec, { people = true, onChange = () => {} } = {}) {
    this.place = place;
    this.people = people;
    this.wanted = spec;
    this.onChange = onChange;
    this.fields = [];
  }

  /** The game has been chosen, or another one. @param {any} about */
  show(about) {
    const wanted = this.who ? this.spec : this.wanted;
    this.about = about;
    const levels = about.levels.map((/** @type {any} */ level) => [level.agent, `${level.name}: ${level.hint}`]);
    const choices = [...(this.people ? [[HUMAN, "You"]] : []), ...levels, [AGENT, "An agent with options …"]];
    const known = choices.some(([value]) => value === wanted);
    this.who = select(choices, known ? wanted : AGENT);
    this.detail = element("div", { class: "agent-options" });
    this.place.replaceChildren(field("Player", this.who), this.detail);
    this.who.addEventListener("change", () => {
      this.showAgent("");
      this.onChange();
    });
    this.showAgent(known ? "" : wanted);
  }

  /** The fields of an agent, filled from a spec. @param {string} spec */
  showAgent(spec) {
    this.fields = [];
    if (this.who.value !== AGENT) {
      this.detail.replaceChildren();
      return;
    }
    const [name, options] = parse(spec);
    const kinds = this.about.agents;
    this.kind = select(kinds.map((/** @type {any} */ kind) => [kind.name, `${kind.name}: ${kind.title}`]), name || "mcts");
    const place = element("div");
    this.detail.replaceChildren(field("Agent", this.kind), place);
    this.kind.addEventListener("change", () => {
      this.showOptions(place, {});
      this.onChange();
    });
    this.showOptions(place, options);
  }

  /** @param {HTMLElement} place @param {Record<string, string>} given */
  showOptions(place, given) {
    const kind = this.about.agents.find((/** @type {any} */ each) => each.name === this.kind.value);
    this.fields = [];
    const made = (kind?.options ?? []).map((/** @type {any} */ option) => {
      const value = given[option.name] ?? (option.name === kind.main ? given[""] : undefined);
      const control = this.control(option, value);
      control.addEventListener("change", () => this.onChange());
      this.fields.push({ option, control });
      return field(option.name, control, option.help);
    });
    const main = made.filter((/** @type {any} */ _, /** @type {number} */ at) => kind.options[at].name === kind.main || kind.options[at].name === "blunder");
    const rest = made.filter((/** @type {any} */ each) => !main.includes(each));
    const more = rest.length ? element("details", {}, element("summary", { text: `${rest.length} more options` }), element("div", { class: "fields" }, ...rest)) : null;
    place.replaceChildren(element("div", { class: "fields" }, ...main), ...(more ? [more] : []));
  }

  /** @param {any} option @param {string|undefined} value */
  control(option, value) {
    if (option.type === "switch") {
      const made = element("input", { type: "checkbox" });
      made.checked = value === undefined ? option.default : ["yes", "true", "on", "1", ""].includes(value);
      return made;
    }
    if (option.type === "choice") return select(option.choices.map((/** @type {string} */ each) => [each, each || "default"]), value ?? option.default);
    const made = element("input", { type: option.type === "number" ? "number" : "text", min: option.least, max: option.most, step: option.whole ? 1 : "any", maxlength: 100 });
    made.value = value ?? option.default;
    return made;
  }

  /** The spec that the fields mean: only what differs from the defaults. */
  get spec() {
    if (this.who.value !== AGENT) return this.who.value;
    const parts = [];
    for (const { option, control } of this.fields) {
      const value = option.type === "switch" ? control.checked : control.value;
      const same = option.type === "number" ? Number(value) === Number(option.default) || value === "" : value === option.default;
      if (!same) parts.push(`${option.name}=${option.type === "switch" ? (value ? "yes" : "no") : value}`);
    }
    return parts.length ? `${this.kind.value}:${parts.join(",")}` : this.kind.value;
  }
}

/** An agent's name and options from a spec; a bare value goes to "". @param {string} spec @returns {[string, Record<string, string>]} */
function parse(spec) {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const options = {};
  for (const part of rest ? rest.split(",") : []) {
    const [key, value] = part.split(/=(.*)/s);
    if (value === undefined) Object.assign(options, /^[a-z]+$/.test(key) ? { [key]: "yes" } : { "": key });
    else Object.assign(options, { [key]: value });
  }
  return [name, options];
}

/**
 * The form that begins a game: which one, who plays, and where it goes when it is sent.
 * @param {string} page  where the game is looked at
 * @param {PlayerForm[]} sides
 * @param {URLSearchParams} query
 * @param {() => object} more  what else is sent
 * @param {(about: any) => void} shown  is told about the chosen game
 */
export async function beginGame(page, sides, query, more, shown = () => {}) {
  const games = new GameForm(
    byId("game"),
    query.get("game") ?? (await usualGame()),
    (about) => {
      for (const side of sides) side.show(about);
      byId("first-name").textContent = `First (${about.sides[0]})`;
      byId("second-name").textContent = `Second (${about.sides[1]})`;
      byId("picture").src = `/api/board.svg?game=${encodeURIComponent(about.game)}`;
      shown(about);
    },
    (error) => showError("error", error),
  );
  games.load().catch((error) => showError("error", error));
  byId("new-game").addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const body = { game: games.spec, first: sides[0].spec, second: sides[1].spec, ...more() };
      const made = await ask("/api/sessions", { method: "POST", body });
      location.assign(`/${page}/${made.id}`);
    } catch (error) {
      showError("error", error);
    }
  });
}
