import { setTimeout as wait } from "node:timers/promises";
import { tool } from "snodo";

export const steep = tool({
  name: "steep",
  description: "Makes tea",
  timeoutMs: 60_000,
  call: async (_args, ctx) => {
    for (let done = 1; done <= 3; done += 1) {
      // Stops as soon as the caller cancels or disconnects.
      await wait(10, undefined, { signal: ctx.signal });
      ctx.progress(done, 3, "steeping");
    }
    return "tea";
  },
});
