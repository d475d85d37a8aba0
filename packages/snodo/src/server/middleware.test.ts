import { expect, test } from "vitest";
import type { AnyMiddleware, Middleware } from "../core/context.ts";
import { compose, type MiddlewareRequest } from "./middleware.ts";

function run(stack: readonly AnyMiddleware[], innermost: () => unknown) {
  const state: Record<string, unknown> = {};
  const request: MiddlewareRequest = {
    context: { state } as never,
    mergeState: (more) => Object.assign(state, more),
  };
  return compose<MiddlewareRequest>(stack, async () => innermost())(request);
}

test("runs the first middleware outermost and gives each the value of the next", async () => {
  const order: string[] = [];
  const layer =
    (name: string): AnyMiddleware =>
    async (_ctx, next) => {
      order.push(`${name} in`);
      const value = await next();
      order.push(`${name} out`);
      return `${name}(${String(value)})`;
    };
  expect(await run([layer("a"), layer("b")], () => "x")).toBe("a(b(x))");
  expect(order).toEqual(["a in", "b in", "b out", "a out"]);
});

test("lets a middleware answer without going on", async () => {
  let hasRun = false;
  expect(await run([() => "short"], () => (hasRun = true))).toBe("short");
  expect(hasRun).toBe(false);
});

test("hands state on", async () => {
  const supply: AnyMiddleware = (_ctx, next) => next({ user: "ada" });
  const read: Middleware<{ user: string }> = (ctx) => ctx.state.user;
  expect(await run([supply, read], () => "unused")).toBe("ada");
});

test("refuses a second next()", async () => {
  const twice: AnyMiddleware = async (_ctx, next) => {
    await next();
    return next();
  };
  await expect(run([twice], () => "x")).rejects.toThrow(/next\(\) twice/);
});

test("says so when a middleware forgets to return", async () => {
  const forgetful: AnyMiddleware = async (_ctx, next) => {
    await next();
  };
  await expect(run([forgetful], () => "x")).rejects.toThrow(/return what next\(\) gives/);
});
