import type { Instrumentation } from "../core/events.ts";
import type { Limits } from "../core/limits.ts";
import type { ServerFacts } from "../core/operation.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Gate } from "./gate.ts";
import type { Handler } from "./middleware.ts";
import type { Authorize } from "./policy.ts";
import type { ServerRequest } from "./server-request.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** Where a fault happened, for `onError`. */
export interface FaultInfo {
  /** The reference that the caller was given. */
  readonly ref: string;
  readonly method: string;
  /** The tool's name, where there is one. */
  readonly target: string | undefined;
}

/** A server built once and shared by all transports: everything a request needs to be answered. */
export interface Engine {
  readonly facts: ServerFacts;
  /** Served revisions by version. */
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly limits: Limits;
  readonly gate: Gate;
  readonly tools: ToolRegistry;
  readonly authorize: Authorize | undefined;
  /** Server middleware around the operations. */
  readonly run: Handler<ServerRequest>;
  /** True when `run` gives what middleware may have changed. */
  readonly hasMiddleware: boolean;
  readonly sink: Instrumentation | undefined;
  readonly onError: (error: unknown, info: FaultInfo) => unknown;
  readonly exposeErrors: boolean;
}
