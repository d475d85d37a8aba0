import { parseRegex, type Regex } from "./regex-syntax.ts";

/** Counts work; throws when there has been too much. */
export type Spend = (steps: number) => void;

/** Tells whether a text contains a match; `spend` is told about the work. */
export type PatternTest = (text: string, spend?: Spend) => boolean;

const maxParts = 1_000;
const maxTransitions = 10_000;

/**
 * Compiles a pattern of the `u` flavour into a test that takes time linear in the text, whatever the
 * pattern: no text can make it backtrack. `undefined` when the pattern needs more than an automaton
 * (look-around except right after a leading `^`, back-references, word boundaries) or more than 1,000 states.
 */
export function compileLinear(source: string): PatternTest | undefined {
  const regex = parseRegex(source);
  if (regex === undefined) return undefined;
  const tests: { automaton: Automaton; negative: boolean }[] = [];
  for (const { part, negative } of splitLooks(regex)) {
    const states = buildStates(part);
    if (states === undefined) return undefined;
    tests.push({ automaton: new Automaton(states), negative });
  }
  return (text, spend) =>
    tests.every(({ automaton, negative }) => automaton.test(text, spend) !== negative);
}

interface Look {
  readonly part: Regex;
  readonly negative: boolean;
}

/** `^(?!A)(?=B)C` holds when `^A` does not match and `^B` and `^C` do. */
function splitLooks(regex: Regex): readonly Look[] {
  if (regex.kind !== "sequence" || regex.parts[0]?.kind !== "start") {
    return [{ part: regex, negative: false }];
  }
  const [start, ...rest] = regex.parts;
  const looks: Look[] = [];
  while (rest[0]?.kind === "look") {
    const { part, negative } = rest[0];
    looks.push({ part: { kind: "sequence", parts: [start, part] }, negative });
    rest.shift();
  }
  return [...looks, { part: { kind: "sequence", parts: [start, ...rest] }, negative: false }];
}

/**
 * True when the engine of the host also needs only linear time for a pattern: at most one repetition of
 * varying length, not inside another one, in a pattern that is bound to the start or ends there.
 */
export function isLinearInHost(source: string): boolean {
  const regex = parseRegex(source);
  if (regex === undefined) return false;
  const repeats = countRepeats(regex);
  return repeats === 0 || (repeats === 1 && (startsAtStart(regex) || endsInRepeat(regex)));
}

function countRepeats(regex: Regex): number {
  switch (regex.kind) {
    case "look":
      return Infinity;
    case "repeat": {
      const inner = countRepeats(regex.part);
      // A repetition around another one, or around a choice, can be ambiguous.
      if (inner > 0 || regex.part.kind === "choice" || regex.min > maxParts) return Infinity;
      return regex.min === regex.max ? 0 : 1;
    }
    case "sequence":
      return regex.parts.reduce((sum, part) => sum + countRepeats(part), 0);
    case "choice":
      return Math.max(...regex.parts.map(countRepeats));
    default:
      return 0;
  }
}

function startsAtStart(regex: Regex): boolean {
  if (regex.kind === "choice") return regex.parts.every(startsAtStart);
  return regex.kind === "sequence" && regex.parts[0]?.kind === "start";
}

function endsInRepeat(regex: Regex): boolean {
  return regex.kind === "sequence" && regex.parts.at(-1)?.kind === "repeat";
}

/** One state of the automaton; `next` are indexes of states. */
type State =
  | { readonly kind: "char"; readonly matches: (char: string) => boolean; readonly next: number }
  | { readonly kind: "start" | "end"; readonly next: number }
  | { readonly kind: "split"; readonly next: number[] }
  | { readonly kind: "accept" };

interface Build {
  readonly states: State[];
  parts: number;
}

/** The states, entry last; `undefined` when there would be too many. */
function buildStates(regex: Regex): readonly State[] | undefined {
  const build: Build = { states: [{ kind: "accept" }], parts: 0 };
  const entry = addPart(build, regex, 0);
  if (build.parts > maxParts) return undefined;
  build.states.push({ kind: "split", next: [entry] });
  return build.states;
}

// Built from the end, so that each part knows where it leads.
function addPart(build: Build, regex: Regex, next: number): number {
  build.parts += 1;
  if (build.parts > maxParts || regex.kind === "look") return tooMuch(build);
  switch (regex.kind) {
    case "char":
      return build.states.push({ kind: "char", matches: regex.matches, next }) - 1;
    case "start":
    case "end":
      return build.states.push({ kind: regex.kind, next }) - 1;
    case "sequence":
      return regex.parts.reduceRight((after, part) => addPart(build, part, after), next);
    case "choice": {
      const branches = regex.parts.map((part) => addPart(build, part, next));
      return build.states.push({ kind: "split", next: branches }) - 1;
    }
    case "repeat":
      return addRepeat(build, regex, next);
  }
}

// A number of parts beyond the limit makes the whole pattern fail.
function tooMuch(build: Build): number {
  build.parts = Infinity;
  return 0;
}

function addRepeat(
  build: Build,
  { part, min, max }: Extract<Regex, { kind: "repeat" }>,
  next: number,
): number {
  let entry = next;
  if (max === Infinity) {
    const loop: number[] = [next];
    entry = build.states.push({ kind: "split", next: loop }) - 1;
    loop.push(addPart(build, part, entry));
  }
  for (let left = max === Infinity ? 0 : max - min; left > 0; left -= 1) {
    if (build.parts > maxParts) return entry;
    entry = build.states.push({ kind: "split", next: [next, addPart(build, part, entry)] }) - 1;
  }
  for (let left = min; left > 0; left -= 1) {
    if (build.parts > maxParts) return entry;
    entry = addPart(build, part, entry);
  }
  return entry;
}

/** A set of states that can be reached by the same texts. */
interface Node {
  readonly waiting: readonly Extract<State, { kind: "char" }>[];
  readonly accepts: boolean;
  readonly acceptsAtEnd: boolean;
  readonly next: Map<string, Node>;
}

/** Runs all states at once and remembers the sets it has seen, up to a limit. */
class Automaton {
  readonly #states: readonly State[];
  readonly #entry: number;
  readonly #nodes = new Map<string, Node>();
  #transitions = 0;

  constructor(states: readonly State[]) {
    this.#states = states;
    this.#entry = states.length - 1;
  }

  test(text: string, spend: Spend = () => {}): boolean {
    let node = this.#node([this.#entry], true);
    spend(text.length >> 6);
    for (const char of text) {
      if (node.accepts) return true;
      node = node.next.get(char) ?? this.#advance(node, char, spend);
    }
    return node.accepts || node.acceptsAtEnd;
  }

  #advance(from: Node, char: string, spend: Spend): Node {
    spend(from.waiting.length + 1);
    if (this.#transitions >= maxTransitions) this.#forget();
    const reached = from.waiting.filter(({ matches }) => matches(char)).map(({ next }) => next);
    // A match may begin anywhere, so the entry stays reachable.
    const node = this.#node([...new Set(reached), this.#entry], false);
    from.next.set(char, node);
    this.#transitions += 1;
    return node;
  }

  #forget(): void {
    for (const node of this.#nodes.values()) node.next.clear();
    this.#nodes.clear();
    this.#transitions = 0;
  }

  #node(seeds: readonly number[], atStart: boolean): Node {
    const key = `${atStart ? "^" : ""}${seeds.join(",")}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const inside = this.#closure(seeds, { atStart, atEnd: false });
    const node: Node = {
      waiting: inside.filter((state) => state.kind === "char"),
      accepts: inside.some(({ kind }) => kind === "accept"),
      acceptsAtEnd: this.#closure(seeds, { atStart, atEnd: true }).some(
        ({ kind }) => kind === "accept",
      ),
      next: new Map(),
    };
    this.#nodes.set(key, node);
    return node;
  }

  #closure(seeds: readonly number[], at: { atStart: boolean; atEnd: boolean }): readonly State[] {
    const seen = new Set<number>();
    const open = [...seeds];
    const found: State[] = [];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const state = this.#states[index];
      if (state === undefined || seen.has(index)) continue;
      seen.add(index);
      found.push(state);
      if (state.kind === "split") open.push(...state.next);
      if (state.kind === "start" && at.atStart) open.push(state.next);
      if (state.kind === "end" && at.atEnd) open.push(state.next);
    }
    return found;
  }
}
