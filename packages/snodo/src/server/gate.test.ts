import { expect, test } from "vitest";
import { Cancellation, CancelledError, TimeLimitError } from "../core/cancellation.ts";
import { Gate, OverloadError } from "./gate.ts";

const gone = new CancelledError("gone");
const forever = () => new Promise<string>(() => {});

/** Runs work in a gate; the time limit is a second unless told otherwise. */
function run<T>(gate: Gate, work: () => T | Promise<T>, options: Options = {}) {
  const { cancellation = new Cancellation(), limitMs = 1000 } = options;
  return gate.run(work, { call: { cancellation } }, limitMs);
}

interface Options {
  readonly cancellation?: Cancellation;
  readonly limitMs?: number;
}

/** True when the only place of a gate is free: then work is not deferred. */
function isFree(gate: Gate): boolean {
  return run(gate, () => "at once") === "at once";
}

function deferred() {
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>((done) => (resolve = done));
  return { promise, resolve };
}

test("runs up to the limit, queues up to the limit and refuses the rest", async () => {
  const gate = new Gate(1, 1);
  const first = deferred();
  const running = run(gate, () => first.promise);
  const second = run(gate, async () => "second");
  await expect(run(gate, async () => "third")).rejects.toThrow(OverloadError);
  first.resolve("first");
  expect(await Promise.all([running, second])).toEqual(["first", "second"]);
  expect(isFree(gate)).toBe(true);
});

test("gives a free place to the one who waits longest, and to nobody who comes later", async () => {
  const gate = new Gate(1, 2);
  const order: string[] = [];
  const first = deferred();
  const running = run(gate, () => first.promise);
  const waiting = ["second", "third"].map((name) => run(gate, async () => order.push(name)));
  first.resolve("first");
  await running;
  const late = run(gate, async () => order.push("late"));
  await Promise.all([...waiting, late]);
  expect(order).toEqual(["second", "third", "late"]);
});

test("frees the place of work that throws", async () => {
  const gate = new Gate(1, 1);
  await expect(run(gate, () => Promise.reject(new Error("x")))).rejects.toThrow("x");
  expect(isFree(gate)).toBe(true);
});

test("lets a cancelled request leave the queue", async () => {
  const gate = new Gate(1, 1);
  const first = deferred();
  const running = run(gate, () => first.promise);
  const cancellation = new Cancellation();
  const waiting = run(gate, async () => "never", { cancellation });
  cancellation.cancel(gone);
  await expect(waiting).rejects.toBe(gone);
  first.resolve("first");
  await running;
  expect(isFree(gate)).toBe(true);
});

test("counts the wait in the queue towards the time limit", async () => {
  const gate = new Gate(1, 1);
  const first = deferred();
  const running = run(gate, () => first.promise);
  await expect(run(gate, async () => "never", { limitMs: 20 })).rejects.toThrow(TimeLimitError);
  first.resolve("first");
  await running;
  expect(isFree(gate)).toBe(true);
});

test("answers a cancelled request at once but keeps its place until the work ends", async () => {
  const gate = new Gate(1, 0);
  const work = deferred();
  const cancellation = new Cancellation();
  const running = run(gate, () => work.promise, { cancellation });
  cancellation.cancel(gone);
  await expect(running).rejects.toBe(gone);
  await expect(run(gate, () => "no place")).rejects.toThrow(OverloadError);
  work.resolve("late");
  await work.promise;
  await expect.poll(async () => run(gate, () => "place")).toBe("place");
});

test("cancels work at its time limit, and takes the place back even if the work never ends", async () => {
  const gate = new Gate(1, 1);
  const cancellation = new Cancellation();
  const running = run(gate, forever, { cancellation, limitMs: 20 });
  await expect(running).rejects.toThrow("Not finished within 20 ms");
  expect(cancellation.signal.reason).toBeInstanceOf(TimeLimitError);
  expect(isFree(gate)).toBe(true);
});

test("takes the place of cancelled work back at the time limit", async () => {
  const gate = new Gate(1, 1);
  const cancellation = new Cancellation();
  const running = run(gate, forever, { cancellation, limitMs: 20 });
  cancellation.cancel(gone);
  await expect(running).rejects.toBe(gone);
  expect(await run(gate, async () => "next")).toBe("next");
});

test("does not start work for a request that is cancelled already", () => {
  const gate = new Gate(1, 1);
  const cancellation = new Cancellation();
  cancellation.cancel(gone);
  let hasRun = false;
  expect(() => run(gate, () => (hasRun = true), { cancellation })).toThrow(gone);
  expect([hasRun, isFree(gate)]).toEqual([false, true]);
});

test("frees the place of work that throws before it waits", () => {
  const gate = new Gate(1, 1);
  const broken = () => {
    throw new Error("x");
  };
  expect(() => run(gate, broken)).toThrow("x");
  expect(isFree(gate)).toBe(true);
});
