import type { Middleware } from "./context.ts";
import { tool } from "./define-tool.ts";
import type { DefinedTool, InputSource, NoInput, OutputSource, ToolOptions } from "./infer.ts";
import type { AnyToolReturn } from "./result.ts";

/** The builders with `ctx.state` of type `State`. */
export interface Kit<State> {
  /** Like `tool()` of the package. */
  tool<
    const Name extends string,
    Returned extends AnyToolReturn,
    const Input extends InputSource = NoInput,
    const Output extends OutputSource | undefined = undefined,
  >(
    this: void,
    options: ToolOptions<Name, Input, Output, Returned, State>,
  ): DefinedTool<Name, Input, Output, Returned>;
  /** The middleware as it is, with its parameters typed. */
  middleware(this: void, layer: Middleware<State>): Middleware<State>;
}

/**
 * The builders for a server whose middleware supplies `ctx.state`: middleware passes it on with
 * `next({ user })`, tools read `ctx.state.user`. The type is a promise of yours; nothing checks at
 * run time that the middleware is installed.
 */
export function kit<State extends object>(): Kit<State> {
  return { tool, middleware: (layer) => layer };
}
