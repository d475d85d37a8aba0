import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson } from "./decode.ts";
import { RpcError } from "./error.ts";
import { encodeError, encodeNotification, parseMessage } from "./message.ts";

const request = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("never throws and always sorts, whatever the value", () => {
  const kinds = new Set(["request", "notification", "response", "invalid"]);
  const member = fc.option(fc.jsonValue(), { nil: undefined });
  const almost = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: member,
      method: member,
      params: member,
      result: member,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), almost), (value) => kinds.has(parseMessage(value).kind)),
  );
});

test.each([[0], [-1], [1], [Number.MAX_SAFE_INTEGER], ["1"], [""], ["é".repeat(128)]])(
  "keeps the id %j as it is, with its type [BASE-6]",
  (id) => {
    expect(parseMessage({ ...request, id })).toEqual({
      kind: "request",
      id,
      method: "tools/list",
      params: {},
    });
  },
);

test.each([[null], [1.5], [true], [{}], [2 ** 53], ["x".repeat(257)], ["é".repeat(129)]])(
  "refuses the id %j and answers without one [BASE-3][BASE-4][BASE-7]",
  (id) => {
    const message = parseMessage({ ...request, id });
    expect(message).toMatchObject({ kind: "invalid", id: undefined });
  },
);

test.each([
  ["a batch", [request]],
  ["a string", "x"],
  ["null", null],
  ["another JSON-RPC version", { ...request, jsonrpc: "1.0" }],
  ["a method that is not a string", { ...request, method: 7 }],
  ["no method", { jsonrpc: "2.0", id: 1 }],
  ["params in an array", { ...request, params: [] }],
  [
    "a response with result and error",
    { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } },
  ],
])("takes %s as an invalid request [BASE-2]", (_, value) => {
  const message = parseMessage(value);
  expect(message.kind === "invalid" && message.error.code).toBe(-32600);
});

test("takes keys exactly: other cases and look-alikes are ignored [JR17]", () => {
  const value = { ...request, Method: "tools/call", PARAMS: { name: "boom" }, "param\u017f": {} };
  expect(parseMessage(value)).toMatchObject({ method: "tools/list", params: {} });
});

test("tells notifications from requests by the absence of the id", () => {
  expect(parseMessage({ jsonrpc: "2.0", method: "x", params: { a: 1 } })).toEqual({
    kind: "notification",
    method: "x",
    params: { a: 1 },
  });
});

test("recognises responses", () => {
  const error = { code: -32601, message: "no" };
  expect(parseMessage({ jsonrpc: "2.0", id: 1, result: { a: 1 } })).toMatchObject({
    kind: "response",
    id: 1,
  });
  expect(parseMessage({ jsonrpc: "2.0", error })).toMatchObject({
    kind: "response",
    id: undefined,
    error,
  });
});

test("encodes a notification as one line", () => {
  expect(encodeNotification("n", {})).toBe('{"jsonrpc":"2.0","method":"n","params":{}}');
});

test("leaves the id out of an error that belongs to none [BASE-7]", () => {
  expect(JSON.parse(encodeError(undefined, RpcError.parseError("x")))).toEqual({
    jsonrpc: "2.0",
    error: { code: -32700, message: "x" },
  });
});

test("quotes nothing of a text that is not JSON", () => {
  expect(() => decodeJson('{"password":"hunter2', 10)).toThrow(
    expect.objectContaining({ code: -32700, message: expect.not.stringContaining("hunter2") }),
  );
});

test("skips a byte order mark and lets the last of repeated keys count", () => {
  expect(decodeJson('\ufeff{"a":1,"a":2}', 10)).toEqual({ a: 2 });
});

test("refuses nesting over the limit without overflowing the stack, and names the limit", () => {
  expect(decodeJson("[[1]]", 2)).toEqual([[1]]);
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(() => decodeJson(deep, 128)).toThrow(/jsonDepth/);
});
