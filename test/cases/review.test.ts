import {
  audio,
  type Authorize,
  content,
  embedded,
  failure,
  image,
  resourceLink,
  RpcError,
  type SnodoEvent,
  structured,
  text,
  tool,
  withJsonSchema,
} from "snodo";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { expectRefusal, resultOf, textOf } from "../matrix/behaviour.ts";
import { modernRequest, toolCall, withMeta } from "../support/modern.ts";
import { localTransports, type Peer, transportNames } from "../support/peer.ts";
import { openPipe } from "../support/pipe.ts";
import { watchUncaught } from "../support/uncaught.ts";

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

function deferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve() };
}

/** Rejects with the reason of the signal. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

async function expectAlive(peer: Peer): Promise<void> {
  await resultOf(peer, modernRequest("server/discover", {}, "alive"));
}

const executionFailed = /^Tool execution failed \(ref [\da-f]{6}\)$/;

const cyclic: { self?: unknown; readonly priority?: number } = {};
cyclic.self = cyclic;

/** Results that the types forbid, as a program without types may give them. */
const invalidResults: Readonly<Record<string, () => unknown>> = {
  image_bigint: () => image("aGk=", "image/png", { annotations: { priority: 1n as never } }),
  image_cyclic: () => image("aGk=", "image/png", { annotations: cyclic }),
  image_type: () => image("aGk=", undefined as never),
  audio_infinity: () => audio("aGk=", "audio/wav", { annotations: { priority: Infinity } }),
  audio_meta: () => audio("aGk=", "audio/wav", { meta: { at: new Date(0) as never } }),
  link_bigint: () => resourceLink({ uri: "a:b", name: "b", size: 1n as never }),
  embedded_empty: () => embedded({ uri: "a:b" }),
  content_number: () => content({ type: "text", text: 7 as never }),
  text_number: () => text(7 as never),
  failure_object: () => failure({} as never),
  structured_bigint: () => structured(10n),
  structured_cyclic: () => structured(cyclic),
  structured_text: () => structured({ a: 1 }, { text: 7 as never }),
};

const fails = (): never => {
  throw new Error("s3cret");
};
const rejects = async (): Promise<never> => fails();

/** Output schemas whose check breaks down. */
const brokenOutputs = {
  library: z.object({ t: z.number().refine(fails) }),
  async_library: withJsonSchema(
    { "~standard": { version: 1, vendor: "test", validate: rejects } },
    { type: "object" },
  ),
  validator: { type: "object", properties: { t: { type: "number" } } },
} as const;

const breakingValidator = {
  name: "breaking",
  compile: (schema: object) => ("properties" in schema ? fails : () => []),
};

describe.each(transportNames)("over %s", (transport) => {
  const open = localTransports[transport];

  test("answers a call whose shared work broke off because another caller left [T6] [CAN-4]", async () => {
    const faults: unknown[] = [];
    let waiting = 0;
    let work: Promise<string> | undefined;
    const shared = tool({
      name: "shared",
      call: (_args, { signal }) => {
        waiting += 1;
        work ??= untilAborted(signal);
        return work;
      },
    });
    await using peer = await open({ tools: [shared], onError: (error) => faults.push(error) });
    const { signal, abort } = controller();
    const first = peer.send(toolCall("shared", {}, 1), { signal });
    await expect.poll(() => waiting).toBe(1);
    const second = resultOf(peer, toolCall("shared", {}, 2));
    await expect.poll(() => waiting).toBe(2);
    abort();
    expect((await first).message).toBeUndefined();
    expect(await second).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(executionFailed) }],
    });
    expect(faults).toHaveLength(1);
  });

  test("takes the time limit of another call for a fault, and its own for none [T6]", async () => {
    const faults: unknown[] = [];
    let work: Promise<string> | undefined;
    const share = (_args: object, { signal }: { readonly signal: AbortSignal }) => {
      work ??= untilAborted(signal);
      return work;
    };
    const tools = [
      tool({ name: "brief", timeoutMs: 50, call: share }),
      tool({ name: "patient", call: share }),
    ];
    await using peer = await open({ tools, onError: (error) => faults.push(error) });
    const brief = textOf(peer, toolCall("brief", {}, 1));
    await expect.poll(() => work !== undefined).toBe(true);
    expect(await textOf(peer, toolCall("patient", {}, 2))).toMatch(executionFailed);
    expect(await brief).toBe("Not finished within 50 ms");
    expect(faults).toEqual([expect.objectContaining({ name: "TimeLimitError" })]);
  });

  test("answers -32603 for a result that was built wrong, and goes on [T14]", async () => {
    const faults: unknown[] = [];
    const tools = Object.entries(invalidResults).map(([name, call]) =>
      tool({ name, call: call as () => object }),
    );
    const rendered = tool({
      name: "rendered",
      output: {},
      text: () => 7 as never,
      call: () => ({ a: 1 }),
    });
    await using peer = await open({
      tools: [...tools, rendered],
      onError: (error) => faults.push(error),
    });
    for (const name of [...Object.keys(invalidResults), "rendered"]) {
      const reply = await peer.send(toolCall(name, {}, name));
      expectRefusal(reply, { id: name, code: -32603, status: 200 });
    }
    expect(faults).toHaveLength(Object.keys(invalidResults).length + 1);
    await expectAlive(peer);
  });

  test("takes an output check that breaks down for its own fault [T9] [T13]", async () => {
    const faults: unknown[] = [];
    const tools = Object.entries(brokenOutputs).map(([name, output]) =>
      tool({ name, output, call: () => ({ t: 1 }) }),
    );
    const onError = (error: unknown): unknown => faults.push(error);
    await using peer = await open({ tools, validator: breakingValidator, onError });
    for (const name of Object.keys(brokenOutputs)) {
      const reply = await peer.send(toolCall(name));
      const error = expectRefusal(reply, { id: 1, code: -32603, status: 200 });
      expect(error.message).not.toContain("s3cret");
    }
    expect(faults).toHaveLength(tools.length);
  });

  test("does not care what observers reject with [OV02]", async () => {
    const uncaught = watchUncaught();
    const thenable = {
      then: (_resolve: unknown, reject: (error: Error) => void) => reject(new Error()),
    };
    const observers = [rejects, () => thenable];
    for (const observer of observers) {
      await using peer = await open({ onError: observer, instrumentation: observer });
      expect(await textOf(peer, toolCall("boom"))).toMatch(executionFailed);
      await expectAlive(peer);
    }
    expect(uncaught).toEqual([]);
  });

  test("answers a request that waits for a place within its own time limit [OV01]", async () => {
    const place = deferred();
    const begun = deferred();
    let isRun = false;
    const hold = tool({
      name: "hold",
      call: () => {
        begun.resolve();
        return place.promise.then(() => "held");
      },
    });
    const quick = tool({ name: "quick", timeoutMs: 50, call: () => String((isRun = true)) });
    await using peer = await open({ tools: [hold, quick], limits: { inFlight: 1, queue: 1 } });
    const held = textOf(peer, toolCall("hold", {}, 1));
    await begun.promise;
    expect(await resultOf(peer, toolCall("quick", {}, 2))).toMatchObject({
      isError: true,
      content: [{ text: "Not finished within 50 ms" }],
    });
    place.resolve();
    expect(await held).toBe("held");
    expect(isRun).toBe(false);
    expect(await textOf(peer, toolCall("quick", {}, 3))).toBe("true");
  });

  test.each([fails, rejects])(
    "takes a policy that fails for its own fault (%o) [T7]",
    async (policy) => {
      const faults: unknown[] = [];
      await using peer = await open({ authorize: policy, onError: (error) => faults.push(error) });
      for (const request of [modernRequest("tools/list"), toolCall("echo", { text: "x" })]) {
        const error = expectRefusal(await peer.send(request), { id: 1, code: -32603, status: 200 });
        expect(error.message).not.toContain("s3cret");
      }
      // A list may ask about several tools before it gives up.
      expect(faults.length).toBeGreaterThanOrEqual(2);
    },
  );

  test("asks a slow policy nothing more once the caller of a list has gone [CAN-4] [HTTP-20]", async () => {
    const policy = slowPolicy();
    const tools = Array.from({ length: 100 }, (_, index) =>
      tool({ name: `t${index}`, call: () => "" }),
    );
    await using peer = await open({ tools, authorize: policy.authorize });
    const { signal, abort } = controller();
    const list = peer.send(modernRequest("tools/list"), { signal });
    await expect.poll(() => policy.asked.length).toBeGreaterThan(0);
    const { length } = policy.asked;
    expect(length).toBeLessThan(100);
    abort();
    expect((await list).message).toBeUndefined();
    await expect.poll(() => policy.asked.every(({ aborted }) => aborted)).toBe(true);
    policy.allow();
    await expectAlive(peer);
    expect(policy.asked).toHaveLength(length);
  });

  test("does not run a tool whose caller went while the policy decided [CAN-4] [HTTP-20]", async () => {
    const policy = slowPolicy();
    let isRun = false;
    const act = tool({ name: "act", call: () => String((isRun = true)) });
    await using peer = await open({ tools: [act], authorize: policy.authorize });
    const { signal, abort } = controller();
    const call = peer.send(toolCall("act"), { signal });
    await expect.poll(() => policy.asked.length).toBe(1);
    abort();
    expect((await call).message).toBeUndefined();
    await expect.poll(() => policy.asked[0]?.aborted).toBe(true);
    policy.allow();
    await expectAlive(peer);
    expect(isRun).toBe(false);
  });

  test("reports progress that was dropped once, also when the tool throws [PRG-3]", async () => {
    const events: SnodoEvent[] = [];
    const errors = { fault: new Error("s3cret"), refusal: RpcError.invalidParams("no") };
    const tools = Object.entries(errors).map(([name, error]) =>
      tool({
        name,
        call: (_args, { progress }): never => {
          for (const done of [1, 1, 0]) progress(done);
          throw error;
        },
      }),
    );
    await using peer = await open({ tools, instrumentation: (event) => events.push(event) });
    for (const name of Object.keys(errors)) {
      await peer.send(withMeta(toolCall(name), { progressToken: 1 }));
    }
    expect(events.filter(({ type }) => type === "progress.dropped")).toMatchObject([
      { count: 2, target: "fault" },
      { count: 2, target: "refusal" },
    ]);
  });
});

/** Allows everything, but only after `allow`; `asked` are the signals of those who wait. */
function slowPolicy(): {
  readonly asked: readonly AbortSignal[];
  readonly authorize: Authorize;
  allow(): void;
} {
  const asked: AbortSignal[] = [];
  const decision = deferred();
  const authorize: Authorize = async ({ ctx }) => {
    asked.push(ctx.signal);
    await decision.promise;
    return true;
  };
  return { asked, authorize, allow: decision.resolve };
}

function controller(): { readonly signal: AbortSignal; abort(): void } {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort() };
}

test("gives a place that becomes free to the request that waits longest [OV01]", async () => {
  const place = deferred();
  const order: string[] = [];
  const tools = ["a", "b", "c", "d"].map((name) =>
    tool({
      name,
      call: async () => {
        order.push(name);
        await place.promise;
        return name;
      },
    }),
  );
  await using pipe = await openPipe({ tools, limits: { inFlight: 1, queue: 3 } });
  for (const name of ["b", "a", "d"]) pipe.write(toolCall(name, {}, name));
  place.resolve();
  pipe.write(toolCall("c", {}, "c"));
  await pipe.response("c");
  expect(order).toEqual(["b", "a", "d", "c"]);
});
