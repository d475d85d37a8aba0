import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "./watch-signal.ts";

test("keeps one listener on a signal, and none once nobody waits", () => {
  const { signal } = new AbortController();

  const forget = Array.from({ length: 100 }, () => onAbort(signal, () => {}));

  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  for (const each of forget) each();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("tells those who still wait, once", () => {
  const controller = new AbortController();
  const told: string[] = [];
  onAbort(controller.signal, () => told.push("a"));
  const forget = onAbort(controller.signal, () => told.push("b"));
  onAbort(controller.signal, () => told.push("c"));
  forget();

  controller.abort();

  expect(told).toEqual(["a", "c"]);
});
