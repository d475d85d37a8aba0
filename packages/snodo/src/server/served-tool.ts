import { copyJson, type JsonObject } from "../json/value.ts";
import { type MaybePromise, settleThenable } from "../core/maybe-promise.ts";
import type { CompiledTool } from "../core/tool.ts";
import type { Parsed, Parser } from "../schema/standard.ts";
import { type Check, passthrough, type Validator } from "../schema/validator.ts";
import { compose } from "./middleware.ts";
import type { ServerRequest } from "./server-request.ts";

/** A tool as a server runs it. */
export interface ServedTool extends Omit<CompiledTool, "parseInput" | "parseOutput" | "tool"> {
  /** Checks arguments; gives what the handler gets. A throw is a fault of the server. */
  readonly parseInput: Parser;
  /** Checks structured content; gives what is sent. Absent without an output schema. */
  readonly parseOutput: Parser | undefined;
  /** Middleware of the tool around its handler, on the checked arguments of the request. */
  run(request: ServerRequest): MaybePromise<unknown>;
}

/** Puts a compiled tool behind its schema's library, or else the server's validator. */
export function toServedTool(compiled: CompiledTool, validator: Validator): ServedTool {
  const { tool, ...rest } = compiled;
  const { inputSchema, outputSchema } = compiled.definition;
  const handle = (request: ServerRequest): unknown => {
    const returned = tool.call(request.checkedArguments as never, request.context);
    return typeof returned === "object" ? settleThenable(returned) : returned;
  };
  const checkOutput = outputSchema && toParser(outputSchema, validator);
  return {
    ...rest,
    parseInput: compiled.parseInput ?? toParser(inputSchema, validator),
    // Copied, because a property that is undefined is not sent but would be checked.
    parseOutput: compiled.parseOutput ?? (checkOutput && ((data) => checkOutput(copyJson(data)))),
    run: compose(tool.use ?? [], handle),
  };
}

/** A validator's check of one schema, compiled at its first use. */
function toParser(schema: JsonObject, validator: Validator): (value: unknown) => Parsed {
  let check: Check | undefined =
    validator === passthrough ? passthrough.compile(schema) : undefined;
  return (value) => {
    check ??= validator.compile(schema);
    const problems = check(value);
    return problems.length === 0 ? { ok: true, value } : { ok: false, problems };
  };
}
