import { expect, expectTypeOf, test } from "vitest";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { tool } from "../../core/define-tool.ts";
import { failure } from "../../core/result.ts";
import { createServer } from "../../server/create-server.ts";
import { live } from "../../server/serving.ts";
import type { Client } from "../../client/client.ts";
import type { ListedTool } from "../../client/tool-catalog.ts";
import { connect } from "../connect.ts";

const add = tool({
  name: "add",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  call: ({ a, b }) => ({ sum: a + b }),
});

const fail = tool({ name: "fail", call: () => failure("on purpose") });

test("calls the tools of a server in the same program", async () => {
  const server = createServer({
    name: "demo",
    version: "1",
    instructions: "Add.",
    tools: [add, fail],
  });
  await using client = await connect(server);

  expect(client.server).toEqual({
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    instructions: "Add.",
    info: { name: "demo", version: "1" },
  });
  expect(await client.callTool("add", { a: 1, b: 2 })).toMatchObject({
    content: [{ type: "text", text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
    isError: false,
  });
  expect(await client.callTool("fail")).toMatchObject({ isError: true });
  await expect(client.request("no/such")).rejects.toMatchObject({ name: "RpcError", code: -32601 });
});

test("types names, arguments and structured content by the server", async () => {
  const server = createServer({ name: "demo", version: "1", tools: [add, fail] });
  await using client = await connect(server);
  const other: Client = client;
  expectTypeOf(connect<typeof server.tools>).returns.resolves.toEqualTypeOf<typeof client>();

  const result = await client.callTool("add", { a: 1, b: 2 });
  if (!result.isError) expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number }>();
  // @ts-expect-error there is no such tool
  await expect(client.callTool("subtract")).rejects.toThrow("Unknown tool");
  // @ts-expect-error b is missing
  await client.callTool("add", { a: 1 });
  // @ts-expect-error the arguments are missing
  await client.callTool("add");
  const unknown = await other.callTool("anything-goes").catch(() => undefined);
  if (unknown?.isError === false) {
    expectTypeOf(unknown.structuredContent).toEqualTypeOf<JsonValue | undefined>();
  }
});

async function firstTool(client: Pick<Client, "listTools">): Promise<ListedTool | undefined> {
  for await (const tool of client.listTools()) return tool;
  return undefined;
}

test("shares no object with the server, in either direction", async () => {
  const kept: { list: unknown[] }[] = [];
  const answer = { list: [1] };
  const keep = tool({
    name: "keep",
    input: { type: "object", properties: { list: { type: "array" } }, required: ["list"] },
    call: (args) => {
      kept.push(args as (typeof kept)[number]);
      return answer;
    },
  });
  await using client = await connect(createServer({ name: "demo", version: "1", tools: [keep] }));
  const args = { list: ["mine"] };

  const first = await client.callTool("keep", args);
  args.list.push("later");
  kept[0]?.list.push("theirs");
  const structured = first.structuredContent as { list: unknown[] };
  structured.list.push("mine");
  Object.assign((await firstTool(client))?.inputSchema ?? {}, { type: "broken" });

  expect(args).toEqual({ list: ["mine", "later"] });
  expect(kept[0]).toEqual({ list: ["mine", "theirs"] });
  expect(answer).toEqual({ list: [1] });
  expect((await firstTool(client))?.inputSchema["type"]).toBe("object");
});

test("passes the caller's identity on", async () => {
  const whoami = tool({ name: "whoami", call: (_args, ctx) => ctx.auth?.subject ?? "nobody" });
  const server = createServer({ name: "demo", version: "1", tools: [whoami] });
  await using client = await connect(server, { auth: { subject: "ada" } });

  expect(await client.callTool("whoami")).toMatchObject({ content: [{ text: "ada" }] });
});

test("hands progress over and aborts the handler's signal", async () => {
  const reasons: unknown[] = [];
  const wait = tool({
    name: "wait",
    call: (_args, ctx) =>
      new Promise<string>((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          reasons.push(ctx.signal.reason);
          resolve("stopped");
        });
        ctx.progress(1, 2, "half");
      }),
  });
  await using client = await connect(createServer({ name: "demo", version: "1", tools: [wait] }));
  const controller = new AbortController();
  const seen: unknown[] = [];

  const call = client.callTool("wait", undefined, {
    signal: controller.signal,
    onProgress: (progress) => {
      seen.push(progress);
      controller.abort("enough");
    },
  });

  await expect(call).rejects.toBe("enough");
  expect(seen).toEqual([{ progress: 1, total: 2, message: "half" }]);
  expect(reasons).toMatchObject([{ message: "The client cancelled the request" }]);
});

test("meets each new server of a live holder", async () => {
  const holder = live(createServer({ name: "demo", version: "1", tools: [add] }));
  await using client = await connect(holder);

  holder.set(createServer({ name: "demo", version: "2", tools: [add] }));

  expect((await client.discover()).info?.version).toBe("2");
});

test.each([
  [{ n: 1n }, "The arguments at /n: must be a JSON value, not bigint"],
  [{ at: [new Date(0)] }, "The arguments at /at/0: must be a plain object"],
  [{ x: Number.NaN }, "The arguments at /x: must be a finite number"],
])("refuses the arguments %o before anything is sent", async (args, message) => {
  await using client = await connect(createServer({ name: "demo", version: "1", tools: [fail] }));

  await expect(client.callTool("fail", args as unknown as JsonObject)).rejects.toThrow(
    new RegExp(`^${message}`),
  );
});

test("rejects what is in flight and everything after close", async () => {
  const wait = tool({ name: "wait", call: () => new Promise<string>(() => {}) });
  const client = await connect(createServer({ name: "demo", version: "1", tools: [wait] }));

  const call = client.callTool("wait");
  await client.close();

  await expect(call).rejects.toMatchObject({ reason: "closed", outcome: "unknown" });
  await expect(client.callTool("wait")).rejects.toMatchObject({
    reason: "closed",
    outcome: "none",
  });
});

test.each([
  [{}, /Expected a server/],
  [{ command: "node" }, /cannot start programs/],
])("refuses the target %o", async (target, message) => {
  await expect(connect(target as never)).rejects.toThrow(message);
});
