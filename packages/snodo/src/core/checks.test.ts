import { expect, test } from "vitest";

import { checkName, isPortableName } from "./checks.ts";
import { DefinitionError } from "./errors.ts";

function errorOf(run: () => unknown): DefinitionError {
  try {
    run();
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

test.each([
  "",
  "a".repeat(129),
  "x\u202Ey",
  "x\u200Fy",
  "a\u2028b",
  "a\u0000",
  "a\nb",
  "a\u007F",
  "\uD800",
])("refuses the name %j [NA01]", (name) => {
  const error = errorOf(() => checkName("tool", name));
  expect(error.pointer).toBe("/name");
  expect(error.message).toMatch(/^[\u0020-\u007E…]*$/u);
});

test.each(["a b", "a,b", "a/b", "рay", "emoji🙂", "Getuser", "👩‍💻", "🙂".repeat(128)])(
  "takes the name %j as it is [NA01]",
  (name) => {
    expect(checkName("tool", name)).toBe(name);
  },
);

test("tells names that every host takes from others [NA01]", () => {
  const names = [
    "getUser",
    "a.b_c-9",
    "a".repeat(128),
    "a b",
    "a,b",
    "a/b",
    "рay",
    "",
    "a".repeat(129),
  ];
  expect(names.filter(isPortableName)).toEqual(["getUser", "a.b_c-9", "a".repeat(128)]);
});
