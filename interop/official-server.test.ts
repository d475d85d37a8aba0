import { connect, type Progress, RpcError } from "snodo/client";
import { describe, expect, test } from "vitest";
import type { Target } from "./peers/peer.ts";
import { serveOfficial } from "./servers.ts";

function toOurTarget(target: Target): Parameters<typeof connect>[0] {
  if ("url" in target) return target.url;
  return { command: process.execPath, args: target.args };
}

describe.each(["HTTP", "stdio"] as const)("an official server over %s", (transport) => {
  test("tells our client who it is", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));

    expect(client.server).toMatchObject({
      info: { name: "official", version: "1.0.0" },
      supportedVersions: ["2026-07-28"],
    });
  });

  test("lists its tools to our client", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));
    const names: string[] = [];
    for await (const { name } of client.listTools()) names.push(name);

    expect(names).toEqual(["add", "greet", "fail", "count"]);
    expect(client.problems).toEqual([]);
  });

  test("gives our client structured content", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));

    expect(await client.callTool("add", { a: 1, b: 2 })).toMatchObject({
      isError: false,
      structuredContent: { sum: 3 },
    });
  });

  test("accepts the mirrored argument of our client, which has not seen the list [T12]", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));

    expect(await client.callTool("greet", { place: "Zürich " })).toMatchObject({
      content: [{ type: "text", text: "Hello, Zürich !" }],
    });
  });

  test("reports progress to our client", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));
    const seen: Progress[] = [];
    await client.callTool("count", {}, { onProgress: (progress) => seen.push(progress) });

    expect(seen).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })));
  });

  test("fails and refuses in ways that our client keeps apart [T3, T4]", async () => {
    await using served = await serveOfficial(transport);
    await using client = await connect(toOurTarget(served.target));

    expect(await client.callTool("fail", {})).toMatchObject({
      content: [{ type: "text", text: "Out of paper" }],
      isError: true,
    });
    const refusal = await client.callTool("nothing", {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RpcError);
    expect(refusal).toMatchObject({ code: -32602 });
  });
});
