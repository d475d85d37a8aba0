import { findNonJson, isObject, type JsonProblem } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { RpcError } from "../jsonrpc/error.ts";
import { andThen, type MaybePromise } from "../core/maybe-promise.ts";
import { isContent } from "../core/content.ts";
import { content, isToolResult, structured, text, type ToolResult } from "../core/result.ts";
import type { Parsed, Parser } from "../schema/standard.ts";
import type { ServedTool } from "./served-tool.ts";

/**
 * The result that a handler's return value stands for: a string is text, nothing is empty content, a
 * result is taken as built, any other JSON value is structured content. A returned `RpcError` is
 * thrown; what is not JSON, or misses the output schema, is a fault of the server.
 */
export function toToolResult(tool: ServedTool, value: unknown): MaybePromise<ToolResult> {
  if (typeof value === "string") {
    const result = text(value);
    return tool.parseOutput === undefined ? result : checkBuilt(tool, result);
  }
  if (value === undefined) return checkBuilt(tool, content());
  if (value instanceof RpcError) throw value;
  if (isToolResult(value)) return checkBuilt(tool, value);
  assertJson(value);
  return andThen(checkOutput(tool, value), (data) => render(tool, data));
}

function checkBuilt(tool: ServedTool, result: ToolResult): MaybePromise<ToolResult> {
  if (result.isUnchecked) assertWellFormed(result);
  if (tool.parseOutput === undefined || result.isError) return result;
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    throw fault("The tool has an output schema but gave no structured content");
  }
  return andThen(checkOutput(tool, structuredContent), (data) => {
    // The text must not tell more than the data that the schema's library let through.
    const { content: blocks } = result.isTextDerived ? render(tool, data) : result;
    return { ...result, content: blocks, structuredContent: data };
  });
}

function render(tool: ServedTool, data: unknown): ToolResult {
  if (tool.renderText === undefined) return structured(data);
  const rendered: unknown = tool.renderText(data);
  if (typeof rendered !== "string") throw fault("The tool's text(data) did not give a string");
  return structured(data, { text: rendered });
}

/** Structured content as it is sent: a library's schema may complete or reduce it. */
function checkOutput(tool: ServedTool, data: unknown): MaybePromise<unknown> {
  if (tool.parseOutput === undefined) return data;
  return andThen(parseOutput(tool.parseOutput, data), (parsed) => {
    if (!parsed.ok) throw brokenSchema(parsed.problems);
    assertJson(parsed.value);
    return parsed.value;
  });
}

function parseOutput(parse: Parser, data: unknown): MaybePromise<Parsed> {
  try {
    const parsed = parse(data);
    return parsed instanceof Promise ? parsed.catch(validatorFault) : parsed;
  } catch (error) {
    return validatorFault(error);
  }
}

/** A check that throws is a fault of the server, not of the caller. */
export function validatorFault(error: unknown): never {
  throw RpcError.internal("Schema validator failed", error);
}

function assertWellFormed(result: ToolResult): void {
  assertJson(result);
  if (!isContent(result.content)) throw fault("The tool's result has content that is not blocks");
  if (result.meta !== undefined && !isObject(result.meta)) {
    throw fault("The tool's result has a _meta that is not an object");
  }
}

function assertJson(value: unknown): void {
  const problem = findNonJson(value);
  if (problem === undefined) return;
  const where = toPointer(problem.path);
  throw fault(`The tool's result${where === "" ? "" : ` at ${where}`} ${problem.rule}`);
}

function brokenSchema(problems: readonly JsonProblem[]): RpcError {
  const lines = problems.map(({ path, rule }) => `${toPointer(path)}: ${rule}`);
  return fault(["The structured content breaks the output schema", ...lines].join("\n"));
}

/** The caller learns that it is not its fault; what exactly is wrong goes to `onError` only. */
function fault(detail: string): RpcError {
  return RpcError.internal("The tool gave an invalid result", new TypeError(detail));
}
