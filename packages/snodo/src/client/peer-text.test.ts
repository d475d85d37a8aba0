import { expect, test } from "vitest";
import { peerLines, peerText } from "./peer-text.ts";

test("escapes what could forge a line or steer a terminal, and cuts after 200 characters", () => {
  expect(peerText("a\r\n\u001b[2J\u009b\u202e\u2028\ud800é")).toBe(
    "a\\u{d}\\u{a}\\u{1b}[2J\\u{9b}\\u{202e}\\u{2028}\\u{d800}é",
  );
  expect(peerText("x".repeat(201))).toBe(`${"x".repeat(200)}…`);
});

test("keeps the lines of a longer text", () => {
  expect(peerLines("Error: no\r\n\tat main\u001b[0m")).toBe("Error: no\n  at main\\u{1b}[0m");
});
