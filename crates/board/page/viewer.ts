// The viewer of a report's page: steps through the games that the page carries, on the board's table. The page has the
// position after every ply, so this only draws and does not implement the rules.

import { SPECIAL, prints } from "./cloth";
import { valueOf } from "./controls";
import { draw, h, memo, oncePerFrame, type Child, type Element_ } from "./dom";
import { shapeOf, SIDE, squareName } from "./geometry";
import { heightFor, layout } from "./layout";
import { animate, remember } from "./motion";
import { moveWords } from "./say";
import { PERSON, ringFrom, specialPatch, type Patch, type Shown, type ShownPlayer } from "./state";
import { courseOf, stepButtons, stepKey, type Steps } from "./steps";
import { table } from "./table";
import { number, shown as signless } from "./texts";

// ---- the data of the page, written by the Rust side (`report/page/viewer_games.rs`)

/** Rows that are stored as named columns. */
type Columns<Row> = { readonly [Name in keyof Row]?: readonly Row[Name][] };
type Two<T> = readonly [T, T];

interface PrintedPatch {
  readonly buttons: number; readonly spaces: number; readonly income: number; readonly shape: string;
}

interface Position {
  readonly spaces: Two<number>; readonly buttons: Two<number>; readonly income: Two<number>;
  readonly scores: Two<number>; readonly bonus: number | null;
  /** Up to three patches ahead of the token. */ readonly next: readonly number[];
}

/** An action: the patch that it buys, 0 for an advance, -1 for a special patch; and the squares that it covers. */
interface Placing { readonly patch: number; readonly squares: readonly number[]; }

/** A ply and the position after it. Expectations are in thousandths. */
interface Ply extends Position, Placing {
  readonly seat: number; readonly legal: number; readonly iterations: number; readonly value: number | null;
  readonly proven: boolean | null;
}

interface Considered extends Placing { readonly ply: number; readonly visits: number; readonly value: number; }

interface Game {
  readonly number: number | string; readonly seats: Two<number>; readonly notes: readonly string[];
  readonly ring: readonly number[]; readonly scores: Two<number>; readonly winner: number; readonly fault?: string;
  readonly swings: readonly Readonly<Record<"ply" | "seat" | "from" | "to", number>>[];
  readonly considered?: Columns<Considered>; readonly plies: Columns<Ply>;
}

interface Data {
  readonly agents: readonly string[]; readonly patches: Columns<PrintedPatch>;
  readonly specials: readonly number[]; readonly before: Omit<Position, "next">;
  /** The number of the game and the ply to open with. */ readonly start: readonly [number | string, number] | null;
  readonly games: readonly Game[];
}

function rowsOf<Row>(columns: Columns<Row>): Row[] {
  const names = Object.keys(columns) as (keyof Row)[];
  const first = names[0] === undefined ? [] : columns[names[0]]!;
  return first.map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name]![i]])) as Row);
}

// ---- texts; a report is in English

const percent = (thousandths: number) => `${(thousandths / 10).toFixed(1)}%`;
const count = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

const notation = ({ patch, squares }: Placing): string =>
  patch === 0 ? "A" : `${patch < 0 ? "S" : patch}:${squares.map(squareName).join("")}`;

/** The first player's win probability, 0 to 1, from the value that a seat reported. */
const ofFirst = (seat: number, value: number) => (seat === 0 ? value : 1000 - value) / 1000;

const SPEEDS: readonly (readonly [milliseconds: number, name: string])[] = [[1600, "slow"], [800, "normal"],
  [300, "fast"], [100, "very fast"]];

/** Milliseconds between two changes of the address: browsers limit their rate. */
const TELLING = 200;

/** The results folder of a page that a server sends, as its address has it: the games can be analysed there. */
const FOLDER = /^https?:$/.test(location.protocol) ? /^\/results\/([^/]+)\//.exec(location.pathname)?.[1] : undefined;

/** The games of a page, and which position of them is shown. */
class Viewer {
  private game: Game | null = null; private plies: readonly Ply[] = []; private considered: readonly Considered[] = [];
  private at = 0;
  /** What the address asks for and the page does not hold. */ private missing: string | null = null;
  /** The index of the agent whose games are listed. */ private agent: number | null = null;
  private timer: number | undefined; private telling: number | undefined;
  /** The ply under the pointer. */ private pointed: number | null = null;
  private opened: Shown["opened"] = null; private width = 0; readonly patches: ReadonlyMap<number, Patch>;
  /** Milliseconds for a ply while the game plays. */ private pause = 800;

  constructor(private readonly section: HTMLElement, private readonly root: HTMLElement, private readonly data: Data) {
    const patches = rowsOf(data.patches).map(({ buttons, spaces, income, shape }, i) =>
      [i + 1, { id: i + 1, shape: shapeOf(shape), income, buttons, time: spaces, orientations: [] }] as const);
    this.patches = new Map<number, Patch>([...patches, [SPECIAL, specialPatch]]);
  }

  start(): void {
    const { section, data } = this;
    section.querySelector(".static")?.remove();
    section.classList.add("live");
    // A click anywhere in the viewer gives it the keyboard focus.
    section.tabIndex = -1;
    section.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.follow());
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry!.contentRect.width);
      if (width === this.width) return;
      this.width = width;
      this.draw();
    }).observe(this.root);
    this.width = Math.floor(this.root.getBoundingClientRect().width);
    if (this.follow()) section.focus();
    else {
      // The largest swing of the strongest agent, or how a game ended.
      const first = data.games[0]!;
      this.choose(data.games.find(({ number }) => number === data.start?.[0]) ?? first, data.start?.[1] ?? Infinity);
    }
  }

  private name(seat: number): string {
    return this.data.agents[this.game!.seats[seat]!]!;
  }

  // ---- what happens

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Writes the position into the address, so that it can be linked to. */
  private tell(): void {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => history.replaceState(null, "", `#game=${this.game!.number}&ply=${this.at}`),
      TELLING);
  }

  private readonly go = (to: number): void => {
    if (this.game === null) return;
    this.at = Math.max(0, Math.min(this.plies.length, to));
    if (this.at === this.plies.length) this.stop();
    this.draw();
    this.tell();
  };

  /** Goes to a ply that somebody chose. */
  private jump(to: number): void {
    this.stop();
    this.go(to);
  }

  private play(): void {
    if (this.game === null) return;
    if (this.timer !== undefined) {
      this.stop();
      this.draw();
      return;
    }
    if (this.at === this.plies.length) this.at = 0;
    this.timer = setInterval(() => this.go(this.at + 1), this.pause);
    this.go(this.at + 1);
  }

  /** Shows a position of a game; without one, says that the page does not hold that which the address asks for. */
  private choose(game: Game | null, ply: number, wanted: string | null = null): void {
    this.stop();
    clearTimeout(this.telling);
    Object.assign(this, { game, missing: game ? null : wanted, opened: null });
    this.plies = rowsOf(game?.plies ?? {});
    this.considered = rowsOf(game?.considered ?? {});
    this.at = Math.max(0, Math.min(this.plies.length, ply));
    // A game that the address asks for may be hidden by the choice of an agent.
    if (game && !this.listed().includes(game)) this.agent = null;
    this.draw();
  }

  /** Follows the address; false if it does not name a game. */
  private follow(): boolean {
    const words = new URLSearchParams(location.hash.slice(1));
    const wanted = words.get("game");
    if (wanted === null) return false;
    const ply = Number(words.get("ply") ?? 0);
    const found = this.data.games.find(({ number }) => String(number) === wanted);
    this.choose(found ?? null, Number.isInteger(ply) ? ply : 0, wanted.slice(0, 20));
    return true;
  }

  /** The games of the chosen agent. */
  private listed(): readonly Game[] {
    const { agent } = this;
    return agent === null ? this.data.games : this.data.games.filter(({ seats }) => seats.includes(agent));
  }

  private options(): readonly Element_[] {
    const { agents } = this.data;
    const result = ({ fault, winner, scores }: Game) =>
      (fault ? ["1 - 0", "0 - 1"][winner]! : scores.map(signless).join(" : "));
    // A page may hold hundreds.
    return memo("options", [this.agent], () => this.listed().map((game) => {
      const { number, seats: [first, second], fault, notes } = game;
      const players = `${agents[first]} ${result(game)} ${agents[second]}`;
      const more = [fault && `fault: ${fault}`, notes.join(", ")].map((note) => (note ? `  (${note})` : "")).join("");
      return h("option", { key: String(number), value: number }, `#${number}  ${players}${more}`);
    }));
  }

  private chooseAgent(text: string): void {
    this.agent = text === "" ? null : Number(text);
    const listed = this.listed();
    if (this.game !== null && listed.includes(this.game)) return this.draw();
    this.choose(listed[0]!, 0);
    this.tell();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as Element;
    const own = target.closest("select, input") !== null || (event.key === " " && target.closest("button") !== null);
    if (own || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.opened) this.open(null);
    else if (this.game === null || !stepKey(this.steps(), event)) return;
    event.preventDefault();
  }

  private open(what: Shown["opened"]): void {
    this.opened = this.opened === what ? null : what;
    this.redraw();
  }

  private steps(): Steps {
    const { at, plies, timer } = this;
    return { at, count: plies.length, go: (to) => this.jump(to), plays: timer !== undefined, play: () => this.play() };
  }

  // ---- what is shown

  private outcome(): string {
    const { fault, winner, scores } = this.game!;
    if (fault) return ` ${this.name(winner)} wins; ${this.name(1 - winner)} lost by ${fault}.`;
    const [won, lost] = [scores[winner]!, scores[1 - winner]!];
    const how = won === lost ? ", having reached the end first" : "";
    return ` ${this.name(winner)} wins ${signless(won)} to ${signless(lost)}${how}.`;
  }

  private describe(): string {
    const ply = this.plies[this.at - 1];
    const end = this.at === this.plies.length ? this.outcome() : "";
    if (!ply) return `Before the first ply: ${this.name(0)} moves first, against ${this.name(1)}.${end}`;
    const squares = ply.squares.map(squareName).join(" ");
    let text = `${this.name(ply.seat)} `;
    if (ply.patch === 0) text += "advances";
    else if (ply.patch < 0) text += `places a special patch on ${squares}`;
    else text += `buys patch ${ply.patch} and places it on ${squares}`;
    text += `; ${count(ply.legal, "legal action")}`;
    if (ply.iterations > 0) text += `, ${count(ply.iterations, "iteration")}`;
    if (ply.value !== null) text += `, expects to win with ${percent(ply.value)}`;
    if (ply.proven !== null) text += ply.proven ? ", a proven win" : ", a proven loss";
    return `${text}.${end}`;
  }

  /** The position as the table shows it. */
  private shown(): Shown {
    const { data, game, at, plies } = this;
    const played = plies.slice(0, at);
    const last = played.at(-1);
    const position: Position = last ?? { ...data.before, next: game!.ring.slice(0, 3) };
    const player = (seat: 0 | 1): ShownPlayer => {
      const placed = played.filter((ply) => ply.seat === seat && ply.squares.length > 0);
      return { patches: placed.map(({ patch, squares }) => ({ patch: patch < 0 ? SPECIAL : patch, squares })),
        buttons: position.buttons[seat], income: position.income[seat], space: position.spaces[seat],
        score: position.scores[seat], bonus: position.bonus === seat,
        empty: SIDE * SIDE - placed.reduce((sum, { squares }) => sum + squares.length, 0) };
    };
    const mover = plies[at]?.seat ?? null;
    return {
      patches: this.patches, view: "watch", seats: [PERSON, PERSON], hand: null, effect: null,
      reaches: [], opened: this.opened,
      position: {
        ply: at, mover, players: [player(0), player(1)],
        // The first player to pass a special patch takes it.
        specials: data.specials.filter((space) => space > Math.max(...position.spaces)), waiting: 0,
        ring: ringFrom(game!.ring, game!.ring.indexOf(position.next[0] ?? 0), played),
        offers: position.next.map((patch) => ({ patch,
          affordable: mover === null || this.patches.get(patch)!.buttons <= position.buttons[mover]!, fits: true })),
        last: last ? { player: last.seat, action: notation(last) } : null,
        legal: { advance: false, patches: [], specials: [] },
      },
    };
  }

  private readonly redraw = oncePerFrame(() => this.draw());

  private draw(): void {
    const { root, section, game } = this;
    section.toggleAttribute("data-game", game !== null);
    section.toggleAttribute("data-ply", game !== null);
    if (game) Object.assign(section.dataset, { game: game.number, ply: this.at });
    const shown = game === null ? null : this.shown();
    const before = remember(root);
    draw(root, [prints, this.choices(), this.controls(), this.missed(),
      h("div", { key: "game", "data-part": "game", hidden: game === null }, ...(shown ? this.parts(shown) : []))]);
    if (shown) animate(root, before, shown);
  }

  private choices(): Element_ {
    const { agents, games } = this.data;
    const seated = [...new Set(games.flatMap(({ seats }) => seats))].sort((a, b) => (agents[a]! < agents[b]! ? -1 : 1));
    return h("div", { key: "choices", class: "choices" },
      h("label", {}, "Agent ", h("select",
        { "data-part": "agent", value: this.agent ?? "", onchange: (event: Event) => this.chooseAgent(valueOf(event)) },
        h("option", { value: "" }, "all"), ...seated.map((agent) => h("option", { value: agent }, agents[agent])))),
      h("label", { class: "broad" }, "Game ", h("select", {
        "data-part": "choose", value: this.game?.number ?? "",
        onchange: (event: Event) => {
          const found = games.find(({ number }) => String(number) === valueOf(event));
          if (!found) return;
          this.choose(found, 0);
          this.tell();
        },
      }, ...this.options())));
  }

  private controls(): Element_ {
    const { at, plies } = this;
    const slide = (event: Event) => this.jump(Number(valueOf(event)));
    const speed = (event: Event) => {
      this.pause = Number(valueOf(event));
      if (this.timer === undefined) return;
      this.stop();
      this.play();
    };
    return h("div", { key: "controls", class: "controls", role: "group", "aria-label": "Steps" },
      ...stepButtons(this.steps()), h("label", {}, "Speed ",
        h("select", { "data-part": "speed", value: String(this.pause), onchange: speed },
          ...SPEEDS.map(([milliseconds, name]) => h("option", { value: milliseconds }, name)))),
      h("input", { type: "range", min: 0, max: plies.length, value: String(at), "data-part": "slider",
        "aria-label": "Ply", "aria-valuetext": `ply ${at} of ${plies.length}`, oninput: slide }));
  }

  private missed(): Element_ {
    const { missing, data } = this;
    return h("p", { key: "missing", class: "missing", role: "status", "data-part": "missing" },
      ...(missing === null ? [] : [
      `This page does not hold game ${missing}. It holds ${count(data.games.length, "game")}, `
        + "which can be chosen above. ",
      h("code", {}, `patchwork-arena analyze replay DIR ${missing} --show`), " prints a game that is not here."]));
  }

  private parts(shown: Shown): Child[] {
    const { plies, at, width } = this;
    const room = layout(width, heightFor(width));
    const ply = plies[at - 1];
    return [h("p", { class: "ply", "aria-live": "polite", "data-part": "text" },
      ply ? moveWords(shown, notation(ply), ply.seat, this.describe()) : this.describe()),
      table(shown, room, { names: [this.name(0), this.name(1)], near: 0,
        status: h("p", { key: "status", class: "status", "data-part": "ply" }, `Ply ${at} of ${plies.length}`),
        controls: [], open: (what) => this.open(what), label: "Position" }),
      h("div", { class: "pair below" }, this.expectations(), this.consideredHere()),
      FOLDER && h("p", {}, h("a", { href: `/board/index.html#analysis=${FOLDER}/${this.game!.number}`, target: "_top" },
        "Analyse this game on the board")),
      h("p", { class: "caption" },
        "← and → step, Home and End go to the ends, space plays. The address links to the ply."),
      h("details", {},
        h("summary", { "data-part": "notation-of" },
          `The game as text: #${this.game!.number}, ${this.name(0)} against ${this.name(1)}`),
        h("p", { class: "notation", "data-part": "notation" }, plies.map(notation).join(" ")))];
  }

  /** The win probability of the first player over the plies, as each player expected it, with the largest swings. */
  private expectations(): Child {
    const { plies, at, pointed, game } = this;
    if (plies.every(({ value }) => value === null)) return null;
    const course = (seat: number) => plies.flatMap((ply, i) =>
      (ply.seat === seat && ply.value !== null ? [[i + 1, ofFirst(seat, ply.value)] as const] : []));
    const there = pointed === null ? undefined : plies[pointed - 1];
    const expected = there?.value == null ? "reported no expectation" : `expects to win with ${percent(there.value)}`;
    const swings = game!.swings.map(({ ply, seat, from, to }) =>
      ({ ply, seat, to, text: `Ply ${ply}: ${this.name(seat)} ${percent(from)} → ${percent(to)}` }));
    const axis = (...inside: Child[]) => h("p", { class: "axis" }, ...inside);
    const of = (seat: number, text: string) => h("span", { class: `seat${seat}` }, text);
    return h("div", { key: "expectations", "data-part": "expectations" },
      axis("Chance of the ", of(0, "first player"), " to win, as ", of(0, "it"), " and as ", of(1, "the second"),
        " expect it; click to go there"),
      courseOf(this.steps(), {
        label: "What the players expect over the plies", from: 1,
        lines: [0, 1].map((seat) => ({ seat, points: course(seat) })),
        marks: swings.map(({ ply, seat, to, text }, i) =>
          ({ at: ply, share: ofFirst(seat, to), seat, sign: String(i + 1), title: text })),
        told: there ? `Ply ${pointed}: ${this.name(there.seat)} ${expected}` : "",
        point: (ply) => {
          this.pointed = ply;
          this.redraw();
        },
      }),
      swings.length > 0 && axis("Largest swings, from one decision of a player to its next"),
      swings.length > 0 && h("ol", { class: "swings", "data-part": "swings" }, ...swings.map(({ ply, seat, text }, i) =>
        h("li", {}, h("button", { type: "button", class: `seat${seat}`, "aria-current": ply === at ? "true" : undefined,
          onclick: () => this.jump(ply) }, h("b", {}, String(i + 1)), ` ${text}`)))));
  }

  /** The actions that were considered in the last ply, the one played first, where they were recorded. */
  private consideredHere(): Child {
    const considered = this.considered.filter(({ ply }) => ply === this.at);
    if (considered.length === 0) return null;
    const most = Math.max(1, ...considered.map(({ visits }) => visits));
    return h("div", { key: "considered" }, h("h3", {}, "Moves considered"),
      h("table", { class: "considered" },
        h("caption", { class: "hidden" }, "Moves considered in this ply, the one played first"),
        h("thead", {},
          h("tr", {}, ...["move", "visits", "expects to win with"].map((name, i) =>
            h("th", { scope: "col", class: i > 0 && "number" }, name)))),
        h("tbody", { "data-part": "considered" },
          ...considered.map((one) => h("tr", {},
            h("th", { scope: "row" }, moveWords(this, notation(one), this.plies[this.at - 1]!.seat, notation(one))),
            h("td", { class: "visits number", styles: { "--share": `${(100 * one.visits) / most}%` } },
              number(one.visits)),
            h("td", { class: "number" }, percent(one.value)))))));
  }
}

const section = document.getElementById("viewer");
const root = document.getElementById("viewer-live");
const text = document.getElementById("games-data")?.textContent;
if (section && root && text) new Viewer(section, root, JSON.parse(text) as Data).start();
