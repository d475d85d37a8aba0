import { expect } from "vitest";
import { modernRequest } from "../support/modern.ts";
import { type Behaviour, expectRefusal, notByClient, resultOf } from "./behaviour.ts";

const removed = [
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "tasks/list",
];

const notAdvertised = [
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "subscriptions/listen",
];

const odd = [
  "TOOLS/LIST",
  "tools/List",
  "constructor",
  "__proto__",
  "toString",
  "notifications/cancelled",
];

/** What the server offers. */
export const discovery: readonly Behaviour[] = [
  {
    name: "tells what it serves, and nothing else [VER-4] [DISC-1] [CACHE-1] [TRAP-16]",
    run: async (peer) => {
      const result = await resultOf(peer, modernRequest("server/discover"));
      expect(result).toEqual({
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: "private",
        _meta: expect.anything(),
      });
    },
  },
  {
    name: "gives the chosen cache hints on discovery and on every page [CACHE-1] [CACHE-9]",
    options: {
      pageSize: 20,
      cache: {
        discover: { ttlMs: 60_000, scope: "public" },
        tools: { ttlMs: 5000, scope: "private" },
      },
    },
    run: async (peer) => {
      expect(await resultOf(peer, modernRequest("server/discover"))).toMatchObject({
        ttlMs: 60_000,
        cacheScope: "public",
      });
      const first = await resultOf(peer, modernRequest("tools/list"));
      const second = await resultOf(
        peer,
        modernRequest("tools/list", { cursor: first.nextCursor }),
      );
      for (const page of [first, second]) {
        expect(page).toMatchObject({ ttlMs: 5000, cacheScope: "private" });
      }
    },
  },
  {
    name: "does not know methods of earlier revisions [TRAP-11] [HTTP-33] [TRAP-5]",
    run: async (peer) => {
      for (const method of removed) {
        expectRefusal(await peer.send(modernRequest(method)), { id: 1, code: -32601, status: 404 });
      }
    },
  },
  {
    name: "does not serve what it does not advertise [DISC-3] [SUB-13]",
    run: async (peer) => {
      for (const method of notAdvertised) {
        expectRefusal(await peer.send(modernRequest(method)), { id: 1, code: -32601, status: 404 });
      }
    },
  },
  {
    name: "compares method names exactly [HTTP-32] [HTTP-33]",
    run: async (peer) => {
      for (const method of odd) {
        expectRefusal(await peer.send(modernRequest(method)), { id: 1, code: -32601, status: 404 });
      }
    },
  },
  {
    name: "does not know the empty method [HTTP-33]",
    not: notByClient,
    run: async (peer) => {
      expectRefusal(await peer.send(modernRequest("")), { id: 1, code: -32601, status: 404 });
    },
  },
];
