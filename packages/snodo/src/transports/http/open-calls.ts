import { isObject } from "../../json/value.ts";
import type { Limits } from "../../core/limits.ts";
import { BodyError } from "./exchange.ts";
import type { HttpCall } from "./http-call.ts";

/**
 * The calls of a service that are not answered yet. One slow clock for all of them keeps quiet answers
 * alive and gives up on bodies that do not arrive; it stands still when nothing is open.
 */
export class OpenCalls {
  /** Put calls in and take them out again; `start` the clock after putting in. */
  readonly calls: Set<HttpCall> = new Set();
  /** Ticks since the service began. */
  now = 0;
  /** False when nothing was open for a while. */
  isTicking = false;

  /** Cancels every open call. */
  cancelAll(reason: Error): void {
    for (const { cancellation } of this.calls) cancellation.cancel(reason);
  }

  /** Starts the clock; it stops by itself. */
  start({ keepAliveMs, bodyReadMs }: Limits): void {
    const tickMs = Math.max(1, Math.floor(Math.min(keepAliveMs, bodyReadMs) / 4));
    // Rounded down, so that silence never lasts longer than the limit.
    const silentTicks = Math.floor(keepAliveMs / tickMs) - 1;
    const readTicks = Math.ceil(bodyReadMs / tickMs);
    this.isTicking = true;
    const ticker = setInterval(() => {
      this.now += 1;
      for (const call of this.calls) {
        if (!call.isQuiet) call.quietSince = this.now;
        call.isQuiet = true;
        const quietTicks = this.now - call.quietSince;
        if (call.isReading && quietTicks > readTicks) call.http.stopReading(tooSlow(bodyReadMs));
        if (!call.isReading && quietTicks >= silentTicks) call.keepAlive();
      }
      if (this.calls.size > 0) return;
      clearInterval(ticker);
      this.isTicking = false;
    }, tickMs);
    release(ticker);
  }
}

function tooSlow(limitMs: number): BodyError {
  return new BodyError(408, `The body took longer than ${limitMs} ms (limit: bodyReadMs)`);
}

/** Node's timers hold the process open unless told otherwise; on the web a timer is a number. */
function release(timer: unknown): void {
  if (isObject(timer) && typeof timer.unref === "function") timer.unref();
}
