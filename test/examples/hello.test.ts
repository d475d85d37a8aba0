import { readFileSync } from "node:fs";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { describe, expect, test } from "vitest";
import { modernRequest, post, StdioPeer, toolCall } from "../support/modern.ts";

// Node 20 cannot start a TypeScript file, so the types are taken out first.
function start(name: string, ...args: readonly string[]): StdioPeer {
  const source = readFileSync(new URL(`../../examples/hello/${name}.ts`, import.meta.url), "utf8");
  const { outputText } = transpileModule(source, {
    compilerOptions: { target: ScriptTarget.ES2022, module: ModuleKind.ESNext },
  });
  const evaluate = ["--input-type=module", "--eval", outputText, "--"];
  return new StdioPeer([...evaluate, ...args], { PORT: "0" });
}

describe.each(["zod", "json-schema", "hand-made"])("examples/hello/%s.ts", (name) => {
  test("greets over stdio, without a word on stderr", async () => {
    await using peer = start(name);

    expect(await peer.request(toolCall("hello", { name: "Ada" }))).toMatchObject({
      result: { content: [{ type: "text", text: "Hello, Ada!" }] },
    });
    expect(await peer.request(toolCall("hello", { name: "" }))).toMatchObject({
      result: { isError: true },
    });
    expect(await peer.end()).toBe(0);
    expect(peer.stderr).toBe("");
  });

  test("greets over HTTP", async () => {
    await using peer = start(name, "--http");
    const [, url = ""] = await peer.untilStderr(/Serving (\S+)\n/);

    expect(await post(url, toolCall("hello", { name: "Ada" }))).toMatchObject({
      status: 200,
      body: { result: { content: [{ type: "text", text: "Hello, Ada!" }] } },
    });
  });

  test("describes its argument", async () => {
    await using peer = start(name);

    expect(await peer.request(modernRequest("tools/list"))).toMatchObject({
      result: {
        tools: [
          {
            name: "hello",
            inputSchema: {
              properties: { name: { type: "string", minLength: 1, description: "Who to greet" } },
              required: ["name"],
            },
          },
        ],
      },
    });
  });
});
