import { expect, onTestFinished, test } from "vitest";
import { connect } from "../transports/connect.ts";
import type { ClientTransport, TransportEvents } from "./transport.ts";

/** Warns and makes progress before each answer. */
function talkative(): ClientTransport {
  let events: TransportEvents | undefined;
  return {
    kind: "stdio",
    start: async (given) => {
      events = given;
    },
    send: async ({ id, method }) => {
      events?.warn("unexpected-message", "something");
      events?.notify("notifications/progress", { progressToken: id, progress: 1 });
      const discovery = { supportedVersions: ["2026-07-28"], capabilities: {} };
      const result = method === "server/discover" ? discovery : { content: [] };
      return { kind: "response", id, result };
    },
    close: async () => {},
  };
}

test.each([
  [
    "throw",
    () => {
      throw new Error("no");
    },
  ],
  ["reject", () => Promise.reject(new Error("no"))],
])("lets observers that %s change nothing", async (_, fail) => {
  const stray: unknown[] = [];
  const onStray = (error: unknown): number => stray.push(error);
  process.on("unhandledRejection", onStray);
  onTestFinished(() => void process.off("unhandledRejection", onStray));
  let calls = 0;
  const observer = (): unknown => {
    calls += 1;
    return fail();
  };
  await using client = await connect(talkative(), { onWarning: observer });

  const result = await client.callTool("a", {}, { onProgress: observer });
  // Unhandled rejections are told after this turn.
  await new Promise((resolve) => setImmediate(resolve));

  expect(result).toEqual({ content: [], isError: false });
  expect(calls).toBe(3);
  expect(stray).toEqual([]);
});
