import { Agent } from "node:http";
import { connect as connectSocket, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import {
  commonHeaders,
  exchange,
  type HeaderLines,
  headersOf,
  postMessage,
} from "../support/http.ts";
import { modernRequest, toolCall, withMeta } from "../support/modern.ts";
import {
  callText,
  countResponses,
  overSocket,
  serveFixture,
  statusesOf,
} from "../support/serve.ts";

const http = await serveFixture();
const { port } = http;
afterAll(() => http.close());

const list = modernRequest("tools/list");
const listBody = JSON.stringify(list);

test.each([
  { accept: "*/*", status: 200, type: "application/json", name: "HT01" },
  {
    accept: "application/json;q=0, text/event-stream",
    status: 200,
    type: "text/event-stream",
    name: "HT02",
  },
  {
    accept: "Text/Event-Stream;q=1.0 , APPLICATION/JSON ; q=0.9",
    status: 200,
    type: "application/json",
    name: "HT04",
  },
  {
    accept: "text/event-stream, application/json",
    status: 200,
    type: "application/json",
    name: "HT05",
  },
  { accept: "text/html", status: 406, type: "application/json", name: "HT06" },
])("answers $status to Accept: $accept [$name]", async ({ accept, status, type }) => {
  const reply = await postMessage(port, list, { headers: [["Accept", accept]] });
  expect([reply.status, reply.headers["content-type"]]).toEqual([status, type]);
  expect(reply.message?.id).toBe(status === 200 ? 1 : undefined);
});

test.each([
  { type: "application/json; charset=utf-8", status: 200, name: "HT08" },
  { type: "text/plain", status: 415, name: "HT10" },
  { type: "text/plain; a=application/json", status: 415, name: "HT11" },
  { type: undefined, status: 415, name: "HT12" },
  { type: "application/json-patch+json", status: 415, name: "HT14" },
])("answers $status to Content-Type: $type [$name]", async ({ type, status, name }) => {
  const call = toolCall("bump", { key: name });
  const typeLine: HeaderLines = type === undefined ? [] : [["Content-Type", type]];
  const headers = [...typeLine, ...headersOf(call).filter(([header]) => header !== "Content-Type")];
  const reply = await exchange(port, { headers, body: JSON.stringify(call) });
  expect(reply.status).toBe(status);
  expect(await callText(port, "bump", { key: name })).toBe(status === 200 ? "2" : "1");
});

test.each(["GET", "DELETE", "HEAD", "PUT", "PATCH", "TRACE"])(
  "answers 405 to %s and opens no stream [HT15]",
  async (method) => {
    const { status, headers } = await exchange(port, {
      method,
      headers: [["Accept", "text/event-stream"]],
    });
    expect(status).toBe(405);
    expect(headers.allow).toContain("POST");
    expect(headers).not.toHaveProperty("mcp-session-id");
  },
);

function openSocket(head: string): Socket {
  const socket = connectSocket(port, "127.0.0.1");
  socket.on("error", () => undefined).setEncoding("utf8");
  socket.write(head);
  return socket;
}

function headOf(lines: HeaderLines, extra: HeaderLines): string {
  const all: HeaderLines = [["Host", `127.0.0.1:${port}`], ...lines, ...extra];
  return `POST /mcp HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

test("refuses a declared body of 1 GiB before it is sent, and hangs up [HT16]", async () => {
  const head = headOf(headersOf(list), [["Content-Length", "1073741824"]]);
  const text = await overSocket(port, head + " ".repeat(1024));
  expect(statusesOf(text)).toEqual([413]);
  expect(text).toMatch(/^Connection: close\r$/m);
});

test("refuses a body of unknown length once it is over the limit [HT16]", async () => {
  const socket = openSocket(headOf(headersOf(list), [["Transfer-Encoding", "chunked"]]));
  const read = { text: "" };
  socket.on("data", (text: string) => (read.text += text));
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  let sent = 0;
  while (sent < 64 * 2 ** 20 && !socket.destroyed && read.text === "") {
    await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
    sent += 65_536;
  }
  await expect.poll(() => socket.destroyed || read.text !== "").toBe(true);
  expect(statusesOf(read.text)).toEqual([413]);
  // The limit is 4 MiB; what is over it waits in the buffers of the kernel.
  expect(sent).toBeLessThan(32 * 2 ** 20);
  socket.destroy();
});

// Scaled: 40 sockets of each kind instead of 200, a limit of 500 ms instead of 10 s.
test("cuts off clients that send a byte now and then and serves the others meanwhile [HT18]", async () => {
  await using slowHttp = await serveFixture({ limits: { bodyReadMs: 500 } });
  const heads = [
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${slowHttp.port}\r\nX-Slow: `,
    headOf(headersOf(list), [["Content-Length", "1000"]]).replaceAll(`${port}`, `${slowHttp.port}`),
  ];
  const sockets = Array.from({ length: 80 }, (_, index) => {
    const socket = connectSocket(slowHttp.port, "127.0.0.1");
    socket.on("error", () => undefined).on("data", () => undefined);
    socket.write(heads[index % 2] ?? "");
    return socket;
  });
  const trickle = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("x");
  }, 100);
  const times: number[] = [];
  while (sockets.some((socket) => !socket.destroyed) && times.length < 200) {
    const startedAt = performance.now();
    expect((await postMessage(slowHttp.port, list)).status).toBe(200);
    times.push(performance.now() - startedAt);
    await delay(50);
  }
  clearInterval(trickle);
  expect(sockets.filter((socket) => !socket.destroyed)).toEqual([]);
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(200);
});

test("lets a page of an allowed origin ask for every header of MCP [HT20]", async () => {
  const origin = "https://app.allowed.example";
  await using allowing = await serveFixture({}, { allowedOrigins: [origin] });
  const asked = [
    "content-type",
    "authorization",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-param-region",
  ];
  const { status, headers } = await exchange(allowing.port, {
    method: "OPTIONS",
    headers: [
      ["Origin", origin],
      ["Access-Control-Request-Method", "POST"],
      ["Access-Control-Request-Headers", asked.join(", ")],
    ],
  });
  expect([200, 204]).toContain(status);
  expect(headers["access-control-allow-origin"]).toBe(origin);
  expect(headers["access-control-allow-methods"]).toContain("POST");
  expect(headers["access-control-allow-headers"]?.split(", ")).toEqual(
    expect.arrayContaining(asked),
  );
  expect(headers.vary).toContain("Origin");
  const real = await postMessage(allowing.port, list, { headers: [["Origin", origin]] });
  expect(real.headers["access-control-expose-headers"]).toContain("WWW-Authenticate");
});

// Scaled: a call of 1.5 s that is over every shorter limit, instead of 330 s; a comment each 0.15 s.
test("keeps a quiet call alive with comments, beyond the limits for reading [HT22]", async () => {
  await using quiet = await serveFixture({ limits: { keepAliveMs: 150, bodyReadMs: 300 } });
  const reply = await postMessage(quiet.port, toolCall("slow", { ms: 1500, key: "quiet" }));
  expect(reply.message?.result?.content?.[0]?.text).toBe("quiet");
  expect(reply.text.match(/^:/gm)?.length).toBeGreaterThanOrEqual(5);
  expect(reply.headers).toMatchObject({
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
    "cache-control": "no-store",
  });
});

test("sends the headers of a stream at once, long before the answer [HT22]", async () => {
  const call = withMeta(toolCall("slow", { ms: 700, key: "p" }), { progressToken: "p" });
  const startedAt = performance.now();
  let firstAt = 0;
  const reply = await postMessage(port, call, {
    onMessage: () => (firstAt ||= performance.now() - startedAt),
  });
  expect(reply.message?.result?.content?.[0]?.text).toBe("p");
  expect(firstAt).toBeLessThan(500);
});

test.each([
  { path: "/mcp/", status: 404 },
  { path: "/mcp?x=1", status: 200 },
  { path: "/MCP", status: 404 },
])(
  "answers a POST to $path with $status, never with a redirect [HT26]",
  async ({ path, status }) => {
    expect((await postMessage(port, list, { path })).status).toBe(status);
  },
);

test.each([
  [
    "both lengths",
    "Host: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
  ],
  ["two lengths", "Host: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"],
  ["a blank before the colon", "Host : 127.0.0.1\r\n\r\n"],
  ["a folded header", "Host: 127.0.0.1\r\nMcp-Name: a\r\n b\r\nContent-Length: 2\r\n\r\n{}"],
])("answers %s once, with an error [HT28]", async (_what, rest) => {
  const bytes = `POST /mcp HTTP/1.1\r\n${rest.replace("127.0.0.1", `127.0.0.1:${port}`)}`;
  const text = await overSocket(port, bytes);
  expect(countResponses(text)).toBeLessThanOrEqual(1);
  for (const status of statusesOf(text)) expect(status).toBeGreaterThanOrEqual(400);
});

test("says 100 before 200 to a client that waits for it [HT29]", async () => {
  const head = headOf(headersOf(list), [
    ["Content-Length", String(listBody.length)],
    ["Expect", "100-continue"],
  ]);
  const text = await overSocket(port, head + listBody);
  expect(statusesOf(text)).toEqual([100, 200]);
});

test("answers on the same socket after an error [HT29]", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses = [
    (await exchange(port, { headers: headersOf(list), body: '{"jsonrpc":', agent })).status,
    (await exchange(port, { headers: commonHeaders.slice(1), body: "{}", agent })).status,
    (await exchange(port, { headers: headersOf(list), body: listBody, agent })).status,
  ];
  expect(statuses).toEqual([400, 415, 200]);
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
  agent.destroy();
});

test("answers pipelined requests in their order [HT29]", async () => {
  const requests = [1, 2, 3].map((id) => {
    const call = JSON.stringify(toolCall("slow", { ms: 90 - id * 30, key: `${id}` }, id));
    return headOf(headersOf(toolCall("slow")), [["Content-Length", String(call.length)]]) + call;
  });
  const text = await overSocket(port, requests.join(""), 3);
  expect([...text.matchAll(/"id":(\d)/g)].map(([, id]) => Number(id))).toEqual([1, 2, 3]);
});
