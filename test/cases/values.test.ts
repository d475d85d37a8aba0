import {
  type AnyTool,
  ConfigurationError,
  createServer,
  DefinitionError,
  structured,
  tool,
} from "snodo";
import { toFetch } from "snodo/http";
import { jsonSchema } from "snodo/json-schema";
import { expect, test } from "vitest";
import { modernRequest, requestInit, toAnswer, toolCall } from "../support/modern.ts";
import { ServerProcess } from "../support/server-process.ts";
import { assertWire, type ServerMessage } from "../support/wire.ts";

function serve(tools: readonly AnyTool[]): (request: object) => Promise<ServerMessage> {
  const handler = toFetch(
    createServer({ name: "s", version: "1", validator: jsonSchema(), tools }),
  );
  return async (request) => {
    const init = requestInit(request as ReturnType<typeof modernRequest>);
    const { body } = await toAnswer(await handler(new Request("http://localhost/", init)));
    assertWire(body);
    return body;
  };
}

test.each([
  [[1], { type: "array" }],
  ["x", { type: "string" }],
  [0, { type: "integer" }],
  [false, { type: "boolean" }],
  [null, { type: "null" }],
  ["", { type: "string" }],
])("carries %j as structured content [ST03]", async (value, output) => {
  const ask = serve([tool({ name: "t", output, call: () => structured(value) })]);
  const { result } = await ask(toolCall("t"));
  expect(result?.structuredContent).toEqual(value);
  expect(result?.content).toEqual([{ type: "text", text: JSON.stringify(value) }]);
});

test.each([[[1]], [0], [false], [null]])(
  "takes %j as it is returned for structured content [ST03]",
  async (value) => {
    const ask = serve([tool({ name: "t", output: {}, call: () => value })]);
    const { result } = await ask(toolCall("t"));
    expect(result?.structuredContent).toEqual(value);
  },
);

test("answers a tool that returns a BigInt with an error and goes on [NU03]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("ret_bigint", {}, 1));
  server.write(toolCall("echo", { text: "ok" }, 2));
  expect(await server.response(1)).toMatchObject({ error: { code: -32603 } });
  expect(await server.response(2)).toMatchObject({ result: { content: [{ text: "ok" }] } });
});

test.each(["", "x".repeat(129), "x\u202ey", "a\u2028b", "a\nb", "\ud800"])(
  "refuses the name %j [NA01]",
  (name) => {
    expect(() => tool({ name, call: () => "ok" })).toThrow(DefinitionError);
  },
);

test("serves unusual names as they are and says that some hosts refuse them [NA01]", async () => {
  const names = ["a b", "a,b", "a/b", "рay", "emoji🙂", "Getuser", "getUser", "x".repeat(128)];
  const tools = names.map((name) => tool({ name, call: () => name }));
  const unportable: unknown[] = [];
  createServer({
    name: "s",
    version: "1",
    tools,
    instrumentation: (event) => event.type === "name.unportable" && unportable.push(...event.names),
  });
  expect(unportable).toEqual(["a b", "a,b", "a/b", "рay", "emoji🙂"]);
  const { result } = await serve(tools)(modernRequest("tools/list"));
  expect(result?.tools?.map(({ name }) => name)).toEqual(names.toSorted());
  const call = serve(tools);
  for (const name of ["Getuser", "getUser"]) {
    expect((await call(toolCall(name))).result?.content?.[0]?.text).toBe(name);
  }
});

test("refuses two tools of one name and names both places [NA01]", () => {
  const dup = (): AnyTool => tool({ name: "dup", call: () => "ok" });
  const build = (): unknown => createServer({ name: "s", version: "1", tools: [dup(), dup()] });
  expect(build).toThrow(ConfigurationError);
  expect(build).toThrow(/tools\[1\].*"dup".*tools\[0\]/);
});

test.each(["then", "toJSON", "constructor", "__proto__", "hasOwnProperty"])(
  "lists and calls a tool and an argument named %s like any other [NA03]",
  async (name) => {
    const input = JSON.parse(
      `{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`,
    );
    const ask = serve([tool({ name, input, call: (args) => args })]);
    const { result: listed } = await ask(modernRequest("tools/list"));
    expect(listed?.tools).toMatchObject([{ name, inputSchema: { required: [name] } }]);
    expect(Object.keys(Object(listed?.tools?.[0]?.inputSchema).properties)).toEqual([name]);
    const args = JSON.parse(`{"${name}":"v"}`);
    const { result } = await ask(toolCall(name, args));
    expect(JSON.stringify(result?.structuredContent)).toBe(`{"${name}":"v"}`);
    const missing = await ask(toolCall(name, {}));
    expect(missing.result?.content?.[0]?.text).toBe(`Missing required arguments: ${name}`);
  },
);
