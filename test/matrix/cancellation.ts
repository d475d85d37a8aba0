import { expect } from "vitest";
import { toolCall } from "../support/modern.ts";
import type { Peer } from "../support/peer.ts";
import { type Behaviour, notByClient, onlyStdio, resultOf, textOf } from "./behaviour.ts";

const cancelled = (params: unknown): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params,
});

async function tallyOf(peer: Peer, key: string): Promise<unknown> {
  return (await resultOf(peer, toolCall("count", { key }, "count"))).structuredContent;
}

/** Polls until the tool has begun, so that there is something to cancel. */
async function untilStarted(peer: Peer, key: string): Promise<void> {
  await expect.poll(() => tallyOf(peer, key)).toMatchObject({ started: 1 });
}

/** Giving up requests. */
export const cancellation: readonly Behaviour[] = [
  {
    name: "stops the work of a request that its caller gave up, and sends nothing for it [CAN-4] [STD-7] [HTTP-20] [TRAP-9]",
    run: async (peer) => {
      const controller = new AbortController();
      const call = peer.send(toolCall("slow", { ms: 60_000, key: "stopped" }), {
        signal: controller.signal,
      });
      await untilStarted(peer, "stopped");
      controller.abort();
      expect((await call).message).toBeUndefined();
      await expect
        .poll(() => tallyOf(peer, "stopped"))
        .toEqual({ started: 1, finished: 0, count: 0 });
      expect(await textOf(peer, toolCall("echo", { text: "alive" }))).toBe("alive");
    },
  },
  {
    name: "lets an id be used again after its request was cancelled [BASE-5] [CAN-4]",
    not: onlyStdio,
    run: async (peer) => {
      const controller = new AbortController();
      const call = peer.send(toolCall("slow", { ms: 60_000, key: "again" }, 7), {
        signal: controller.signal,
      });
      await untilStarted(peer, "again");
      controller.abort();
      await call;
      expect(await textOf(peer, toolCall("echo", { text: "again" }, 7))).toBe("again");
    },
  },
  {
    name: "refuses an id that is still in flight and answers the first request [BASE-5]",
    not: {
      ...notByClient,
      "node http": "over HTTP each POST stands alone",
      fetch: "over HTTP each POST stands alone",
    },
    run: async (peer) => {
      const first = peer.send(toolCall("slow", { ms: 500, key: "first" }, 7));
      await untilStarted(peer, "first");
      const { message } = await peer.send(toolCall("bump", { key: "first" }, 7));
      expect(message).toMatchObject({ id: 7, error: { code: -32600 } });
      await first;
      const tally = (): Promise<unknown> => tallyOf(peer, "first");
      await expect.poll(tally).toEqual({ started: 1, finished: 1, count: 0 });
    },
  },
  {
    name: "ignores cancellations that fit no request in flight [CAN-6]",
    not: notByClient,
    run: async (peer) => {
      const call = textOf(peer, toolCall("slow", { ms: 300, key: "kept" }, 1));
      await untilStarted(peer, "kept");
      for (const params of [
        { requestId: 424242 },
        { requestId: "1" },
        { requestId: null },
        { requestId: 1.5 },
        {},
        undefined,
      ]) {
        expect((await peer.send(cancelled(params))).message).toBeUndefined();
      }
      expect(await call).toBe("kept");
    },
  },
  {
    name: "ignores a cancellation that comes after the answer [CAN-6]",
    not: notByClient,
    run: async (peer) => {
      expect(await textOf(peer, toolCall("echo", { text: "done" }, 5))).toBe("done");
      expect((await peer.send(cancelled({ requestId: 5 }))).message).toBeUndefined();
      expect(await textOf(peer, toolCall("echo", { text: "next" }, 5))).toBe("next");
    },
  },
  {
    name: "does not let one connection cancel the request of another by its id [HTTP-10] [CAN-6]",
    not: { ...notByClient, stdio: "a pipe has one client" },
    run: async (peer) => {
      const call = textOf(peer, toolCall("slow", { ms: 200, key: "other" }, 1));
      await untilStarted(peer, "other");
      expect((await peer.send(cancelled({ requestId: 1 }))).status).toBe(202);
      expect(await call).toBe("other");
    },
  },
  {
    name: "ends a request that takes too long and names the limit",
    options: { limits: { requestMs: 100 } },
    run: async (peer) => {
      expect(await resultOf(peer, toolCall("slow", { ms: 60_000, key: "long" }))).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("100 ms") }],
      });
      expect(await tallyOf(peer, "long")).toEqual({ started: 1, finished: 0, count: 0 });
    },
  },
];
