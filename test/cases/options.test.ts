import {
  ConfigurationError,
  createServer,
  type LimitName,
  limitTable,
  passthrough,
  type ServerOptions,
  type SnodoEvent,
  tool,
} from "snodo";
import { toFetch } from "snodo/http";
import { expect, test } from "vitest";
import { z } from "zod";
import { createFixture } from "../support/fixture.mjs";
import { requestInit, toAnswer, toolCall } from "../support/modern.ts";

const timeLimits = Object.entries(limitTable)
  .filter(([, { unit }]) => unit === "ms")
  .map(([name]) => name as LimitName);

test.each(timeLimits)("refuses a limit %s that no timer can measure", (name) => {
  const limited = (value: number) =>
    createServer({ name: "s", version: "1", limits: { [name]: value } });
  expect(() => limited(2 ** 31)).toThrow(ConfigurationError);
  expect(() => limited(2 ** 31)).toThrow(`limits.${name}`);
  expect(limited(2 ** 31 - 1).name).toBe("s");
});

test("refuses unknown options and options of the wrong kind, all at once", () => {
  const wrong = {
    name: "",
    version: 1,
    tools: {},
    use: [7],
    authorise: () => true,
    validator: () => [],
    pageSize: 0,
    onError: "log",
    exposeErrors: "no",
    limits: [],
  };
  let refused: unknown;
  try {
    createServer(wrong as never);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(ConfigurationError);
  for (const option of Object.keys(wrong)) {
    expect((refused as Error).message).toMatch(new RegExp(`\\b${option}\\b`));
  }
});

test("tells the author of output schemas that nothing enforces [T10]", () => {
  const events: SnodoEvent[] = [];
  const build = (options: Pick<ServerOptions, "validator">): unknown =>
    createServer({
      name: "s",
      version: "1",
      tools: [
        tool({ name: "raw", output: { type: "object" }, call: () => ({}) }),
        tool({ name: "library", output: z.object({}), call: () => ({}) }),
        tool({ name: "none", call: () => ({}) }),
      ],
      instrumentation: (event) => events.push(event),
      ...options,
    });
  build({});
  build({ validator: passthrough });
  expect(events).toEqual([{ type: "schema.unenforced", tools: ["raw"] }]);
});

test.each(["vscode-webview://abc", "chrome-extension://abc"])(
  "takes the origin %s when it is allowed [HTTP-2]",
  async (origin) => {
    const handler = toFetch(createFixture(), { allowedOrigins: [origin] });
    const send = async (from: string) =>
      toAnswer(
        await handler(
          new Request("http://localhost/", requestInit(toolCall("noargs"), { origin: from })),
        ),
      );
    const { status, headers } = await send(origin);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect((await send(`${origin}d`)).status).toBe(403);
  },
);

test("tells whoever has read the body of a request how to pass it on", async () => {
  const handler = toFetch(createFixture());
  const request = new Request("http://localhost/", requestInit(toolCall("noargs")));
  const body: unknown = await request.json();
  const refused = await toAnswer(await handler(request));
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: -32600, message: expect.stringContaining("{ body }") } },
  });
  expect((await handler(request, { body })).status).toBe(200);
});
