import { expect, onTestFinished, test } from "vitest";
import { createServer } from "node:net";
import type { ServerResponse } from "node:http";
import type { CallResult } from "../../client/decode-result.ts";
import {
  calling,
  fakeHttpServer,
  ok,
  openEvents,
  type ReceivedMessage,
  resultOf,
  type Script,
  sendResult,
  sendText,
} from "../../../../../test/support/fake-http-server.ts";
import { connect } from "../connect-node.ts";

const overEach = test.each([
  ["node:http", {}],
  ["fetch", { fetch }],
] as const);

function progress(message: ReceivedMessage, done: number): object {
  const { progressToken } = message.params._meta;
  const params = { progressToken, progress: done };
  return { jsonrpc: "2.0", method: "notifications/progress", params };
}

function textOf(result: CallResult): unknown {
  const [block] = result.content;
  return block?.type === "text" ? block.text : undefined;
}

overEach(
  "carries version, method, name and identity on every request over %s",
  async (_, options) => {
    await using server = await fakeHttpServer({ "tools/call": calling(ok) });
    await using client = await connect(server.url, {
      ...options,
      headers: { Authorization: "Bearer t" },
      info: { name: "probe", version: "9" },
    });

    await client.callTool("echo", { text: "x" }, { meta: { traceparent: "00-a-b-01" } });

    const [first, second] = server.received;
    expect(first?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: "Bearer t",
    });
    expect(first?.headers).not.toHaveProperty("mcp-name");
    expect(second?.headers).toMatchObject({ "mcp-method": "tools/call", "mcp-name": "echo" });
    expect(second?.message).toEqual({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: {
        name: "echo",
        arguments: { text: "x" },
        _meta: {
          traceparent: "00-a-b-01",
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "probe", version: "9" },
          "io.modelcontextprotocol/clientCapabilities": {},
          progressToken: 2,
        },
      },
    });
  },
);

overEach("reads the response and progress from a stream of events over %s", async (_, options) => {
  await using server = await fakeHttpServer({
    "tools/call": (message, response) => {
      const send = openEvents(response);
      response.write(":\n\nevent: message\ndata:\n\nevent: other\ndata: {}\n\n");
      send(progress(message, 1));
      send(resultOf(99, ok));
      send(resultOf(message.id, ok));
      response.end();
    },
  });
  const warnings: string[] = [];
  await using client = await connect(server.url, {
    ...options,
    onWarning: ({ kind }) => warnings.push(kind),
  });
  const seen: unknown[] = [];

  const result = await client.callTool("t", {}, { onProgress: (update) => seen.push(update) });

  expect(textOf(result)).toBe("ok");
  expect(seen).toEqual([{ progress: 1 }]);
  expect(warnings).toEqual(["unexpected-message"]);
});

overEach(
  "times out a body that stalls, and closes the socket, over %s [HT24]",
  async (_, options) => {
    await using server = await fakeHttpServer({
      "tools/call": (_message, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
        response.write('{"jsonrpc"');
      },
    });
    await using client = await connect(server.url, options);
    const closed = server.closedEarly();
    const startedAt = performance.now();

    await expect(client.callTool("echo", {}, { timeoutMs: 500 })).rejects.toMatchObject({
      reason: "timeout",
    });

    expect(performance.now() - startedAt).toBeGreaterThan(490);
    await closed;
  },
);

test("sends nothing when the signal is aborted already [CA07]", async () => {
  await using server = await fakeHttpServer({});
  await using client = await connect(server.url);

  await expect(client.callTool("t", {}, { signal: AbortSignal.abort("no") })).rejects.toBe("no");

  expect(server.of("tools/call")).toEqual([]);
});

test("lets 10,000 calls share a signal, without a warning [CA07]", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const waiting: ServerResponse[] = [];
  const controller = new AbortController();
  await using server = await fakeHttpServer({
    "tools/call": (_message, response) => {
      if (waiting.push(response) === 64) controller.abort("enough");
    },
  });
  await using client = await connect(server.url);

  const calls = Array.from({ length: 10_000 }, () =>
    client.callTool("t", {}, { signal: controller.signal }),
  );

  const settled = await Promise.allSettled(calls);
  expect(new Set(settled.map((call) => call.status === "rejected" && call.reason))).toEqual(
    new Set(["enough"]),
  );
  expect(warnings).toEqual([]);
});

test("closes the socket of an aborted call and sends no cancellation [CA06]", async () => {
  const controller = new AbortController();
  await using server = await fakeHttpServer({ "tools/call": () => controller.abort("stop") });
  await using client = await connect(server.url);
  const closed = server.closedEarly();

  const call = client.callTool("t", {}, { signal: controller.signal });

  await expect(call).rejects.toBe("stop");
  await closed;
  expect(server.of("notifications/cancelled")).toEqual([]);
});

test("does nothing when the signal is aborted after the answer [CA07]", async () => {
  await using server = await fakeHttpServer({ "tools/call": calling(ok) });
  await using client = await connect(server.url);
  const controller = new AbortController();

  await client.callTool("t", {}, { signal: controller.signal });
  controller.abort();

  await client.callTool("t");
  expect(server.received.map(({ message }) => message.method)).toEqual([
    "server/discover",
    "tools/call",
    "tools/call",
  ]);
});

test("ends a call that only makes progress when its total time is over [PR01]", async () => {
  await using server = await fakeHttpServer({
    "tools/call": (message, response) => {
      const send = openEvents(response);
      let done = 0;
      const timer = setInterval(() => send(progress(message, (done += 1))), 100);
      response.once("close", () => clearInterval(timer));
    },
  });
  await using client = await connect(server.url);
  const startedAt = performance.now();

  const call = client.callTool("slow", {}, { timeoutMs: 500, totalTimeoutMs: 1_200 });

  await expect(call).rejects.toMatchObject({
    reason: "timeout",
    message: expect.stringContaining("totalTimeoutMs"),
  });
  expect(performance.now() - startedAt).toBeGreaterThan(1_190);
});

test("fails fast while the server is away, one attempt a call, and works when it is back [OV04]", async () => {
  const first = await fakeHttpServer({
    "server/discover": ({ id }, response) => {
      response.setHeader("connection", "close");
      sendResult(response, id, { supportedVersions: ["2026-07-28"], capabilities: {} });
    },
  });
  const client = await connect(first.url);
  await first[Symbol.asyncDispose]();
  let attempts = 0;
  const gate = createServer((socket) => {
    attempts += 1;
    socket.resetAndDestroy();
  });

  await expect(client.callTool("t")).rejects.toMatchObject({
    reason: "connect",
    outcome: "none",
    message: `No connection to http://127.0.0.1:${first.port}: ECONNREFUSED`,
  });
  await new Promise<void>((resolve) => gate.listen(first.port, "127.0.0.1", resolve));
  await expect(client.callTool("t")).rejects.toMatchObject({ name: "ClientError" });
  expect(attempts).toBe(1);
  await new Promise((resolve) => gate.close(resolve));

  await using back = await fakeHttpServer({ "tools/call": calling(ok) }, first.port);
  expect(textOf(await client.callTool("t"))).toBe("ok");
  expect(back.connections).toBe(1);
  await client.close();
});

overEach("refuses an answer over the limit over %s", async (_, options) => {
  await using server = await fakeHttpServer({
    "tools/call": (message, response) => {
      const send = openEvents(response);
      const timer = setInterval(() => send(progress(message, 1)), 1);
      response.once("close", () => clearInterval(timer));
    },
    "tools/list": (_message, response) => sendText(response, " ".repeat(5_000)),
  });
  await using client = await connect(server.url, { ...options, maxResponseBytes: 4096 });
  const tooLarge = {
    reason: "too-large",
    message: "The answer is larger than 4096 bytes (option maxResponseBytes)",
  };

  await expect(client.callTool("t")).rejects.toMatchObject(tooLarge);
  await expect(client.listTools().next()).rejects.toMatchObject(tooLarge);
});

overEach("does not follow redirects over %s", async (_, options) => {
  await using server = await fakeHttpServer({
    "server/discover": (_message, response) =>
      response.writeHead(307, { location: "https://elsewhere.example/mcp?token=1" }).end(),
  });

  await expect(connect(server.url, options)).rejects.toMatchObject({
    reason: "http-status",
    status: 307,
    outcome: "none",
    message: expect.stringMatching(/redirects to elsewhere\.example \(status 307\)/),
  });
});

test.each([
  [
    404,
    "text/html",
    "<p>Not\n\u001b[2Jfound</p>",
    {
      reason: "http-status",
      status: 404,
      outcome: "none",
      message: "The server answered with status 404: <p>Not\\u{a}\\u{1b}[2Jfound</p>",
    },
  ],
  [
    502,
    "text/html",
    Buffer.from("bad g\xe4teway", "latin1"),
    { reason: "http-status", status: 502, outcome: "unknown" },
  ],
  [500, "application/json", '{"oops":1}', { reason: "http-status", status: 500 }],
  [200, "text/html", "<p>Hello</p>", { reason: "protocol" }],
  [200, "application/json", "{", { reason: "protocol" }],
  [200, "application/json", '{"jsonrpc":"2.0","id":77,"result":{}}', { reason: "protocol" }],
  [200, "application/json", Buffer.from([0x22, 0xff, 0x22]), { reason: "protocol" }],
  [200, "text/event-stream", "data: {}\n\n", { reason: "closed", outcome: "unknown" }],
  [
    400,
    "application/json",
    '{"jsonrpc":"2.0","error":{"code":-32022,"message":"no"}}',
    { code: -32022 },
  ],
])("explains an answer of status %i, %s: %s", async (status, type, body, expected) => {
  await using server = await fakeHttpServer({
    "server/discover": (_message, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
  });

  await expect(connect(server.url, { onWarning: () => {} })).rejects.toMatchObject(expected);
});

test("repeats a safe request once when the server has closed the kept connection", async () => {
  await using server = await fakeHttpServer({
    "tools/list": ({ id }, response) => {
      if (server.of("tools/list").length === 1) response.socket?.resetAndDestroy();
      else sendResult(response, id, { tools: [] });
    },
    "tools/call": (_message, response) => response.socket?.resetAndDestroy(),
  });
  await using client = await connect(server.url);

  for await (const _ of client.listTools());
  expect(server.of("tools/list")).toHaveLength(2);

  await expect(client.callTool("t")).rejects.toMatchObject({
    reason: "closed",
    outcome: "unknown",
  });
  expect(server.of("tools/call")).toHaveLength(1);
});

test("uses connections again, also after events", async () => {
  await using server = await fakeHttpServer({
    "tools/call": (message, response) => {
      openEvents(response)(resultOf(message.id, ok));
      response.end();
    },
  });
  await using client = await connect(server.url);

  for (let count = 0; count < 20; count += 1) await client.callTool("t");

  expect(server.connections).toBeLessThan(5);
});

/** Answers calls, and breaks the connection of the call "break". */
const breaking: Script = (message, response) => {
  if (message.params.name === "break") response.socket?.resetAndDestroy();
  else calling(ok)(message, response);
};

test("adds no listeners to a connection that is used again", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  await using server = await fakeHttpServer({ "tools/call": calling(ok) });
  await using client = await connect(server.url);

  for (let count = 0; count < 100; count += 1) await client.callTool("t");
  await Promise.all(Array.from({ length: 1_500 }, () => client.callTool("t")));
  // Warnings are told after this turn.
  await new Promise((resolve) => setImmediate(resolve));

  expect(server.connections).toBeLessThanOrEqual(64);
  expect(warnings).toEqual([]);
});

test("does not claim that a call which waited for a connection was never sent", async () => {
  await using server = await fakeHttpServer({ "tools/call": breaking });
  await using client = await connect(server.url);

  const before = Array.from({ length: 64 }, () => client.callTool("t"));
  const broken = client.callTool("break");

  await expect(broken).rejects.toMatchObject({ reason: "closed", outcome: "unknown" });
  await Promise.all(before);
});
