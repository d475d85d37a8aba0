import { notify } from "./notify.ts";

/** Fields of every event about one request. No payloads, no argument values. */
interface AboutRequest {
  readonly transport: "http" | "stdio" | "in-process";
  readonly method: string;
  /** The tool's name, where there is one. */
  readonly target?: string | undefined;
  readonly protocolVersion: string;
}

/** Everything that a server reports to `instrumentation`. The catalogue is closed. */
export type SnodoEvent =
  | ({ readonly type: "request.start" } & AboutRequest)
  | ({
      readonly type: "request.stop";
      /** `"ok"` also for a tool that reports a failure: the call worked. */
      readonly outcome: "ok" | "error" | "cancelled";
      readonly isError: boolean;
      readonly errorCode?: number;
      readonly durationMs: number;
    } & AboutRequest)
  /** A fault that the caller sees only as `ref`. */
  | ({
      readonly type: "request.fault";
      readonly ref: string;
      readonly error: unknown;
    } & AboutRequest)
  /** A message that never became a request. */
  | { readonly type: "message.refused"; readonly transport: string; readonly code: number }
  /** Progress that was over its limits or did not grow. */
  | ({ readonly type: "progress.dropped"; readonly count: number } & AboutRequest)
  /** Raw schemas whose keywords nobody enforces, because no validator was chosen. */
  | { readonly type: "schema.unenforced"; readonly tools: readonly string[] }
  /** Names that some hosts refuse. */
  | { readonly type: "name.unportable"; readonly names: readonly string[] }
  /** Something wrote to stdout, which belongs to the protocol; `origin` is the first caller seen. */
  | { readonly type: "stdout.diverted"; readonly origin: string };

/** Receives events. What it throws or rejects with is ignored. */
export type Instrumentation = (event: SnodoEvent) => unknown;

/** Hands an event to the sink, if there is one; a failing sink changes nothing. */
export function emit(sink: Instrumentation | undefined, event: SnodoEvent): void {
  notify(sink, event);
}
