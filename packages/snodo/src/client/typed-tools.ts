import type { JsonObject, JsonValue } from "../json/value.ts";
import type { ArgumentsOf, OutputOf } from "../core/infer.ts";
import type { AnyTool } from "../core/tool.ts";
import type { RequestOptions } from "./options.ts";

/** The names that can be called: any string when the tools are not known to the compiler. */
export type ToolName<Tools extends readonly AnyTool[]> = Tools[number]["name"];

type Named<Tools extends readonly AnyTool[], Name> = Extract<
  Tools[number],
  { readonly name: Name }
>;

/** The arguments of one tool; any JSON object when the tool is not known to the compiler. */
export type ToolArguments<Tools extends readonly AnyTool[], Name> = OrElse<
  ArgumentsOf<Named<Tools, Name>>,
  JsonObject
>;

/** The structured content of one tool when it worked. */
export type ToolOutput<Tools extends readonly AnyTool[], Name> = [Named<Tools, Name>] extends [
  never,
]
  ? JsonValue | undefined
  : OrElse<OutputOf<Named<Tools, Name>>, undefined>;

type OrElse<Value, Fallback> = [Value] extends [never] ? Fallback : Value;

/** The parameters of `callTool` after the name; arguments may be left out when none is required. */
export type CallParameters<Args> =
  Record<never, never> extends Args
    ? [args?: Args | undefined, options?: RequestOptions]
    : [args: Args, options?: RequestOptions];
