import type { AnyMiddleware, Context } from "../core/context.ts";
import type { MaybePromise } from "../core/maybe-promise.ts";

/** What middleware wraps: the rest of a request. */
export type Handler<Request> = (request: Request) => MaybePromise<unknown>;

/** A request as middleware needs it: the face that authors see, and a place for their state. */
export interface MiddlewareRequest {
  readonly context: Context<never>;
  mergeState(state: object): void;
}

/** One handler out of middleware (the first is the outermost) and what it wraps. Composed once. */
export function compose<Request extends MiddlewareRequest>(
  stack: readonly AnyMiddleware[],
  innermost: Handler<Request>,
): Handler<Request> {
  return stack.reduceRight<Handler<Request>>((inner, layer) => wrap(layer, inner), innermost);
}

function wrap<Request extends MiddlewareRequest>(
  layer: AnyMiddleware,
  inner: Handler<Request>,
): Handler<Request> {
  return async (request) => {
    let isCalled = false;
    let innerValue: unknown;
    const value = await layer(request.context, async (state) => {
      if (isCalled) throw new TypeError("A middleware called next() twice");
      isCalled = true;
      if (state !== undefined) request.mergeState(state);
      innerValue = await inner(request);
      return innerValue;
    });
    if (value === undefined && innerValue !== undefined) {
      throw new TypeError("A middleware returned nothing; return what next() gives");
    }
    return value;
  };
}
