import { tool } from "snodo";
import { expect, test } from "vitest";
import { postMessage } from "../support/http.ts";
import { toolCall, withMeta } from "../support/modern.ts";
import { serveFixture } from "../support/serve.ts";

test("reports under the tokens 0 and the empty string, and the result comes last [PR04]", async () => {
  await using server = await serveFixture();
  for (const progressToken of [0, ""]) {
    const call = withMeta(toolCall("slow", { ms: 300 }), { progressToken });
    const { messages, message } = await postMessage(server.port, call);
    expect(message).toMatchObject({ id: 1, result: { content: [{ text: "slow" }] } });
    const updates = messages.slice(0, -1).map(({ params }) => params);
    expect(updates.length).toBeGreaterThan(1);
    const values = updates.map((update) => update?.["progress"] as number);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    for (const update of updates) expect(update?.["progressToken"]).toBe(progressToken);
  }
  const { messages } = await postMessage(server.port, toolCall("slow", { ms: 300 }));
  expect(messages).toHaveLength(1);
});

test("reports nothing that is not a growing number, and nothing after the answer [PR04]", async () => {
  let report: (done: number) => void = () => {};
  const odd = tool({
    name: "odd",
    call: (_args, { progress }) => {
      report = progress;
      progress(1, Number.POSITIVE_INFINITY);
      progress(1);
      progress(0.5);
      progress(Number.NaN);
      progress(2, Number.NaN);
      progress(3, 4, "m".repeat(5000));
      progress(3.5, 4, "nearly");
      progress(Number.POSITIVE_INFINITY);
      return "done";
    },
  });
  await using server = await serveFixture({ tools: [odd] });
  const { messages } = await postMessage(
    server.port,
    withMeta(toolCall("odd"), { progressToken: 1 }),
  );
  report(9);
  const values = messages.slice(0, -1).map(({ params }) => params?.["progress"] as number);
  expect(values.every(Number.isFinite)).toBe(true);
  expect(values.at(-1)).toBe(3.5);
});
