import { createServer } from "snodo";
import { serveHttp } from "snodo/node";
import { afterAll, expect, test } from "vitest";
import { postMessage } from "../support/http.ts";
import { modernRequest, toolCall } from "../support/modern.ts";
import { callText, overSocket, serveFixture, statusesOf } from "../support/serve.ts";

const http = await serveFixture();
const { port } = http;
afterAll(() => http.close());

/** Calls `bump` as a page at `origin` that believes to talk to `host`. */
async function bumpFrom(host: string, origin?: string): Promise<number> {
  const fill = (text: string): string => text.replace("PORT", String(port));
  const { status } = await postMessage(port, toolCall("bump", { key: "origin" }), {
    headers: [
      ["Host", fill(host)],
      ...(origin === undefined ? [] : [["Origin", fill(origin)] as const]),
    ],
  });
  return status;
}

async function tally(): Promise<unknown> {
  const { message } = await postMessage(port, toolCall("count", { key: "origin" }));
  return message?.result?.structuredContent;
}

test("refuses other hosts and origins on a loopback server and runs nothing [OR01]", async () => {
  expect(await bumpFrom("evil.example:PORT", "http://evil.example")).toBe(403);
  expect(await bumpFrom("127.0.0.1:PORT", "https://evil.example")).toBe(403);
  expect(await bumpFrom("evil.example")).toBe(403);
  expect(await tally()).toMatchObject({ count: 0 });
});

test.each([
  "http://localhost.evil.example",
  "http://evil-localhost",
  "http://127.0.0.1.evil.example",
  "http://localhost@evil.example",
  "http://xlocalhost:PORT",
])("refuses the origin %s, which only looks allowed [OR03]", async (origin) => {
  expect(await bumpFrom("127.0.0.1:PORT", origin)).toBe(403);
});

test.each([
  ["localhost:PORT", "http://localhost:PORT"],
  ["127.0.0.1:PORT", "http://127.0.0.1:PORT"],
  ["[::1]:PORT", "http://[::1]:PORT"],
  ["LOCALHOST:PORT", "HTTP://LocalHost:PORT"],
  ["127.0.0.1:PORT", undefined],
])("serves the host %s from the origin %s [OR05]", async (host, origin) => {
  expect(await bumpFrom(host, origin)).toBe(200);
});

test.each([
  // Any port of the three loopback names is allowed, also the one that is not written.
  ["127.0.0.1:PORT", "http://localhost", 200],
  ["127.0.0.2:PORT", "http://127.0.0.2:PORT", 403],
  ["localhost.:PORT", "http://localhost.:PORT", 403],
  ["localhost:1", "http://localhost:1", 200],
])("decides about the host %s and the origin %s alike [OR06]", async (host, origin, status) => {
  expect(await bumpFrom(host, origin)).toBe(status);
  if (host !== "127.0.0.1:PORT") expect(await bumpFrom(host)).toBe(status);
  expect(await bumpFrom("127.0.0.1:PORT", origin)).toBe(status);
});

test.each([
  "Host: 127.0.0.1:PORT\r\nOrigin: http://localhost:PORT\r\nOrigin: http://evil.example\r\n",
  "Host: 127.0.0.1:PORT\r\nHost: evil.example\r\n",
])("refuses a repeated header: %j [OR07]", async (lines) => {
  const bytes = `POST /mcp HTTP/1.1\r\n${lines.replaceAll("PORT", `${port}`)}Content-Length: 0\r\n\r\n`;
  const [status] = statusesOf(await overSocket(port, bytes));
  expect([400, 403]).toContain(status);
});

test("listens on the loopback interface and refuses other hosts without any option [OR09]", async () => {
  await using server = await serveHttp(createServer({ name: "bare", version: "1" }), { port: 0 });
  expect(server.host).toBe("127.0.0.1");
  const { status, message } = await postMessage(server.port, modernRequest("server/discover"), {
    headers: [["Host", "evil.example"]],
  });
  expect(status).toBe(403);
  expect(message).toMatchObject({ error: { code: -32600 } });
  expect(message).not.toHaveProperty("id");
  expect(await callText(port, "echo", { text: "alive" })).toBe("alive");
});
