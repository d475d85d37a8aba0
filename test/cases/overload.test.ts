import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { RpcError, tool } from "snodo";
import { serveStdio } from "snodo/stdio";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createFixture } from "../support/fixture.mjs";
import { postMessage } from "../support/http.ts";
import { modernRequest, toolCall } from "../support/modern.ts";
import { callText, serveFixture } from "../support/serve.ts";

// Scaled: 8 places and 8 in the queue; 300 calls at once instead of three times the capacity for 60 s.
test("turns away what is too much at once, at once, and is itself again afterwards [OV01]", async () => {
  const call = async (port: number, id: number): Promise<{ readonly status: number }> => {
    const reply = await postMessage(port, toolCall("slow", { ms: 30 }, id));
    if (reply.status === 503) {
      expect(reply.headers["retry-after"]).toBe("1");
      // Without an id where not even the body was read.
      expect([id, undefined]).toContain(reply.message?.id);
      expect(reply.message).toMatchObject({ error: { code: -32603 } });
    }
    return reply;
  };
  await using server = await serveFixture({ limits: { inFlight: 8, queue: 8 } });
  const replies = await Promise.all(Array.from({ length: 300 }, (_, id) => call(server.port, id)));
  const served = replies.filter(({ status }) => status === 200);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(served.length).toBeGreaterThanOrEqual(16);
  for (let id = 0; id < 20; id += 1) {
    expect(await call(server.port, id)).toMatchObject({ status: 200 });
  }
});

const circular: { self?: unknown } = {};
circular.self = circular;

const throwing = {
  error: () => {
    throw new Error("sync");
  },
  null: () => {
    throw null;
  },
  undefined: () => {
    throw undefined;
  },
  string: () => {
    throw "text";
  },
  frozen: () => {
    throw Object.freeze({ message: "frozen" });
  },
  rejection: async () => {
    await delay(1);
    throw new Error("later");
  },
  emitter: async () => {
    new EventEmitter().emit("error", new Error("emitted"));
  },
  getter: () => {
    throw Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("in the getter");
      },
    });
  },
};

test("answers whatever a handler throws, and reports each fault once [OV02]", async () => {
  const faults: unknown[] = [];
  const tools = Object.entries(throwing).map(([name, call]) => tool({ name, call }));
  await using server = await serveFixture({ tools, onError: (error) => faults.push(error) });
  for (const name of Object.keys(throwing)) {
    expect(await callText(server.port, name)).toMatch(/^Tool execution failed \(ref [\da-f]{6}\)$/);
  }
  expect(faults).toHaveLength(Object.keys(throwing).length);
});

test("survives a failing error handler and a failing sink [OV02]", async () => {
  const fail = (): never => {
    throw new Error("observer");
  };
  await using server = await serveFixture({ onError: fail, instrumentation: fail });
  expect(await callText(server.port, "boom")).toMatch(/^Tool execution failed/);
});

const unsendable = {
  circular: () => {
    throw RpcError.invalidParams("circular", circular as never);
  },
  bigint: () => {
    throw RpcError.invalidParams("bigint", 1n as never);
  },
  code: () => {
    throw new RpcError(Number.NaN, "code");
  },
  to_json: () => {
    throw RpcError.invalidParams("toJSON", { toJSON: throwing.error } as never);
  },
};

test("answers an error that JSON cannot carry, over HTTP [OV02]", async () => {
  const tools = Object.entries(unsendable).map(([name, call]) => tool({ name, call }));
  await using server = await serveFixture({ tools });
  for (const name of Object.keys(unsendable)) {
    expect(await callText(server.port, name)).toBeOneOf([-32602, -32603]);
  }
});

test("answers an error that JSON cannot carry, over stdio [OV02]", async () => {
  const tools = Object.entries(unsendable).map(([name, call]) => tool({ name, call }));
  const input = new PassThrough();
  const output = new PassThrough().setEncoding("utf8");
  let written = "";
  output.on("data", (text: string) => (written += text));
  await using _server = await serveStdio(createFixture({ tools }), { input, output });
  for (const name of Object.keys(unsendable)) {
    input.write(`${JSON.stringify(toolCall(name, {}, name))}\n`);
    await expect.poll(() => written).toContain(`"id":"${name}","error"`);
  }
});

test("goes on after clients that leave in the middle of a request [OV02]", async () => {
  await using server = await serveFixture();
  const aborted = Array.from({ length: 20 }, () =>
    postMessage(server.port, modernRequest("tools/list"), { signal: AbortSignal.timeout(1) }).catch(
      () => "gone",
    ),
  );
  await Promise.all(aborted);
  expect(await callText(server.port, "echo", { text: "alive" })).toBe("alive");
});
