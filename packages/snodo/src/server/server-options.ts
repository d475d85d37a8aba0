import type { AnyMiddleware } from "../core/context.ts";
import type { Instrumentation } from "../core/events.ts";
import type { Implementation } from "../core/implementation.ts";
import type { Limits } from "../core/limits.ts";
import type { CacheHint } from "../core/operation.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Validator } from "../schema/validator.ts";
import type { FaultInfo } from "./engine.ts";
import type { Authorize } from "./policy.ts";

/** What `createServer` takes. Only `name` and `version` are required. */
export interface ServerOptions<
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends Implementation {
  /** Guidance for the model, sent with `server/discover`. */
  readonly instructions?: string;
  /** Made with `tool()`, or any value of that shape. Default: none. */
  readonly tools?: Tools;
  /** Middleware around every method; the first is the outermost. */
  readonly use?: readonly AnyMiddleware[];
  /** Decides who may use what. Default: everybody everything. */
  readonly authorize?: Authorize;
  /** Enforces raw JSON Schemas. Default: `passthrough`, and a warning when it leaves rules unchecked. */
  readonly validator?: Validator;
  /** Protocol revisions to serve. Default: all that this library speaks. */
  readonly protocols?: readonly string[];
  /** Entries per page of a list, at most 1,000. Default: everything on one page. */
  readonly pageSize?: number;
  /** How long clients may keep discovery and lists. Default: not at all, private. */
  readonly cache?: { readonly discover?: CacheHint; readonly tools?: CacheHint };
  /** Values in place of the defaults of `limitTable`. */
  readonly limits?: Partial<Limits>;
  /** Gets each fault that the caller sees only as a reference. Default: one line on stderr. */
  readonly onError?: (error: unknown, info: FaultInfo) => unknown;
  /** Sends the messages of unexpected errors to the caller; for development. Default: false. */
  readonly exposeErrors?: boolean;
  /** Receives an event for everything that happens. Default: none. */
  readonly instrumentation?: Instrumentation;
}
