import { expect, test } from "vitest";
import {
  calling,
  listing,
  ok,
  sendResult,
  sendText,
} from "../../../../test/support/fake-http-server.ts";
import { connectToScripts, listAll, plainTool } from "../../../../test/support/scripted-client.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import type { Client } from "./client.ts";

const validator = jsonSchema({ trusted: false });

test("survives hostile schemas: each fails alone or works [SC08]", async () => {
  const deep = '{"properties":{"a":'.repeat(2000) + "{}" + "}}".repeat(2000);
  const entry = (name: string, schema: string): string =>
    `{"name":"${name}","inputSchema":{"type":"object"},"outputSchema":${schema}}`;
  const tools = [
    entry(
      "cycle",
      '{"$ref":"#/$defs/A","$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"}]},"B":{"allOf":[{"$ref":"#/$defs/A"}]}}}',
    ),
    entry("deep", deep),
    entry(
      "wide",
      `{"anyOf":[${Array.from({ length: 20_000 }, (_, n) => `{"const":${n}}`).join(",")}]}`,
    ),
    entry("slow", '{"type":"string","pattern":"^(a+)+$"}'),
    entry("fine", '{"type":"string"}'),
  ];
  await using peer = await connectToScripts(
    {
      "tools/list": ({ id }, response) =>
        sendText(response, `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tools.join(",")}]}}`),
      "tools/call": calling({ ...ok, structuredContent: `${"a".repeat(40)}!` }),
    },
    { validator },
  );

  const names = (await listAll(peer.client)).map(({ name }) => name);
  const outcomes: unknown[] = [];
  let longestMs = 0;
  for (const name of names) {
    const before = process.cpuUsage();
    await peer.client.callTool(name).then(
      () => outcomes.push(`${name} works`),
      (error: { reason?: string }) => outcomes.push(`${name} ${error.reason}`),
    );
    const { user, system } = process.cpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
  }

  expect(peer.client.problems).toEqual([
    { name: "deep", reason: "is nested deeper than 128 levels" },
  ]);
  expect(outcomes).toEqual([
    "cycle invalid-output",
    expect.stringMatching(/^wide /),
    "slow invalid-output",
    "fine works",
  ]);
  expect(longestMs).toBeLessThan(500);
});

const draft7 = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { a: { type: "integer" } },
  required: ["a"],
};

test("checks output by the dialect that its schema declares [SC03]", async () => {
  const results = [{ a: 1 }, { a: "x" }];
  await using peer = await connectToScripts(
    {
      "tools/list": listing(
        { ...plainTool("t"), outputSchema: draft7 },
        { ...plainTool("odd"), outputSchema: { $schema: "https://example.com/dialect" } },
      ),
      "tools/call": ({ id }, response) =>
        sendResult(response, id, { ...ok, structuredContent: results.shift() ?? null }),
    },
    { validator },
  );

  expect(await peer.client.callTool("t")).toMatchObject({ structuredContent: { a: 1 } });
  await expect(peer.client.callTool("t")).rejects.toMatchObject({
    reason: "invalid-output",
    outcome: "unknown",
    message: expect.stringMatching(/^The tool "t" gave structured content that breaks .*\/a /),
  });
  await expect(peer.client.callTool("odd")).rejects.toMatchObject({
    reason: "invalid-output",
    outcome: "none",
    message: expect.stringContaining('cannot enforce the output schema of "odd"'),
  });
  expect(peer.server.of("tools/call")).toHaveLength(2);
});

test("checks structured content only, and never that of a failed call [ST01]", async () => {
  const outputSchema = { type: "object", required: ["t"], properties: { t: { type: "number" } } };
  const results = [
    { isError: true, content: [{ type: "text", text: "rain" }] },
    { isError: true, content: [{ type: "text", text: "hail" }], structuredContent: { error: "x" } },
    ok,
    { ...ok, structuredContent: { t: 1 }, _meta: { "x.y/z": 1 }, vendor: true },
  ];
  await using peer = await connectToScripts(
    {
      "tools/list": listing({ ...plainTool("weather"), outputSchema }),
      "tools/call": ({ id }, response) => sendResult(response, id, results.shift() ?? {}),
    },
    { validator },
  );
  const call = (): ReturnType<Client["callTool"]> => peer.client.callTool("weather");

  expect(await call()).toMatchObject({ isError: true, content: [{ text: "rain" }] });
  expect(await call()).toMatchObject({ isError: true, content: [{ text: "hail" }] });
  await expect(call()).rejects.toMatchObject({
    reason: "invalid-output",
    message: 'The tool "weather" has an output schema but gave no structured content',
  });
  expect(await call()).toMatchObject({ structuredContent: { t: 1 }, vendor: true });
});

test.each([
  [true, { validator }, { reason: "invalid-output" }],
  [false, { validator }, { reason: "invalid-output" }],
  [true, {}, undefined],
  [false, {}, undefined],
])(
  "judges output the same whether tools were listed (%s) or not [ST04]",
  async (isListed, options, failure) => {
    const weather = { ...plainTool("weather"), outputSchema: { type: "object" } };
    await using peer = await connectToScripts(
      {
        "tools/list": listing(weather),
        "tools/call": calling({ ...ok, structuredContent: "not an object" }),
      },
      options,
    );
    if (isListed) await listAll(peer.client);

    const calls = await Promise.allSettled([
      peer.client.callTool("weather"),
      peer.client.callTool("weather"),
    ]);

    for (const call of calls) {
      const expected = failure === undefined ? { status: "fulfilled" } : { reason: failure };
      expect(call).toMatchObject(expected);
    }
    expect(peer.server.of("tools/list").length).toBeLessThanOrEqual(1);
  },
);
