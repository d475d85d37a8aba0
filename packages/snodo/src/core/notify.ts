import { settleThenable } from "./maybe-promise.ts";

/**
 * Calls an observer, if there is one. What it throws, or rejects with later, is ignored: observers
 * must not change what they observe.
 */
export function notify<Args extends readonly unknown[]>(
  observer: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  try {
    const returned = settleThenable(observer?.(...args));
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // See above.
  }
}
