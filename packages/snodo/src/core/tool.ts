import type { JsonObject } from "../json/value.ts";
import type { HeaderAnnotation } from "../schema/header-annotations.ts";
import type { Parser } from "../schema/standard.ts";
import type { AnyMiddleware, Context } from "./context.ts";
import type { Icon } from "./implementation.ts";

/** A JSON Schema whose root is an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** Key of the types that a tool carries for the compiler; it never has a value. */
export declare const carriedTypes: unique symbol;

/**
 * A tool: a plain value. `tool()` makes one; any object or class instance of this shape is accepted
 * everywhere and is served the same way.
 */
export interface Tool<
  Name extends string = string,
  Args = never,
  Output = unknown,
  Types = unknown,
> {
  readonly name: Name;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  /** Published verbatim. */
  readonly inputSchema: ObjectSchema;
  /** Published verbatim; when present, a call must give structured content. */
  readonly outputSchema?: { readonly [keyword: string]: unknown };
  /** Hints such as `readOnlyHint`; omitted from the list when empty. */
  readonly annotations?: JsonObject;
  /** Becomes `_meta` of the list entry. */
  readonly meta?: JsonObject;
  /** Middleware around this tool's handler. */
  readonly use?: readonly AnyMiddleware[];
  call(args: Args, ctx: Context<never>): Output | Promise<Output>;
  /** What a typed client sends and gets, where that is not what `call` takes and returns. */
  readonly [carriedTypes]?: Types;
}

/** Any tool, whatever its arguments and output. */
export type AnyTool = Tool;

/** What a tool says about itself, independent of any protocol revision. Frozen at every level. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly inputSchema: ObjectSchema & JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: JsonObject;
  readonly meta?: JsonObject;
}

/** A tool ready to be served: checked once, when the server is created. */
export interface CompiledTool {
  readonly definition: ToolDefinition;
  /** The author's value; `call` is invoked on it. */
  readonly tool: AnyTool;
  /** Top-level `required`, in schema order. */
  readonly required: readonly string[];
  /** Arguments that are mirrored in HTTP headers. */
  readonly mirrors: readonly HeaderAnnotation[];
  /** Set when the input is a Standard Schema: replaces the server's validator. */
  readonly parseInput: Parser | undefined;
  /** Set when the output is a Standard Schema; what it gives is what is sent. */
  readonly parseOutput: Parser | undefined;
  /** Text beside structured content; default is its JSON. */
  readonly renderText: ((data: unknown) => string) | undefined;
  /** The tool's own time limit; default is the server's `requestMs`. */
  readonly timeoutMs: number | undefined;
}
