import { expect, test } from "vitest";
import { assertWire } from "../support/wire.ts";

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } };
const page = { resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: serverInfo };
const result = (value: object): object => ({ jsonrpc: "2.0", id: 1, result: value });
const error = (value: object): object => ({ jsonrpc: "2.0", id: 1, error: value });
const progress = (params: object): object => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params,
});

const discovery = { ...page, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
const listed = { ...page, tools: [{ name: "t", inputSchema: { type: "object" } }] };
const called = {
  resultType: "complete",
  content: [{ type: "text", text: "t" }],
  _meta: serverInfo,
};

test.each([
  ["discovery", result(discovery)],
  ["a list", result(listed)],
  ["a call", result(called)],
  ["structured null", result({ ...called, structuredContent: null })],
  ["an error without an id", { jsonrpc: "2.0", error: { code: -32700, message: "m" } }],
  ["an error of the application", error({ code: 403, message: "m", data: [] })],
  ["progress", progress({ progressToken: "", progress: 0.5 })],
])("finds %s lawful", (_what, message) => {
  expect(() => assertWire(message)).not.toThrow();
});

test.each([
  ["a result without resultType", result({ ...called, resultType: undefined })],
  ["a result without an id", { ...result(called), id: undefined }],
  ["an id that is null", { ...result(called), id: null }],
  ["an error whose id is null", { ...error({ code: -32700, message: "m" }), id: null }],
  ["another version of JSON-RPC", { ...result(called), jsonrpc: "1.0" }],
  ["a list without ttlMs", result({ ...listed, ttlMs: undefined })],
  ["a ttlMs that is not whole", result({ ...discovery, ttlMs: 0.5 })],
  ["an unknown cacheScope", result({ ...discovery, cacheScope: "shared" })],
  ["a tool without inputSchema", result({ ...listed, tools: [{ name: "t" }] })],
  [
    "an inputSchema of another type",
    result({ ...listed, tools: [{ name: "t", inputSchema: { type: "array" } }] }),
  ],
  ["a text block without text", result({ ...called, content: [{ type: "text" }] })],
  ["a block of an unknown type", result({ ...called, content: [{ type: "video" }] })],
  ["a result of no known kind", result({ resultType: "complete" })],
  ["an error without a message", error({ code: -32603 })],
  ["a code that is not whole", error({ code: 1.5, message: "m" })],
  ["a code that is not defined", error({ code: -32001, message: "m" })],
  ["an unsupported version without data", error({ code: -32022, message: "m" })],
  ["a result beside an error", { ...result(called), error: { code: 1, message: "m" } }],
  ["a member that JSON-RPC does not know", { ...result(called), extra: 1 }],
  ["progress without a token", progress({ progress: 1 })],
  ["progress that is not a number", progress({ progressToken: 1, progress: null })],
  ["a notification of another kind", { jsonrpc: "2.0", method: "notifications/other" }],
  ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }],
])("finds %s unlawful", (_what, message) => {
  expect(() => assertWire(JSON.parse(JSON.stringify(message)))).toThrow(
    /^(?:breaks|undefined code|the )/,
  );
});
