import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHeaderValue, encodeHeaderValue } from "./header-value.ts";

test.each([
  ["us west 1", "us west 1"],
  ["", ""],
  [" us-west1", "=?base64?IHVzLXdlc3Qx?="],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
  ["=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="],
  ["\t", "=?base64?CQ==?="],
])("encodes %j as %j [HTTP-41][HTTP-42][HTTP-44]", (text, value) => {
  expect(encodeHeaderValue(text)).toBe(value);
  expect(decodeHeaderValue(value)).toBe(text);
});

test("decodes what it encodes, and every encoded value is safe in a header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const value = encodeHeaderValue(text);
      expect(value).toMatch(/^[\x20-\x7e]*$/);
      expect(value.trim()).toBe(value);
      expect(decodeHeaderValue(value)).toBe(text);
    }),
  );
});

test.each([
  ["missing padding", "=?base64?SGVsbG8?="],
  ["characters outside the alphabet", "=?base64?SGVs!!!bG8=?="],
  ["the URL alphabet", "=?base64?bWVtOi8vbm90ZS_mtYvor5U=?="],
  ["padding in the middle", "=?base64?SGVsbG8==A==?="],
  ["bytes that are not UTF-8", "=?base64?/w==?="],
  ["raw non-ASCII", "naïve"],
  ["a control character", "a\u0001"],
])("refuses %s [HTTP-43]", (_, value) => {
  expect(decodeHeaderValue(value)).toBeUndefined();
});

test.each(["SGVsbG8=", "=?base64?SGVsbG8=", "=?BASE64?SGVsbG8=?=", "=?base64?="])(
  "takes %s literally, since it lacks prefix or suffix [HTTP-43]",
  (value) => {
    expect(decodeHeaderValue(value)).toBe(value);
  },
);
