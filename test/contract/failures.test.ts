import { createServer, failure, RpcError, tool, ToolError, type ServerOptions } from "snodo";
import { expect, test } from "vitest";
import { call } from "./call.ts";

const input = { type: "object" } as const;

function serverOf(handler: () => unknown, options: Partial<ServerOptions> = {}) {
  const faults: { error: unknown; ref: string }[] = [];
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [{ name: "act", inputSchema: input, annotations: {}, call: handler }],
    onError: (error, { ref }) => faults.push({ error, ref }),
    ...options,
  });
  return { server, faults };
}

function throwing(error: unknown) {
  return () => {
    throw error;
  };
}

test("turns failure(message) into a result with one verbatim text block and isError [T3]", async () => {
  const { server, faults } = serverOf(() => failure("hex.pm returned 503"));
  const response = await call(server, "act");
  expect(response.status).toBe(200);
  expect(response.result.content).toEqual([{ type: "text", text: "hex.pm returned 503" }]);
  expect(response.result.isError).toBe(true);
  expect(faults).toEqual([]);
});

test("treats a thrown ToolError like failure(message) [T3]", async () => {
  const { server, faults } = serverOf(throwing(new ToolError("no such package")));
  const response = await call(server, "act");
  expect([response.status, response.text, response.result.isError]).toEqual([
    200,
    "no such package",
    true,
  ]);
  expect(faults).toEqual([]);
});

test("reports a tool failure to instrumentation as a call that worked [T3]", async () => {
  const outcomes: unknown[] = [];
  const { server } = serverOf(() => failure("bad"), {
    instrumentation: (event) => {
      if (event.type === "request.stop") outcomes.push([event.outcome, event.isError]);
    },
  });
  await call(server, "act");
  expect(outcomes).toEqual([["ok", true]]);
});

test.each([
  ["thrown", throwing(RpcError.invalidParams("version must be semantic", { at: "version" }))],
  ["returned", () => RpcError.invalidParams("version must be semantic", { at: "version" })],
])(
  "passes an RpcError that was %s through unchanged, without a result [T4][T5]",
  async (_, handler) => {
    const { server, faults } = serverOf(handler);
    const response = await call(server, "act");
    expect(response.error).toEqual({
      code: -32602,
      message: "version must be semantic",
      data: { at: "version" },
    });
    expect(response).not.toHaveProperty("result");
    expect(faults).toEqual([]);
  },
);

test("answers 400 when a handler needs a capability that the client lacks [T4]", async () => {
  const { server } = serverOf(throwing(RpcError.missingClientCapability({ sampling: {} })));
  const response = await call(server, "act");
  expect(response.status).toBe(400);
  expect(response.error.data).toEqual({ requiredCapabilities: { sampling: {} } });
});

test("keeps an application's own error code [T4][T5]", async () => {
  const { server } = serverOf(throwing(new RpcError(4711, "out of tea")));
  expect((await call(server, "act")).error).toEqual({ code: 4711, message: "out of tea" });
});

test.each([
  ["an Error", new Error("password=hunter2 at /srv/app.ts")],
  ["a string", "password=hunter2"],
  ["null", null],
  ["undefined", undefined],
  ["a frozen object", Object.freeze({ secret: "hunter2" })],
])(
  "masks %s that was thrown and gives the operator the original with the same ref [T6]",
  async (_, thrown) => {
    const { server, faults } = serverOf(throwing(thrown));
    const response = await call(server, "act");
    expect(response.status).toBe(200);
    expect(response.result.isError).toBe(true);
    expect(response.text).toMatch(/^Tool execution failed \(ref [0-9a-f]{6}\)$/);
    expect(JSON.stringify(response)).not.toContain("hunter2");
    expect(faults).toEqual([{ error: thrown, ref: response.text.slice(-7, -1) }]);
  },
);

test("sends the message of an unexpected error only when exposeErrors is set [T6]", async () => {
  const { server } = serverOf(throwing(new Error("ENOENT: notes.db")), { exposeErrors: true });
  expect((await call(server, "act")).text).toMatch(
    /^Tool execution failed: ENOENT: notes\.db \(ref [0-9a-f]{6}\)$/,
  );
});

test("gives instrumentation the original and the same ref [T6]", async () => {
  const seen: unknown[] = [];
  const error = new Error("secret");
  const { server, faults } = serverOf(throwing(error), {
    instrumentation: (event) => {
      if (event.type === "request.fault") seen.push(event.error, event.ref);
    },
  });
  await call(server, "act");
  expect(seen).toEqual([error, faults[0]?.ref]);
});

test("answers the same when onError and instrumentation throw [T6]", async () => {
  const { server } = serverOf(throwing(new Error("x")), {
    onError: throwing(new Error("observer")),
    instrumentation: throwing(new Error("observer")),
  });
  expect((await call(server, "act")).text).toMatch(/^Tool execution failed \(ref/);
});

test("answers -32603 with a reference when middleware of another method throws [T6]", async () => {
  const { server, faults } = serverOf(() => "ok", {
    use: [throwing(new Error("database is at 10.0.0.7"))],
  });
  const { list } = await import("./call.ts");
  const response = await list(server);
  expect(response.error.code).toBe(-32603);
  expect(response.error.message).toBe(`Internal error (ref ${faults[0]?.ref})`);
});

test("lets a tool built with tool() fail in both shapes, too [T3][T4]", async () => {
  const lookup = tool({
    name: "lookup",
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    call: ({ id }) => {
      if (id.startsWith("!")) throw RpcError.invalidParams("id must not start with !");
      return failure(`nothing is called ${id}`);
    },
  });
  const server = createServer({ name: "contract", version: "1", tools: [lookup] });
  expect((await call(server, "lookup", { id: "x" })).text).toBe("nothing is called x");
  expect((await call(server, "lookup", { id: "!" })).error.code).toBe(-32602);
});
