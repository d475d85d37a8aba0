import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, failure, tool } from "snodo";
import type { ConnectTarget } from "snodo/client";
import { serveHttp } from "snodo/node";
import { expect, test } from "vitest";
import { ask } from "../../examples/snippets/client.ts";

const input = {
  type: "object",
  properties: { question: { type: "string" } },
  required: ["question"],
} as const;

const server = createServer({
  name: "answers",
  version: "1",
  tools: [
    tool({ name: "answer", input, call: ({ question }) => `${question} Yes.` }),
    tool({ name: "refuse", input, call: () => failure("not today") }),
  ],
});

test("the page about the client asks a server in the same program and over HTTP", async () => {
  await using http = await serveHttp(server, { port: 0, handleSignals: false });

  for (const target of [server, http.url, new URL(http.url)] satisfies ConnectTarget[]) {
    expect(await ask(target, "answer", "Is it?")).toBe("Is it? Yes.");
    expect(await ask(target, "refuse", "Is it?")).toBe("The tool failed: not today");
    expect(await ask(target, "other", "Is it?")).toBe(
      'There is no tool "other", only: answer, refuse',
    );
  }
});

test("an idle connection does not keep the process alive", async () => {
  await using http = await serveHttp(server, { port: 0, handleSignals: false });
  const code = `import { connect } from "snodo/client"; await connect(${JSON.stringify(http.url)});`;

  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  const startedAt = performance.now();

  expect(await once(child, "close")).toEqual([0, null]);
  // An idle socket is dropped after 4 s in any case.
  expect(performance.now() - startedAt).toBeLessThan(3_500);
});
