import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { XStatic } from "typebox/schema";

import type { JsonObject } from "../json/value.ts";
import type { RpcError } from "../jsonrpc/error.ts";
import type { Context, Middleware } from "./context.ts";
import type { Icon } from "./implementation.ts";
import type { ToolResult } from "./result.ts";
import type { carriedTypes, Tool } from "./tool.ts";

/** A property of an input schema: `x-mcp-header` only where its value has one plain text. */
type PropertySchema =
  | boolean
  | (object & {
      readonly "x-mcp-header"?: never;
      readonly properties?: { readonly [name: string]: PropertySchema };
    })
  | { readonly "x-mcp-header": string; readonly type: "string" | "integer" | "boolean" };

/** A JSON Schema literal whose root is an object. */
export interface InputLiteral {
  readonly "~standard"?: never;
  readonly "x-mcp-header"?: never;
  readonly type: "object";
  readonly properties?: { readonly [name: string]: PropertySchema };
}

/** A JSON Schema literal of any type. */
export type OutputLiteral = object & { readonly "~standard"?: never };

/** A schema of a library that validates and gives JSON Schema. */
export interface LibrarySchema {
  readonly "~standard": StandardSchemaV1.Props & StandardJSONSchemaV1.Props;
}

/** What `input` of a tool takes: a schema of a library, or a JSON Schema literal. */
export type InputSource = LibrarySchema | InputLiteral;

/** What `output` of a tool takes: a schema of a library, or a JSON Schema literal of any type. */
export type OutputSource = LibrarySchema | OutputLiteral;

/** The input of a tool that names none. */
export interface NoInput {
  readonly type: "object";
}

/** The value after the check: what a handler gets and what a client receives. */
export type Checked<Source> = Source extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Source>
  : XStatic<Source>;

/** The value before the check: what a client sends and what a handler returns. */
export type Unchecked<Source> = Source extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Source>
  : XStatic<Source>;

/** Arguments, which are always an object: one whose properties are not known holds any JSON. */
type Arguments<Value> = [keyof Value] extends [never] ? JsonObject : Value;

/** What `call` gets. */
export type CallArguments<Input> = Arguments<Checked<Input>>;

/**
 * The handler. With an output schema it returns a value of that type, else `Returned`, which is
 * anything that JSON carries; in both cases a result of the builders or an `RpcError`. A conditional
 * type, since the compiler uses what it knows of `Output` while it checks `return` only then.
 */
export type Handler<Input, Output, Returned, State> = [Output] extends [undefined]
  ? (args: CallArguments<Input>, ctx: Context<State>) => Returned | Promise<Returned>
  : (
      args: CallArguments<Input>,
      ctx: Context<State>,
    ) => TypedReturn<Unchecked<Output>> | Promise<TypedReturn<Unchecked<Output>>>;

/** A bare string is text, never structured content: `structured(value)` says otherwise. */
type TypedReturn<Data> = Exclude<Data, string> | ToolResult<Data> | RpcError;

/** What `tool()` takes. `State` is the type of `ctx.state`, see `kit()`. */
export interface ToolOptions<
  Name extends string = string,
  Input = unknown,
  Output = unknown,
  Returned = unknown,
  State = unknown,
> {
  /**
   * At most 128 characters; control characters, bidirectional marks and line separators are refused.
   * Hosts agree on `A-Z a-z 0-9 _ . -` only. spec: TOOL-7
   */
  readonly name: Name;
  /** For people, where the name is for programs. */
  readonly title?: string;
  /** For the model: what the tool does and when to use it. */
  readonly description?: string;
  /** `https:` or `data:` URIs. */
  readonly icons?: readonly Icon[];
  /**
   * A Standard Schema that gives JSON Schema too (zod 4.2, arktype, …), which then checks every call,
   * or a JSON Schema, published verbatim and checked by the server's validator. The root is an object.
   * Default: `{ type: "object" }`.
   */
  readonly input?: Input;
  /** Like `input`, of any type. With it, every successful call must give structured content. */
  readonly output?: Output;
  /** Hints for hosts such as `{ readOnlyHint: true }`. Default: none. */
  readonly annotations?: JsonObject;
  /** Becomes `_meta` of the list entry. spec: META-9 */
  readonly meta?: JsonObject;
  /** Middleware around this tool's handler, outermost first. */
  readonly use?: readonly Middleware<State>[];
  /** The text beside structured content. Default: its JSON. */
  readonly text?: (data: [Output] extends [undefined] ? unknown : Checked<Output>) => string;
  /** Time limit of one call in milliseconds, up to 2^31 - 1. Default: `requestMs` of the server. */
  readonly timeoutMs?: number;
  /** Does the work. `args` passed the input schema, in the form its library gives. */
  readonly call: Handler<Input, Output, Returned, State>;
}

/** The structured content of a tool. */
type StructuredOf<Output, Returned> = [Output] extends [undefined]
  ? ReturnedData<Returned>
  : Checked<Output>;

type ReturnedData<Returned> =
  Returned extends ToolResult<infer Data>
    ? Data
    : Returned extends RpcError
      ? never
      : Returned extends string | void
        ? undefined
        : Returned;

/** What a client sends and gets. */
interface WireTypes {
  readonly arguments: unknown;
  readonly output: unknown;
}

/** The tool that `tool()` makes of these sources. */
export type DefinedTool<Name extends string, Input, Output, Returned> = Tool<
  Name,
  CallArguments<Input>,
  Returned,
  {
    readonly arguments: Arguments<Unchecked<Input>>;
    readonly output: StructuredOf<Output, Returned>;
  }
>;

/** The arguments that a caller of the tool sends. */
export type ArgumentsOf<T> = T extends { readonly [carriedTypes]?: infer Types extends WireTypes }
  ? Types["arguments"]
  : T extends { call(args: infer Args, ...rest: never): unknown }
    ? Args
    : never;

/** The structured content that a caller of the tool gets when it did not fail. */
export type OutputOf<T> = T extends { readonly [carriedTypes]?: infer Types extends WireTypes }
  ? Types["output"]
  : T extends { call(...args: never): infer Returned }
    ? ReturnedData<Awaited<Returned>>
    : never;
