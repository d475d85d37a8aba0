import { expect, test } from "vitest";
import { RpcError } from "../jsonrpc/error.ts";
import { EncodedJson } from "../jsonrpc/message.ts";
import { encodeReply } from "./reply.ts";

test("encodes a result as one line, whether or not it is JSON text already", () => {
  const result = { text: "a\nb\u2028" };
  const expected = JSON.stringify({ jsonrpc: "2.0", id: '"', result });
  expect(encodeReply({ kind: "result", id: '"', result })).toBe(expected);
  expect(encodeReply({ kind: "result", id: '"', result: new EncodedJson(result) })).toBe(expected);
});

test("encodes an error with the id of its request", () => {
  const error = RpcError.invalidParams("no", { at: 1 });
  expect(JSON.parse(encodeReply({ kind: "error", id: 7, stage: "execution", error }))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32602, message: "no", data: { at: 1 } },
  });
});

test("answers with an error where a result cannot be encoded", () => {
  const text = encodeReply({ kind: "result", id: 7, result: { n: 1n } });
  expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32603 } });
});
