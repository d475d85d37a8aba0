import { expect } from "vitest";
import { toolCall, withMeta } from "../support/modern.ts";
import type { Peer } from "../support/peer.ts";
import { type Behaviour, notByClient, resultOf } from "./behaviour.ts";

function takeUpdates(peer: Peer): readonly Readonly<Record<string, unknown>>[] {
  return peer.takeNotifications().map(({ params }) => params ?? {});
}

/** Telling how far the work is. */
export const progress: readonly Behaviour[] = [
  {
    name: "reports growing progress under the token, before the answer [PRG-2] [BASE-11] [HTTP-13]",
    run: async (peer) => {
      for (const token of [0, "", "t", -5]) {
        await resultOf(peer, withMeta(toolCall("flood", { n: 20 }), { progressToken: token }));
        const updates = takeUpdates(peer);
        expect(updates.map(({ progressToken }) => progressToken)).toEqual(Array(20).fill(token));
        expect(updates.map((update) => update["progress"])).toEqual(
          updates.map((_, index) => index + 1),
        );
        expect(updates[0]).toMatchObject({ total: 20 });
      }
    },
  },
  {
    name: "reports nothing to a caller that did not ask [PRG-2] [PRG-3]",
    not: notByClient,
    run: async (peer) => {
      await resultOf(peer, toolCall("flood", { n: 20 }));
      expect(takeUpdates(peer)).toEqual([]);
    },
  },
  {
    name: "bounds the number of updates [PRG-3]",
    run: async (peer) => {
      await resultOf(peer, withMeta(toolCall("flood", { n: 5000 }), { progressToken: 1 }));
      expect(takeUpdates(peer)).toHaveLength(1000);
    },
  },
  {
    name: "keeps the progress of simultaneous requests apart [PRG-2] [BASE-13]",
    run: async (peer) => {
      await Promise.all(
        ["a", "b"].map((token) =>
          resultOf(peer, withMeta(toolCall("flood", { n: 50 }, token), { progressToken: token })),
        ),
      );
      const updates = takeUpdates(peer);
      for (const token of ["a", "b"]) {
        const mine = updates.filter(({ progressToken }) => progressToken === token);
        expect(mine.map((update) => update["progress"])).toEqual(mine.map((_, index) => index + 1));
        expect(mine).toHaveLength(50);
      }
    },
  },
];
