import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { app as express } from "../../examples/recipes/express.ts";
import { app as fastify } from "../../examples/recipes/fastify.ts";
import fetchable from "../../examples/recipes/fetch.ts";
import { app as hono } from "../../examples/recipes/hono.ts";
import { post, requestInit, toAnswer, toolCall } from "../support/modern.ts";

await fastify.ready();
const honoListener = getRequestListener(hono.fetch);

const mounts: readonly { name: string; listener: RequestListener; path: string }[] = [
  { name: "Express", listener: express, path: "/mcp" },
  { name: "Express behind a parser", listener: express, path: "/parsed/mcp" },
  { name: "Fastify", listener: (req, res) => fastify.routing(req, res), path: "/mcp" },
  { name: "Hono", listener: (req, res) => void honoListener(req, res), path: "/mcp" },
];

describe.each(mounts)("mounted on $name", ({ listener, path }) => {
  const server = createServer(listener);
  let origin = "";

  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("calls a tool", async () => {
    expect(await post(origin + path, toolCall("echo", { text: "grüß dich" }))).toMatchObject({
      status: 200,
      body: { id: 1, result: { content: [{ type: "text", text: "grüß dich" }] } },
    });
  });

  test("checks the headers of the request", async () => {
    const call = toolCall("echo", { text: "" });

    expect(await post(origin + path, call, { "mcp-method": "tools/list" })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    });
  });

  test("answers 413 when the body is over the limit", async () => {
    const call = toolCall("echo", { text: "x".repeat(4 * 1024 * 1024) });

    expect(await post(origin + path, call)).toMatchObject({ status: 413 });
  });

  test("answers 415 when the body is not JSON", async () => {
    const call = toolCall("echo", { text: "" });

    expect(await post(origin + path, call, { "content-type": "text/plain" })).toMatchObject({
      status: 415,
    });
  });

  test("answers 405 to GET", async () => {
    const { status } = await fetch(origin + path);

    expect(status).toBe(405);
  });

  test("leaves other paths to the framework", async () => {
    const { status, body } = await post(`${origin}/other`, toolCall("echo", { text: "" }));

    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain("jsonrpc");
  });
});

test("the recipe for fetch answers a Request", async () => {
  const request = new Request(
    "http://localhost/mcp",
    requestInit(toolCall("echo", { text: "hi" })),
  );

  expect(await toAnswer(await fetchable.fetch(request))).toMatchObject({
    status: 200,
    body: { result: { content: [{ type: "text", text: "hi" }] } },
  });
});
