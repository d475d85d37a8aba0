import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHeaderValue } from "../core/header-value.ts";
import { findHeaderAnnotations } from "../schema/header-annotations.ts";
import { composeMeta, mirrorHeaders } from "./compose-request.ts";

const mirrors = findHeaderAnnotations({
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    deep: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "N" } } },
    flag: { type: "boolean", "x-mcp-header": "Flag" },
  },
});

const argumentSets = fc.record(
  {
    region: fc.string({ unit: "binary" }),
    deep: fc.record({ n: fc.maxSafeInteger() }, { requiredKeys: [] }),
    flag: fc.boolean(),
  },
  { requiredKeys: [] },
);

test("mirrors every argument so that a server reads the same text", () => {
  fc.assert(
    fc.property(argumentSets, fc.string({ unit: "binary", minLength: 1 }), (args, name) => {
      const headers = mirrorHeaders("tools/call", { name, arguments: args }, mirrors);

      const read = (header: string): string | undefined =>
        headers[header] === undefined ? undefined : decodeHeaderValue(headers[header]);
      const textOf = (value: unknown): string | undefined =>
        value === undefined ? undefined : String(value);
      expect(read("Mcp-Name")).toBe(name);
      expect(read("Mcp-Param-Region")).toBe(args.region);
      expect(read("Mcp-Param-N")).toBe(textOf(args.deep?.n));
      expect(read("Mcp-Param-Flag")).toBe(textOf(args.flag));
    }),
  );
});

test("mirrors the name of those methods only that have one", () => {
  expect(mirrorHeaders("resources/read", { uri: "a:b" }, [])).toMatchObject({ "Mcp-Name": "a:b" });
  expect(mirrorHeaders("tools/list", { name: "x" }, [])).not.toHaveProperty("Mcp-Name");
});

test("lets no caller replace the keys of the protocol", () => {
  const meta = composeMeta({ info: { name: "a", version: "1" }, capabilities: {} }, 7, {
    progressToken: "mine",
    "io.modelcontextprotocol/protocolVersion": "1999-01-01",
    traceparent: "00-a-b-01",
  });

  expect(meta).toEqual({
    traceparent: "00-a-b-01",
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    progressToken: 7,
  });
});
