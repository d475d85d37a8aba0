/** A regular expression that has been taken apart; see {@link parseRegex}. */
export type Regex =
  | { readonly kind: "char"; readonly matches: (char: string) => boolean }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "look"; readonly part: Regex; readonly negative: boolean }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Regex[] }
  | { readonly kind: "repeat"; readonly part: Regex; readonly min: number; readonly max: number };

interface Cursor {
  readonly source: string;
  at: number;
}

/**
 * Takes apart a pattern that `new RegExp(source, "u")` accepts. `undefined` when it uses what a finite
 * automaton cannot do: look-behind, back-references, word boundaries, inline flags.
 */
export function parseRegex(source: string): Regex | undefined {
  const cursor: Cursor = { source, at: 0 };
  try {
    return parseChoice(cursor);
  } catch (error) {
    if (error === unsupported) return undefined;
    throw error;
  }
}

const unsupported: Error = new Error("unsupported");

function parseChoice(cursor: Cursor): Regex {
  const parts = [parseSequence(cursor)];
  while (take(cursor, /\|/y) !== undefined) parts.push(parseSequence(cursor));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
}

function parseSequence(cursor: Cursor): Regex {
  const parts: Regex[] = [];
  while (cursor.at < cursor.source.length && !/[|)]/.test(cursor.source.charAt(cursor.at))) {
    const part = parseAtom(cursor);
    parts.push(parseRepeat(cursor, part));
  }
  return { kind: "sequence", parts };
}

function parseAtom(cursor: Cursor): Regex {
  if (take(cursor, /\^/y) !== undefined) return { kind: "start" };
  if (take(cursor, /\$/y) !== undefined) return { kind: "end" };
  if (take(cursor, /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/y) !== undefined) {
    const group = parseChoice(cursor);
    take(cursor, /\)/y);
    return group;
  }
  const look = take(cursor, /\(\?[=!]/y);
  if (look !== undefined) {
    const part = parseChoice(cursor);
    take(cursor, /\)/y);
    return { kind: "look", part, negative: look.endsWith("!") };
  }
  const set = take(cursor, /\.|\[(?:\\[^]|[^\]\\])*\]|\\[dDsSwW]|\\[pP]\{[^}]*\}/y);
  if (set !== undefined) return { kind: "char", matches: oneOf(set) };
  const escaped = take(cursor, escape);
  if (escaped !== undefined) return { kind: "char", matches: oneOf(escaped) };
  const literal = take(cursor, /[^\\()[\]{}*+?]/uy);
  if (literal === undefined) throw unsupported;
  return { kind: "char", matches: (char) => char === literal };
}

// Two \u escapes that form a surrogate pair are one character.
const escape =
  /\\(?:u\{[\da-f]+\}|u[dD][89abAB][\da-f]{2}\\u[dD][c-fC-F][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|0|[fnrtv]|[^\w])/iy;

// The host engine decides what a class means; one character at a time it cannot backtrack.
function oneOf(set: string): (char: string) => boolean {
  const matcher = new RegExp(`^(?:${set})$`, "u");
  return (char) => matcher.test(char);
}

function parseRepeat(cursor: Cursor, part: Regex): Regex {
  const quantifier = take(cursor, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
  if (quantifier === undefined) return part;
  const [min, max] = readBounds(quantifier);
  return { kind: "repeat", part, min, max };
}

function readBounds(quantifier: string): readonly [min: number, max: number] {
  if (quantifier.startsWith("*")) return [0, Infinity];
  if (quantifier.startsWith("+")) return [1, Infinity];
  if (quantifier.startsWith("?")) return [0, 1];
  const [min = "0", max] = quantifier.slice(1, quantifier.indexOf("}")).split(",");
  if (max === undefined) return [Number(min), Number(min)];
  return [Number(min), max === "" ? Infinity : Number(max)];
}

function take(cursor: Cursor, token: RegExp): string | undefined {
  token.lastIndex = cursor.at;
  const [found] = token.exec(cursor.source) ?? [];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
