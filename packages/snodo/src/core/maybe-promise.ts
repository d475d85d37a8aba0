/** A value that may have to be waited for. Most requests never wait, and then nothing is deferred. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with `next` when `value` is there: at once if it is not a promise. */
export function andThen<A, B>(
  value: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>,
): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A promise for anything that can be awaited, any other value as it is. */
export function settleThenable(value: unknown): unknown {
  const isThenable =
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function";
  return isThenable && !(value instanceof Promise) ? Promise.resolve(value) : value;
}
