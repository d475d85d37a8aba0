import { createServer } from "snodo";
import { connect } from "snodo/client";
import { expect, test } from "vitest";
import { latest } from "../../examples/snippets/failures.ts";
import { server as tenants } from "../../examples/snippets/policy.ts";
import { steep } from "../../examples/snippets/progress.ts";

test("the page about tools fails in both ways", async () => {
  await using client = await connect(createServer({ name: "s", version: "1", tools: [latest] }));
  expect((await client.callTool("latest", { name: "snodo" })).content).toEqual([
    { type: "text", text: "0.1.0" },
  ]);
  expect((await client.callTool("latest", { name: "nope" })).isError).toBe(true);
  await expect(client.callTool("latest", { name: "a b" })).rejects.toMatchObject({ code: -32602 });
});

test("the page about tools reports progress", async () => {
  await using client = await connect(createServer({ name: "s", version: "1", tools: [steep] }));
  const seen: number[] = [];
  await client.callTool("steep", {}, { onProgress: ({ progress }) => void seen.push(progress) });
  expect(seen).toEqual([1, 2, 3]);
});

test("the page about tools shows a policy and state of middleware", async () => {
  await using nobody = await connect(tenants);
  expect((await nobody.callTool("whoami", {})).content).toEqual([{ type: "text", text: "public" }]);
  await expect(nobody.callTool("purge", {})).rejects.toMatchObject({ code: -32602 });
  const auth = { subject: "ada", scopes: ["admin"], claims: { tenant: "acme" } };
  await using admin = await connect(tenants, { auth });
  expect((await admin.callTool("whoami", {})).content).toEqual([{ type: "text", text: "acme" }]);
  expect((await admin.callTool("purge", {})).isError).toBe(false);
});
