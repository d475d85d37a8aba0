import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileLinear, isLinearInHost } from "./pattern.ts";

const { regex } = fc.letrec((tie) => ({
  regex: fc
    .array(fc.array(tie("term"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((terms) => terms.join("")).join("|")),
  term: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "??"))
    .map(([atom, quantifier]) => `${String(atom)}${quantifier}`),
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom("a", "b", "\\.", ".", "[ab]", "[^a]", "\\d", "\\W", "\\p{L}", "\\u0061"),
    fc.constantFrom("\\u{1F600}", "\\uD83D\\uDE00", "\\x62", "😀", "[\\]a-]", "(?:^a)", "(?:b$)"),
    (tie("regex") as fc.Arbitrary<string>).map((inner) => `(?:${inner})`),
    (tie("regex") as fc.Arbitrary<string>).map((inner) => `(${inner})`),
    (tie("regex") as fc.Arbitrary<string>).map((inner) => `(?<name>${inner})`),
  ),
}));
const text = fc
  // Longer texts would make the engine of the host backtrack for minutes.
  .array(fc.constantFrom("a", "b", "1", ".", "😀", "\n", "]"), { maxLength: 6 })
  .map((all) => all.join(""));
const frame = fc.constantFrom("", "^", "^(?!a)", "^(?=b)(?!bb)");

test("agrees with the engine of the host on random patterns", () => {
  let compared = 0;
  const property = fc.property(frame, regex, fc.array(text), (start, body, texts) => {
    const source = `${start}${body}`;
    const isHostPattern = canCompile(source);
    fc.pre(isHostPattern);
    const linear = compileLinear(source);
    for (const sample of linear === undefined ? [] : texts) {
      compared += 1;
      expect([sample, linear?.(sample)]).toEqual([sample, new RegExp(source, "u").test(sample)]);
    }
  });

  fc.assert(property, { numRuns: 2_000 });

  expect(compared).toBeGreaterThan(5_000);
});

function canCompile(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

test.each(["^(a+)+$", "^(a|aa)+$", "(x+x+)+y", "^(.*a){20}$", "^(?!(a+)+b)(a*)*c"])(
  "runs %s on a long hostile text without backtracking",
  (source) => {
    const { user: before } = process.cpuUsage();

    expect(compileLinear(source)?.(`${"a".repeat(50_000)}!`)).toBe(false);

    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  },
);

test.each(["(?<=a)b", "a(?=b)", "(a)\\1", "\\bword", "(((a{100}){100}){100})", "(){1000}{1000}"])(
  "leaves %s to the caller",
  (source) => {
    expect(compileLinear(source)).toBeUndefined();
  },
);

test.each([
  ["^x-", true],
  [".*", true],
  ["^[a-z]+$", true],
  ["^(foo|bar)-", true],
  ["[a-z]+$", false],
  ["^a*a*$", false],
  ["^(a+)+$", false],
  ["^(a|aa)+$", false],
  ["^a?a?$", false],
  ["^(?!x)", false],
])("says whether the engine of the host is linear for %s: %s", (source, expected) => {
  expect(isLinearInHost(source)).toBe(expected);
});
