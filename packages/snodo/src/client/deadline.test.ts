import { expect, test } from "vitest";
import {
  calling,
  listing,
  ok,
  type Script,
  sendError,
  sendResult,
} from "../../../../test/support/fake-http-server.ts";
import { connectToScripts, plainTool } from "../../../../test/support/scripted-client.ts";
import type { Validator } from "../schema/validator.ts";
import { connect } from "../transports/connect.ts";
import type { ClientTransport } from "./transport.ts";

const validator: Validator = { name: "lenient", compile: () => () => [] };
const silent: Script = () => {};

test.each([
  [{ timeoutMs: 100, totalTimeoutMs: 200 }, "timeoutMs"],
  [{ timeoutMs: 200, totalTimeoutMs: 100 }, "totalTimeoutMs"],
])("ends a call with %o while it reads the definitions", async (times, option) => {
  await using peer = await connectToScripts({ "tools/list": silent }, { validator });

  await expect(peer.client.callTool("a", {}, times)).rejects.toMatchObject({
    reason: "timeout",
    outcome: "none",
    message: expect.stringContaining(`(option ${option})`),
  });
});

test("ends a call while it reads the definitions after its headers were refused", async () => {
  await using peer = await connectToScripts({
    "tools/list": silent,
    "tools/call": ({ id }, response) => sendError(response, id, { status: 400, code: -32020 }),
  });

  const call = peer.client.callTool("a", {}, { timeoutMs: 100 });

  await expect(call).rejects.toMatchObject({ reason: "timeout", outcome: "none" });
});

test("shares one reading between calls, each with its own time, and ends it with the last", async () => {
  await using peer = await connectToScripts({ "tools/list": silent }, { validator });
  const controller = new AbortController();
  const closed = peer.server.closedEarly();

  const short = peer.client.callTool("a", {}, { timeoutMs: 50 });
  const long = peer.client.callTool("a", {}, { signal: controller.signal });
  await expect(short).rejects.toMatchObject({ reason: "timeout" });
  controller.abort("enough");
  await expect(long).rejects.toBe("enough");
  await closed;

  expect(peer.server.of("tools/list")).toHaveLength(1);
  expect(peer.server.of("tools/call")).toHaveLength(0);
});

test("reads the definitions anew after all who waited have left", async () => {
  let isAwake = false;
  await using peer = await connectToScripts(
    {
      "tools/list": (message, response) => {
        if (isAwake) listing(plainTool("a"))(message, response);
      },
      "tools/call": calling(ok),
    },
    { validator },
  );

  await expect(peer.client.callTool("a", {}, { timeoutMs: 50 })).rejects.toThrow("timeoutMs");
  isAwake = true;

  expect(await peer.client.callTool("a")).toMatchObject({ isError: false });
});

/** Endless pages, each after a while. */
function slowPages(afterMs: number, last = Number.POSITIVE_INFINITY): Script {
  let page = 0;
  return ({ id }, response) => {
    page += 1;
    const more = page < last ? { nextCursor: String(page) } : {};
    setTimeout(() => sendResult(response, id, { tools: [], ...more }), afterMs);
  };
}

test("takes each page of the definitions as a sign of life", async () => {
  await using peer = await connectToScripts(
    { "tools/list": slowPages(60, 8), "tools/call": calling(ok) },
    { validator },
  );

  expect(await peer.client.callTool("a", {}, { timeoutMs: 300 })).toMatchObject({ isError: false });
});

test("ends a list of endless pages when its total time is over", async () => {
  await using peer = await connectToScripts({ "tools/list": slowPages(20) });

  const list = peer.client.listTools({ totalTimeoutMs: 150 });

  await expect(list.next()).rejects.toMatchObject({
    reason: "timeout",
    message: expect.stringContaining("totalTimeoutMs"),
  });
});

test("does not count the time that the reader of a list takes", async () => {
  let page = 0;
  await using peer = await connectToScripts({
    "tools/list": ({ id }, response) => {
      page += 1;
      const more = page < 2 ? { nextCursor: "2" } : {};
      sendResult(response, id, { tools: [plainTool(`t${page}`)], ...more });
    },
    "tools/call": (message, response) => setTimeout(() => calling(ok)(message, response), 600),
  });

  const names: string[] = [];
  for await (const { name } of peer.client.listTools({ totalTimeoutMs: 500 })) {
    names.push(name);
    if (page === 1) await peer.client.callTool(name);
  }

  expect(names).toEqual(["t1", "t2"]);
});

function transportThat(parts: Partial<ClientTransport>): ClientTransport {
  return {
    kind: "stdio",
    start: async () => {},
    send: async ({ id }) => ({ kind: "response", id, result: {} }),
    close: async () => {},
    ...parts,
  };
}

test("gives up a transport that does not open, and closes it", async () => {
  let isClosed = false;
  const transport = transportThat({
    start: () => new Promise(() => {}),
    close: async () => {
      isClosed = true;
      throw new Error("cannot close");
    },
  });

  await expect(connect(transport, { timeoutMs: 50 })).rejects.toMatchObject({
    reason: "timeout",
    outcome: "none",
    message: expect.stringContaining("timeoutMs"),
  });
  expect(isClosed).toBe(true);
});

test("gives up a transport that does not open when the signal is aborted", async () => {
  const transport = transportThat({ start: () => new Promise(() => {}) });
  const controller = new AbortController();

  const connecting = connect(transport, { signal: controller.signal });
  controller.abort("never mind");

  await expect(connecting).rejects.toBe("never mind");
});
