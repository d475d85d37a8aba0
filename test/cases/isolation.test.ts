import { type AnyTool, createServer, live, tool } from "snodo";
import { serveHttp } from "snodo/node";
import { expect, test } from "vitest";
import { Agent } from "node:http";
import { postMessage } from "../support/http.ts";
import { modernRequest, toolCall } from "../support/modern.ts";

test("shows a tool that one caller added to every connection alike [SE08]", async () => {
  const build = (tools: readonly AnyTool[]): ReturnType<typeof createServer> =>
    createServer({ name: "s", version: "1", tools: [addTool, ...tools] });
  const addTool: AnyTool = tool({
    name: "add_tool",
    call: () => {
      holder.set(build([tool({ name: "dyn", call: () => "dynamic" })]));
      return "added";
    },
  });
  const holder = live(build([]));
  await using server = await serveHttp(holder, { port: 0, handleSignals: false });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await postMessage(server.port, toolCall("add_tool"), { agent });
  const lists = new Set<string>();
  for (let round = 0; round < 100; round += 1) {
    for (const connection of [{ agent }, {}]) {
      lists.add((await postMessage(server.port, modernRequest("tools/list"), connection)).text);
    }
  }
  agent.destroy();
  expect(lists.size).toBe(1);
  const [list = ""] = lists;
  expect(list).toMatch(/"name":"add_tool".*"name":"dyn"/);
});
