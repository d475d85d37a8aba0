import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toPointer } from "./pointer.ts";
import { copyJson, findNonJson, freezeJson, isDeeperThan, isJson } from "./value.ts";

test("accepts every JSON value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => isJson(value)));
});

test("copies and freezes without changing the text of the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(copyJson(value))).toBe(text);
      expect(JSON.stringify(freezeJson(value))).toBe(text);
    }),
  );
});

test("shares nothing with the original and freezes every level", () => {
  const original = { list: [{ deep: 1 }] };
  const frozen = freezeJson(original);
  original.list[0] = { deep: 2 };
  expect(frozen).toEqual({ list: [{ deep: 1 }] });
  expect(Object.isFrozen(frozen.list[0])).toBe(true);
});

test("keeps a property named __proto__ as a property", () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("names the place of the first part that is not JSON", () => {
  expect(findNonJson({ a: [1, { b: 2n }] })).toEqual({
    path: ["a", 1, "b"],
    rule: "must be a JSON value, not bigint",
  });
});

test("takes a property that is undefined as absent", () => {
  expect(findNonJson({ a: undefined })).toBeUndefined();
  expect(copyJson({ a: undefined })).toEqual({});
});

test("ends on a value that contains itself", () => {
  const value: unknown[] = [];
  value.push(value);
  expect(findNonJson(value)?.rule).toMatch(/contains itself/);
});

test.each([
  [0, 0, false],
  [[], 0, true],
  [[], 1, false],
  [{ a: [1] }, 1, true],
  [{ a: [1] }, 2, false],
])("measures the depth of %j against %i", (value, depth, isDeeper) => {
  expect(isDeeperThan(value, depth)).toBe(isDeeper);
});

test("escapes tilde and slash in pointers", () => {
  expect(toPointer([])).toBe("");
  expect(toPointer(["a/b", "~", 0])).toBe("/a~1b/~0/0");
});
