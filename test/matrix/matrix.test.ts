import { afterAll, afterEach, describe, expect, test } from "vitest";
import { toolCall } from "../support/modern.ts";
import { transportNames, transports } from "../support/peer.ts";
import { cancellation } from "./cancellation.ts";
import { discovery } from "./discovery.ts";
import { headers } from "./headers.ts";
import { messages } from "./messages.ts";
import { meta } from "./meta.ts";
import { progress } from "./progress.ts";
import { tools } from "./tools.ts";

const behaviours = { messages, meta, discovery, tools, cancellation, progress, headers };

// A behaviour with options of its own gets its own server, all others share one.
describe.each(transportNames)("%s", async (transport) => {
  const shared = await transports[transport]({});
  afterAll(() => shared[Symbol.asyncDispose]());
  afterEach(async () => {
    const { message } = await shared.send(toolCall("echo", { text: "alive" }, "after"));
    expect(message?.result?.content?.[0]?.text).toBe("alive");
    shared.takeNotifications();
  });
  for (const [topic, list] of Object.entries(behaviours)) {
    describe(topic, () => {
      for (const { name, options, run } of list.filter(
        ({ not }) => not?.[transport] === undefined,
      )) {
        test(name, async () => {
          await using own = options && (await transports[transport](options));
          await run(own ?? shared);
        });
      }
    });
  }
});
