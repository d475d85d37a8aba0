import { basic, createServer, passthrough, tool, type ServerOptions, type SnodoEvent } from "snodo";
import { jsonSchema } from "snodo/json-schema";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { call } from "./call.ts";

const schema = {
  type: "object",
  properties: { a: { type: "string" }, b: { type: "array", items: { type: "integer" } } },
  required: ["a", "b"],
} as const;

afterEach(() => vi.restoreAllMocks());

function spy(options: Partial<ServerOptions> = {}) {
  const calls: unknown[] = [];
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [
      {
        name: "act",
        inputSchema: schema,
        annotations: {},
        call: (args: unknown) => {
          calls.push(args);
          return "done";
        },
      },
    ],
    validator: passthrough,
    ...options,
  });
  return { server, calls };
}

test("refuses an unknown tool before anything else [T7]", async () => {
  const { server } = spy();
  const response = await call(server, "nope", [] as never);
  expect(response.error).toEqual({ code: -32602, message: 'Unknown tool "nope"' });
  expect(response.status).toBe(200);
});

test("refuses a caller before it looks at the arguments [T7]", async () => {
  const { server, calls } = spy({ authorize: () => ({ deny: "not you" }) });
  const response = await call(server, "act", [1] as never);
  expect(response.error).toEqual({ code: 403, message: "not you" });
  expect(response.status).toBe(403);
  expect(calls).toEqual([]);
});

test.each([[[1, 2]], ["text"], [7], [null], [true]])(
  "refuses arguments that are not an object: %j [T7]",
  async (args) => {
    const { server, calls } = spy();
    const response = await call(server, "act", args as never);
    expect(response.error).toEqual({ code: -32602, message: "params.arguments must be an object" });
    expect(calls).toEqual([]);
  },
);

test("takes absent arguments as an empty object [T7]", async () => {
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [tool({ name: "act", call: (args) => args })],
  });
  const response = await call(server, "act", undefined);
  expect(response.result.structuredContent).toEqual({});
});

test("checks required, then the validator, then runs middleware and handler [T7]", async () => {
  const order: string[] = [];
  const traced = tool({
    name: "act",
    input: schema,
    use: [
      (_ctx, next) => {
        order.push("tool middleware");
        return next();
      },
    ],
    call: () => {
      order.push("handler");
      return "done";
    },
  });
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [traced],
    validator: {
      name: "recording",
      compile: () => () => {
        order.push("validator");
        return [];
      },
    },
    use: [
      (_ctx, next) => {
        order.push("server middleware");
        return next();
      },
    ],
  });
  await call(server, "act", { a: "x" });
  expect(order).toEqual(["server middleware"]);
  await call(server, "act", { a: "x", b: [] });
  expect(order.slice(1)).toEqual(["server middleware", "validator", "tool middleware", "handler"]);
});

test("names missing arguments in schema order, also with the pass-through validator [T8]", async () => {
  const { server, calls } = spy();
  const response = await call(server, "act", {});
  expect([response.status, response.result.isError]).toEqual([200, true]);
  expect(response.text).toBe("Missing required arguments: a, b");
  expect(calls).toEqual([]);
});

test("counts a present null as present [T8]", async () => {
  const { server, calls } = spy();
  expect((await call(server, "act", { a: null, b: 1 })).text).toBe("done");
  expect(calls).toEqual([{ a: null, b: 1 }]);
});

test("does not take an inherited name for an argument [T8]", async () => {
  const server = createServer({
    name: "contract",
    version: "1",
    validator: passthrough,
    tools: [
      tool({
        name: "act",
        input: { type: "object", properties: { toString: {} }, required: ["toString"] },
        call: () => "ran",
      }),
    ],
  });
  expect((await call(server, "act")).text).toBe("Missing required arguments: toString");
});

test.each([
  ["basic", basic],
  ["jsonSchema()", jsonSchema()],
])(
  "tells where the arguments break the schema, and never the value: %s [T9]",
  async (_, validator) => {
    const { server, calls } = spy({ validator });
    const response = await call(server, "act", { a: 5, b: [1, "hunter2"] });
    expect(response.result.isError).toBe(true);
    expect(response.text.split("\n")).toEqual([
      expect.stringMatching(/^Invalid arguments at \/a: .*string/),
      expect.stringMatching(/^Invalid arguments at \/b\/1: .*integer/),
    ]);
    expect(response.text).not.toContain("hunter2");
    expect(calls).toEqual([]);
  },
);

test("escapes the JSON pointer and reports at most ten problems [T9]", async () => {
  const problems = Array.from({ length: 12 }, () => ({ path: ["a/b~c", 0], rule: "must be odd" }));
  const { server } = spy({ validator: { name: "many", compile: () => () => problems } });
  const lines = (await call(server, "act", { a: 1, b: 2 })).text.split("\n");
  expect(lines).toEqual(
    Array.from({ length: 10 }, () => "Invalid arguments at /a~1b~0c/0: must be odd"),
  );
});

test("leaves the place out when the whole arguments are wrong [T9]", async () => {
  const problems = [{ path: [], rule: "must have a or b" }];
  const { server } = spy({ validator: { name: "root", compile: () => () => problems } });
  expect((await call(server, "act", { a: 1, b: 2 })).text).toBe(
    "Invalid arguments: must have a or b",
  );
});

test("takes a validator that throws as a fault of the server [T9]", async () => {
  const faults: unknown[] = [];
  const broken = new Error("compiler exploded");
  const { server } = spy({
    onError: (error) => faults.push(error),
    validator: {
      name: "broken",
      compile: () => {
        throw broken;
      },
    },
  });
  const response = await call(server, "act", { a: 1, b: 2 });
  expect(response.error).toEqual({ code: -32603, message: "Schema validator failed" });
  expect(faults).toEqual([broken]);
});

test("enforces nothing beyond required by default and says so once, naming tools and option [T10]", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const events: SnodoEvent[] = [];
  const strict = { ...schema, additionalProperties: false } as const;
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [tool({ name: "strict", input: strict, call: () => "ran" })],
    instrumentation: (event) => events.push(event),
  });
  expect(lines).toHaveBeenCalledOnce();
  expect(lines.mock.calls[0]?.[0]).toMatch(/strict.*validator/s);
  expect(events).toEqual([{ type: "schema.unenforced", tools: ["strict"] }]);
  expect((await call(server, "strict", { a: 1, b: "x", c: true })).text).toBe("ran");
  expect(lines).toHaveBeenCalledOnce();
});

test("says nothing when passthrough was chosen, or a schema has no further keywords [T10]", () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const tools = [
    tool({ name: "strict", input: { ...schema, minProperties: 1 }, call: () => "ran" }),
  ];
  createServer({ name: "contract", version: "1", tools, validator: passthrough });
  createServer({
    name: "contract",
    version: "1",
    tools: [tool({ name: "free", call: () => "ran" })],
  });
  expect(lines).not.toHaveBeenCalled();
});

test("always lets a Standard Schema check its own arguments, and passes on what it made of them [T10]", async () => {
  const server = createServer({
    name: "contract",
    version: "1",
    validator: passthrough,
    tools: [
      tool({
        name: "act",
        input: z.object({ n: z.number().default(5), t: z.string().trim() }),
        call: (args) => args,
      }),
    ],
  });
  expect((await call(server, "act", { t: " x " })).result.structuredContent).toEqual({
    n: 5,
    t: "x",
  });
  const refused = await call(server, "act", { n: "hunter2", t: "x" });
  expect(refused.text).toMatch(/^Invalid arguments at \/n: /);
  expect(refused.text).not.toContain("hunter2");
});

test("compiles a schema once, at the first call that needs it", async () => {
  let compiled = 0;
  const { server } = spy({
    validator: {
      name: "counting",
      compile: () => {
        compiled += 1;
        return () => [];
      },
    },
  });
  expect(compiled).toBe(0);
  await call(server, "act", { a: 1, b: 2 });
  await call(server, "act", { a: 1, b: 2 });
  expect(compiled).toBe(1);
});
