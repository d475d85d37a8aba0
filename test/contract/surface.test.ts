import {
  ConfigurationError,
  createServer,
  definition,
  live,
  passthrough,
  RpcError,
  tool,
  type AnyTool,
  type Auth,
} from "snodo";
import { expect, test } from "vitest";
import { call, list, send } from "./call.ts";
import { modernRequest } from "../support/modern.ts";

const named = (name: string) => tool({ name, call: () => name });

function build(tools: readonly AnyTool[], more: object = {}) {
  return createServer({ name: "contract", version: "1", validator: passthrough, tools, ...more });
}

async function namesOf(server: Parameters<typeof list>[0], auth?: Auth) {
  const response = await list(server, {}, { auth });
  return response.result.tools.map((entry) => entry["name"]);
}

class Clock {
  readonly name = "clock";
  get description() {
    return "Tells the time";
  }
  get inputSchema() {
    return { type: "object", "x-vendor": [1, { deep: null }] } as const;
  }
  readonly annotations = { readOnlyHint: true };
  #calls = 0;
  call() {
    this.#calls += 1;
    return `call ${this.#calls}`;
  }
}

test("serves a class instance like the same tool made by tool(), byte for byte in the list [T1]", async () => {
  const made = tool({
    name: "clock",
    description: "Tells the time",
    input: { type: "object", "x-vendor": [1, { deep: null }] },
    annotations: { readOnlyHint: true },
    call: () => "made",
  });
  const [byHand, byBuilder] = await Promise.all(
    [new Clock(), made].map(async (value) => (await list(build([value as AnyTool]))).result.tools),
  );
  expect(JSON.stringify(byHand)).toBe(JSON.stringify(byBuilder));
});

test("calls a hand-made tool as a method of its own object [T1]", async () => {
  const server = build([new Clock()]);
  await call(server, "clock");
  expect((await call(server, "clock")).text).toBe("call 2");
});

test("publishes a raw schema verbatim: keys, order, unknown keywords [T2]", async () => {
  const schema = {
    "x-first": true,
    type: "object",
    unevaluatedProperties: false,
    $defs: { id: { type: "string", "x-secret": false } },
    properties: { z: { $ref: "#/$defs/id" }, a: { default: null } },
    required: ["z"],
  } as const;
  const [entry] = (await list(build([tool({ name: "t", input: schema, call: () => 1 })]))).result
    .tools;
  expect(JSON.stringify(entry?.["inputSchema"])).toBe(JSON.stringify(schema));
});

test("is not touched by later changes of the author's schema [T2]", async () => {
  const schema: { type: "object"; properties: Record<string, { type: "string" }> } = {
    type: "object",
    properties: { a: { type: "string" } },
  };
  const byHand = { name: "hand", inputSchema: schema, annotations: {}, call: () => 1 };
  const server = build([tool({ name: "made", input: schema, call: () => 1 }), byHand]);
  schema.properties["b"] = { type: "string" };
  for (const entry of (await list(server)).result.tools) {
    expect(entry["inputSchema"]).toEqual({ type: "object", properties: { a: { type: "string" } } });
  }
});

test("leaves out what a tool does not have and empty annotations [T1][T15]", async () => {
  const [entry] = (await list(build([named("bare")]))).result.tools;
  expect(entry).toEqual({ name: "bare", inputSchema: { type: "object" } });
});

test("lists title, icons and meta where they are given [T1]", async () => {
  const rich = tool({
    name: "rich",
    title: "Rich",
    icons: [{ src: "https://example.com/i.png" }],
    meta: { "com.example/cost": 1 },
    call: () => 1,
  });
  const [entry] = (await list(build([rich]))).result.tools;
  expect(entry).toMatchObject({
    title: "Rich",
    icons: [{ src: "https://example.com/i.png" }],
    _meta: { "com.example/cost": 1 },
  });
});

test("gives the protocol-neutral definition of a tool [T15]", () => {
  expect(definition(named("bare"))).toEqual({
    name: "bare",
    inputSchema: { type: "object" },
    annotations: {},
  });
});

test("refuses two tools of one name, naming both places [T16]", () => {
  expect(() => build([named("a"), named("b"), named("a")])).toThrow(
    'tools[2]: the name "a" is taken by tools[0]',
  );
});

test("takes the same tool twice as once [T16]", async () => {
  const same = named("same");
  expect(await namesOf(build([same, same]))).toEqual(["same"]);
});

test("lists in order of name, however the tools were given [T16]", async () => {
  expect(await namesOf(build(["b", "a", "C", "a2"].map(named)))).toEqual(["C", "a", "a2", "b"]);
});

test("reports every problem of a server at once", () => {
  const broken = { name: "broken", inputSchema: { type: "array" }, annotations: {}, call: () => 1 };
  const act = () =>
    createServer({
      name: "",
      version: "1",
      tools: [broken as never, named("a"), named("a")],
      protocols: ["2020-01-01"],
      pageSize: 0,
      limits: { bodyBytes: -1, nonsense: 1 } as never,
      cache: { tools: { ttlMs: 0.5, scope: "public" } },
      authorize: () => true,
    });
  expect(act).toThrow(ConfigurationError);
  try {
    act();
  } catch (error) {
    expect((error as ConfigurationError).problems).toEqual([
      "name must be a non-empty string",
      expect.stringMatching(/^protocols .*2026-07-28/),
      expect.stringContaining("pageSize"),
      expect.stringContaining("limits.bodyBytes"),
      expect.stringContaining("limits.nonsense"),
      expect.stringContaining("cache.tools.ttlMs"),
      expect.stringContaining("cache.tools.scope"),
      expect.stringContaining("/inputSchema/type"),
      expect.stringContaining('"a"'),
    ]);
  }
});

test("lists exactly what the caller can call [T7]", async () => {
  const server = build(["all", "admins", "denied", "scoped"].map(named), {
    authorize: ({ component, auth }: { component: { name: string }; auth: Auth | undefined }) => {
      if (component.name === "all") return true;
      if (component.name === "denied") return { deny: "never" };
      if (component.name === "scoped") return { scopes: ["notes:write"] };
      return auth?.subject === "root";
    },
  });
  const root = { subject: "root" };
  expect(await namesOf(server)).toEqual(["all"]);
  expect(await namesOf(server, root)).toEqual(["admins", "all"]);
  expect((await call(server, "admins")).error).toEqual({
    code: -32602,
    message: 'Unknown tool "admins"',
  });
  expect((await call(server, "admins", {}, { auth: root })).text).toBe("admins");
  expect((await call(server, "denied")).error).toEqual({ code: 403, message: "never" });
  const scoped = await call(server, "scoped");
  expect([scoped.status, scoped.error.data]).toEqual([403, { requiredScopes: ["notes:write"] }]);
});

test("refuses when the policy throws, for the list and for the call", async () => {
  const authorize = () => {
    throw new Error("directory at 10.0.0.7 is down");
  };
  const server = build([named("a")], { authorize, onError: () => {} });
  expect((await list(server)).error.code).toBe(-32603);
  expect((await call(server, "a")).error).toEqual({ code: -32603, message: "The policy failed" });
});

test("checks mirrored arguments only for tools that the caller may call [T12]", async () => {
  const route = tool({
    name: "route",
    input: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    call: () => "routed",
  });
  const hidden = build([route], { authorize: () => false });
  expect((await call(hidden, "route", { region: "eu" })).error.code).toBe(-32602);
  const open = build([route]);
  expect((await call(open, "route", { region: "eu" })).error.code).toBe(-32020);
  const headers = { "mcp-param-region": "eu" };
  expect((await call(open, "route", { region: "eu" }, { headers })).text).toBe("routed");
});

test("cuts a long list into pages that add up to the whole", async () => {
  const server = build(
    Array.from({ length: 7 }, (_, n) => named(`t${n}`)),
    { pageSize: 3 },
  );
  const names: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await list(server, cursor === undefined ? {} : { cursor });
    names.push(...result.tools.map((entry) => entry["name"]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
});

test("refuses a cursor of another catalogue, a forged one and one that is too long", async () => {
  const names = ["a", "b", "c"];
  const server = build(names.map(named), { pageSize: 1 });
  const other = build([...names, "d"].map(named), { pageSize: 1 });
  const { nextCursor } = (await list(other)).result;
  for (const cursor of [nextCursor, "", "MQ==", "x".repeat(3000), 7]) {
    expect((await list(server, { cursor })).error.code).toBe(-32602);
  }
});

test("serves a replaced server at once and finishes calls on the old one", async () => {
  let release: (value: string) => void = () => {};
  const slow = tool({
    name: "slow",
    call: () =>
      new Promise<string>((resolve) => {
        release = resolve;
      }),
  });
  const holder = live(build([slow]));
  const inFlight = call(holder, "slow");
  await expect.poll(() => release.length).toBe(1);
  holder.set(build([named("next")]));
  expect(await namesOf(holder)).toEqual(["next"]);
  expect((await call(holder, "slow")).error.code).toBe(-32602);
  release("old");
  expect((await inFlight).text).toBe("old");
});

test("advertises tools only when there are some, and answers -32601 otherwise", async () => {
  const empty = createServer({ name: "contract", version: "1", instructions: "Be kind." });
  const { result } = await send(empty, modernRequest("server/discover"));
  expect(result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    capabilities: {},
    instructions: "Be kind.",
    ttlMs: 0,
    cacheScope: "private",
    resultType: "complete",
  });
  const listed = await list(empty);
  expect([listed.status, listed.error.code]).toEqual([404, -32601]);
});

test("gives lists and discovery the cache hints of the options", async () => {
  const server = build([named("a")], {
    cache: { tools: { ttlMs: 5000, scope: "public" }, discover: { ttlMs: 60000, scope: "public" } },
  });
  expect((await list(server)).result).toMatchObject({ ttlMs: 5000, cacheScope: "public" });
  const { result } = await send(server, modernRequest("server/discover"));
  expect(result).toMatchObject({ ttlMs: 60000, cacheScope: "public" });
});

test("lets an RpcError of middleware through and shows middleware every method", async () => {
  const seen: string[] = [];
  const server = build([named("a")], {
    use: [
      (ctx: { request: { method: string } }, next: () => Promise<unknown>) => {
        seen.push(ctx.request.method);
        if (ctx.request.method === "tools/call") throw RpcError.invalidParams("closed today");
        return next();
      },
    ],
  });
  await list(server);
  expect((await call(server, "a")).error.message).toBe("closed today");
  expect(seen).toEqual(["tools/list", "tools/call"]);
});
