import { expect } from "vitest";
import { modernRequest, toolCall } from "../support/modern.ts";
import { type Behaviour, expectRefusal, notByClient, textOf } from "./behaviour.ts";

const ids = [0, -1, 1, "1", "", "é".repeat(128), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const notIds = [null, 1.5, true, {}, [], 2 ** 53, "é".repeat(129)];
const notObjects = ["[]", '"text"', "5", "null", "true"];

const malformed = [
  { id: 1, method: "tools/list", params: {} },
  { jsonrpc: "1.0", id: 1, method: "tools/list" },
  { jsonrpc: "2.0", id: 1 },
  { jsonrpc: "2.0", id: 1, method: 7 },
  { jsonrpc: "2.0", id: 1, method: "tools/list", params: [] },
  { jsonrpc: "2.0", id: 1, method: "tools/list", params: null },
];

const notifications = [
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", method: "notifications/unknown", params: { a: 1 } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "nobody" } },
  { jsonrpc: "2.0", method: "tools/list" },
];

/** JSON-RPC itself. */
export const messages: readonly Behaviour[] = [
  {
    name: "gives the id back with its type and value [BASE-3] [BASE-6] [TRAP-24]",
    not: notByClient,
    run: async (peer) => {
      for (const id of ids) {
        const { message } = await peer.send(toolCall("echo", { text: "id" }, id));
        expect(message?.id).toBe(id);
      }
    },
  },
  {
    name: "refuses what is not an id, without an id [BASE-3] [BASE-4] [BASE-7]",
    not: notByClient,
    run: async (peer) => {
      for (const id of notIds) {
        const reply = await peer.sendRaw(JSON.stringify({ ...modernRequest("tools/list"), id }));
        expectRefusal(reply, { code: -32600, status: 400 });
      }
    },
  },
  {
    name: "refuses a malformed request with its id [BASE-2] [BASE-7]",
    not: notByClient,
    run: async (peer) => {
      for (const message of malformed) {
        expectRefusal(await peer.send(message), { id: 1, code: -32600, status: 400 });
      }
    },
  },
  {
    name: "refuses batches and what is not an object, without an id [HTTP-5] [TRAP-27]",
    not: notByClient,
    run: async (peer) => {
      const batch = JSON.stringify([
        toolCall("bump", { key: "a" }),
        toolCall("bump", { key: "a" }),
      ]);
      for (const text of [...notObjects, batch]) {
        expectRefusal(await peer.sendRaw(text), { code: -32600, status: 400 });
      }
      expect(await textOf(peer, toolCall("bump", { key: "a" }))).toBe("1");
    },
  },
  {
    name: "answers what is not JSON with a parse error without an id [BASE-7] [TRAP-27]",
    not: notByClient,
    run: async (peer) => {
      for (const text of ['{"jsonrpc":"2.0","id":3,"method":', "hello", "{'a':1}", "\u0000"]) {
        expectRefusal(await peer.sendRaw(text), { code: -32700, status: 400 });
      }
    },
  },
  {
    name: "refuses bytes that are not UTF-8 and serves the next message [BASE-2]",
    not: notByClient,
    run: async (peer) => {
      const bytes = Buffer.from(JSON.stringify(toolCall("echo", { text: "aXb" })));
      bytes[bytes.indexOf("X")] = 0xff;
      const { message } = await peer.sendRaw(bytes);
      expect(message?.error?.code).toBeOneOf([-32700, -32600]);
      expect(await textOf(peer, toolCall("echo", { text: "next" }))).toBe("next");
    },
  },
  {
    name: "refuses a message that is nested too deeply, at once [BASE-7]",
    not: notByClient,
    run: async (peer) => {
      const deep = `${"[".repeat(50_000)}0${"]".repeat(50_000)}`;
      const startedAt = performance.now();
      const reply = await peer.sendRaw(
        `{"jsonrpc":"2.0","id":1,"method":"a","params":{"d":${deep}}}`,
      );
      expect(reply.message?.error?.code).toBe(-32700);
      expect(performance.now() - startedAt).toBeLessThan(1000);
    },
  },
  {
    name: "takes a message of 128 levels and refuses one of 129",
    not: notByClient,
    run: async (peer) => {
      const text = (levels: number): string => {
        // The message, params and arguments are three levels themselves.
        const d = "[".repeat(levels - 3) + "]".repeat(levels - 3);
        return JSON.stringify(toolCall("noargs", { d: "D" })).replace('"D"', d);
      };
      expect((await peer.sendRaw(text(128))).message?.result?.isError).toBeUndefined();
      expect((await peer.sendRaw(text(129))).message?.error?.code).toBe(-32700);
    },
  },
  {
    name: "reads a leading byte order mark as nothing [BASE-2]",
    not: notByClient,
    run: async (peer) => {
      const message = toolCall("echo", { text: "mark" }, "bom");
      const { message: response } = await peer.sendRaw(
        Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(message))]),
      );
      expect(response?.result?.content?.[0]?.text ?? response?.error?.code).toBeOneOf([
        "mark",
        -32020,
      ]);
    },
  },
  {
    name: "does not answer notifications, whatever their method [BASE-9] [HTTP-11] [AMB-11]",
    not: notByClient,
    run: async (peer) => {
      for (const notification of notifications) {
        const { message, status } = await peer.send(notification);
        expect(message).toBeUndefined();
        expect(status ?? 202).toBe(202);
      }
    },
  },
  {
    name: "sends no message for a malformed notification [BASE-9]",
    not: notByClient,
    run: async (peer) => {
      const { message, status } = await peer.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: [1],
      });
      // Over HTTP an error without id may say what was wrong. spec: HTTP-11
      if (status === undefined) expect(message).toBeUndefined();
      else expect(status).toBe(400);
    },
  },
  {
    name: "takes no responses, since it never asks [BASE-10] [HTTP-5] [STD-4]",
    not: notByClient,
    run: async (peer) => {
      const responses = [
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } },
      ];
      for (const response of responses) {
        const { message, status } = await peer.sendRaw(
          JSON.stringify({ ...response, id: undefined }),
        );
        expect(status ?? 400).toBe(400);
        if (status === undefined) expect(message).toBeUndefined();
      }
    },
  },
  {
    name: "ignores members that it does not know, also those that differ in case only [VER-9]",
    not: notByClient,
    run: async (peer) => {
      const extra = { Method: "tools/list", PARAMS: { name: "boom" }, later: true };
      const reply = await peer.send({ ...toolCall("echo", { text: "safe" }), ...extra });
      expect(reply.message?.result?.content).toEqual([{ type: "text", text: "safe" }]);
    },
  },
  {
    name: "ignores parameters that it does not know, also those that differ in case only [VER-9]",
    run: async (peer) => {
      const params = { name: "echo", arguments: { text: "safe" }, Name: "boom", later: [] };
      expect(await textOf(peer, modernRequest("tools/call", params))).toBe("safe");
    },
  },
  {
    name: "lets the last of repeated members count",
    not: notByClient,
    run: async (peer) => {
      const text = JSON.stringify(toolCall("echo", { text: "last" }, 2));
      const { message } = await peer.sendRaw(text.replace('{"jsonrpc"', '{"id":1,"jsonrpc"'));
      expect(message).toMatchObject({ id: 2, result: { content: [{ text: "last" }] } });
    },
  },
  {
    name: "answers each of many interleaved requests with its own result [BASE-13]",
    run: async (peer) => {
      const calls = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? textOf(peer, toolCall("slow", { ms: 50 - index, key: `s${index}` }, index))
          : textOf(peer, toolCall("echo", { text: `e${index}` }, `${index}`)),
      );
      const texts = await Promise.all(calls);
      expect(texts).toEqual(texts.map((_, index) => `${index % 2 === 0 ? "s" : "e"}${index}`));
    },
  },
  {
    name: "keeps no request apart from the next: an id may be used again [BASE-5] [BASE-12]",
    not: notByClient,
    run: async (peer) => {
      expect(await textOf(peer, toolCall("echo", { text: "a" }, 7))).toBe("a");
      expect(await textOf(peer, toolCall("echo", { text: "b" }, 7))).toBe("b");
    },
  },
];
