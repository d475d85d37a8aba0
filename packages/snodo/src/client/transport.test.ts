import { expect, test } from "vitest";
import { connect } from "../transports/connect.ts";
import type { ClientTransport, OutgoingRequest } from "./transport.ts";

test("connects over a transport of the caller's own", async () => {
  const sent: OutgoingRequest[] = [];
  let isClosed = false;
  const transport: ClientTransport = {
    kind: "stdio",
    start: async () => {},
    send: async (request) => {
      sent.push(request);
      const discovery = { supportedVersions: ["2026-07-28"], capabilities: {} };
      const result = request.method === "server/discover" ? discovery : { content: [] };
      return { kind: "response", id: request.id, result };
    },
    close: async () => {
      isClosed = true;
    },
  };

  const client = await connect(transport);
  const result = await client.callTool("anything", { deep: [1] });
  await client.close();

  expect(result).toEqual({ content: [], isError: false });
  expect(sent.map(({ id, method, isSafe }) => ({ id, method, isSafe }))).toEqual([
    { id: 1, method: "server/discover", isSafe: true },
    { id: 2, method: "tools/call", isSafe: false },
  ]);
  expect(sent[1]).toMatchObject({
    headers: {},
    params: { name: "anything", arguments: { deep: [1] } },
  });
  expect(isClosed).toBe(true);
});
