import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Buffer[], maxBytes = 1000) {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = new LineSplitter(maxBytes);
  const onLine = (line: Buffer): void => void lines.push(line.toString());
  for (const chunk of chunks) splitter.push(chunk, onLine, () => (tooLong += 1));
  splitter.end(onLine);
  return { lines, tooLong };
}

test("gives the same lines wherever the bytes are cut [FR01]", () => {
  const line = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\n"));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(400)), (lines, cuts) => {
      const bytes = Buffer.from(lines.join("\n"));
      const places = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
        bytes.length,
      ];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(split(chunks).lines).toEqual(lines);
    }),
  );
});

test("splits at LF only, not at U+2028, U+2029, U+0085 or CR [FR05]", () => {
  const line = "a\u2028b\u2029c\u0085d\re";
  expect(split([Buffer.from(`${line}\nnext`)]).lines).toEqual([line, "next"]);
});

test("reports a line over the limit once, keeps nothing of it and goes on", () => {
  const chunks = ["x".repeat(6), "x".repeat(6), "x\nok\n", "y".repeat(11)].map((text) =>
    Buffer.from(text),
  );
  expect(split(chunks, 10)).toEqual({ lines: ["ok"], tooLong: 2 });
});

test("takes a line of exactly the limit", () => {
  expect(split([Buffer.from(`${"x".repeat(10)}\n`)], 10)).toEqual({
    lines: ["x".repeat(10)],
    tooLong: 0,
  });
});
