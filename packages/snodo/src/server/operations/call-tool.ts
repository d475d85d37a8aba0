import { isJsonObject, type JsonObject, type JsonProblem } from "../../json/value.ts";
import { toPointer } from "../../json/pointer.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import type { MaybePromise } from "../../core/maybe-promise.ts";
import type { Operation } from "../../core/operation.ts";
import { failure, type ToolResult } from "../../core/result.ts";
import type { Parsed } from "../../schema/standard.ts";
import { maxProblems } from "../../schema/validator.ts";
import type { Engine } from "../engine.ts";
import { type PolicyDecision, refusal } from "../policy.ts";
import type { ServedTool } from "../served-tool.ts";
import type { ServerRequest } from "../server-request.ts";
import { toToolResult, validatorFault } from "../tool-result.ts";

type CallTool = Extract<Operation, { kind: "callTool" }>;

const noArguments: JsonObject = Object.freeze({});

/**
 * Runs one tool: unknown, not allowed, arguments not an object, header mirrors, `required`, validator,
 * middleware, handler, output check; in this order, and the handler sees only what passed. Nothing
 * is deferred unless the policy, the check or the handler is asynchronous.
 */
export function callTool(
  engine: Engine,
  request: ServerRequest,
  { name, arguments: args = noArguments }: CallTool,
): MaybePromise<ToolResult> {
  const tool = engine.tools.byName.get(name);
  if (tool === undefined) throw unknownTool(name);
  if (engine.authorize !== undefined) return authorizeAndRun(engine, request, { tool, args });
  return checkAndRun(request, tool, args);
}

function unknownTool(name: string): RpcError {
  return RpcError.invalidParams(`Unknown tool "${name.slice(0, 128)}"`);
}

async function authorizeAndRun(
  engine: Engine,
  request: ServerRequest,
  { tool, args }: { readonly tool: ServedTool; readonly args: unknown },
): Promise<ToolResult> {
  const decision = await mayCall(engine, request, tool);
  if (decision !== true) throw refusal(decision, unknownTool(tool.definition.name));
  return checkAndRun(request, tool, args);
}

/** The policy's decision about this caller and this tool; a throw is a fault of the server. */
export async function mayCall(
  { authorize }: Engine,
  request: ServerRequest,
  { definition }: ServedTool,
): Promise<PolicyDecision> {
  try {
    const decision = await authorize?.({
      action: "call",
      component: { kind: "tool", name: definition.name, definition },
      auth: request.call.auth,
      ctx: request.context,
    });
    return decision ?? authorize === undefined;
  } catch (error) {
    throw error instanceof RpcError ? error : RpcError.internal("The policy failed", error);
  }
}

function checkAndRun(
  request: ServerRequest,
  tool: ServedTool,
  args: unknown,
): MaybePromise<ToolResult> {
  if (!isJsonObject(args)) throw RpcError.invalidParams("params.arguments must be an object");
  if (tool.mirrors.length > 0) request.dialect.checkMirrors(tool.mirrors, args, request.call);
  for (const name of tool.required) if (!Object.hasOwn(args, name)) return missing(tool, args);
  let parsed: MaybePromise<Parsed>;
  try {
    parsed = tool.parseInput(args);
  } catch (error) {
    return validatorFault(error);
  }
  if (!(parsed instanceof Promise)) return run(request, tool, parsed);
  return parsed.catch(validatorFault).then((settled) => run(request, tool, settled));
}

function missing({ required }: ServedTool, args: JsonObject): ToolResult {
  const names = required.filter((name) => !Object.hasOwn(args, name));
  return failure(`Missing required arguments: ${names.join(", ")}`);
}

function run(request: ServerRequest, tool: ServedTool, parsed: Parsed): MaybePromise<ToolResult> {
  if (!parsed.ok) return failure(describe(parsed.problems));
  // The caller may have gone while the policy or the check took its time.
  const { reason } = request.call.cancellation;
  if (reason !== undefined) throw reason;
  request.checkedArguments = parsed.value;
  const returned = tool.run(request);
  if (returned instanceof Promise) return returned.then((value) => toToolResult(tool, value));
  return toToolResult(tool, returned);
}

function describe(problems: readonly JsonProblem[]): string {
  const lines = problems.slice(0, maxProblems).map(({ path, rule }) => {
    const where = path.length === 0 ? "" : ` at ${toPointer(path)}`;
    return `Invalid arguments${where}: ${rule}`;
  });
  return lines.join("\n");
}
