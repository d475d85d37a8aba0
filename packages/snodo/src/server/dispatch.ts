import { isJson } from "../json/value.ts";
import {
  EncodedJson,
  isRequestId,
  type Message,
  type NotificationMessage,
  parseMessage,
  type RequestMessage,
} from "../jsonrpc/message.ts";
import { RpcError } from "../jsonrpc/error.ts";
import type { Call } from "../core/call.ts";
import { CancelledError, TimeLimitError } from "../core/cancellation.ts";
import { ToolError } from "../core/errors.ts";
import { emit } from "../core/events.ts";
import { notify } from "../core/notify.ts";
import type { MaybePromise } from "../core/maybe-promise.ts";
import { accepted, ignored, type Reply, type Stage } from "../core/reply.ts";
import { failure, type ToolResult } from "../core/result.ts";
import type { OperationResults } from "../core/operation.ts";
import { selectDialect } from "../dialects/select.ts";
import type { Engine } from "./engine.ts";
import { OverloadError } from "./gate.ts";
import { ServerRequest } from "./server-request.ts";

/**
 * Answers one decoded JSON value. Never throws: whatever happens becomes the reply. `call` is what
 * the transport knows about the message. The reply is there at once unless something has to be awaited.
 */
export function dispatch(engine: Engine, value: unknown, call: Call): MaybePromise<Reply> {
  const message = parseMessage(value);
  if (message.kind !== "request") return receive(engine, message, call);
  let request: ServerRequest;
  try {
    const { dialect, envelope } = selectDialect(message, call, engine);
    const operation = dialect.decodeOperation(message, call, engine.facts);
    const tool =
      operation.kind === "callTool" ? engine.tools.byName.get(operation.name) : undefined;
    const timeLimitMs = tool?.timeoutMs ?? engine.limits.requestMs;
    // Not the name that was asked for, which can be anything.
    const target = tool?.definition.name;
    const about = { dialect, envelope, call, message, operation, target, timeLimitMs };
    request = new ServerRequest(engine, about);
  } catch (error) {
    const refusal = { id: message.id, stage: "admission", error: RpcError.from(error) } as const;
    return refuse(engine, call, refusal);
  }
  return engine.sink === undefined ? execute(engine, request) : observe(engine, request);
}

function receive(engine: Engine, message: Exclude<Message, RequestMessage>, call: Call): Reply {
  switch (message.kind) {
    case "notification":
      notice(message, call);
      return accepted;
    case "response":
      return ignored;
    case "invalid":
      if (message.isNotification) return ignored;
      return refuse(engine, call, { id: message.id, stage: "message", error: message.error });
  }
}

/** Clients send one notification that concerns a server; unknown ones are ignored. spec: CAN-4 */
function notice(message: NotificationMessage, call: Call): void {
  if (message.method !== "notifications/cancelled") return;
  const { requestId, reason } = message.params;
  if (!isRequestId(requestId)) return;
  call.cancelRequest?.(requestId, typeof reason === "string" ? reason : undefined);
}

function execute(engine: Engine, request: ServerRequest): MaybePromise<Reply> {
  try {
    const result = engine.gate.run(engine.run, request, request.timeLimitMs);
    if (result instanceof Promise) return settle(engine, request, result);
    return succeeded(engine, request, result);
  } catch (error) {
    return failed(engine, request, error);
  }
}

async function settle(
  engine: Engine,
  request: ServerRequest,
  work: Promise<unknown>,
): Promise<Reply> {
  try {
    return succeeded(engine, request, await work);
  } catch (error) {
    return failed(engine, request, error);
  }
}

/** Tells the instrumentation when a request starts and how it ended. */
async function observe(engine: Engine, request: ServerRequest): Promise<Reply> {
  const startedAt = performance.now();
  emit(engine.sink, { type: "request.start", ...request.describe() });
  const reply = await execute(engine, request);
  emit(engine.sink, {
    type: "request.stop",
    outcome: reply.kind === "result" ? "ok" : reply.kind === "error" ? "error" : "cancelled",
    isError: reply.kind === "result" && "isError" in reply.result,
    ...(reply.kind === "error" ? { errorCode: reply.error.code } : {}),
    durationMs: performance.now() - startedAt,
    ...request.describe(),
  });
  return reply;
}

function succeeded(engine: Engine, request: ServerRequest, result: unknown): Reply {
  const { dialect, operation, message } = request;
  if (typeof result !== "object" || result === null) {
    throw new TypeError("A middleware replaced the result by something that is not a result");
  }
  const outcome = result as OperationResults[typeof operation.kind];
  const wire = dialect.encodeResult(operation.kind, outcome, engine.facts);
  if (engine.hasMiddleware && !(wire instanceof EncodedJson) && !isJson(wire)) {
    throw new TypeError("A middleware put something into the result that JSON cannot carry");
  }
  if (request.reportsProgress) request.finish();
  return { kind: "result", id: message.id, result: wire };
}

/** The one place where a failure becomes a reply. */
function failed(engine: Engine, request: ServerRequest, error: unknown): Reply {
  const { id } = request.message;
  if (request.reportsProgress) request.finish();
  const isOwnEnd = error === request.call.cancellation.reason;
  if (isOwnEnd && error instanceof CancelledError) return accepted;
  if (error instanceof OverloadError) {
    return { kind: "error", id, stage: "overload", error: RpcError.internal(error.message) };
  }
  if (error instanceof RpcError && isSendable(error)) {
    if (error.cause !== undefined) reportFault(engine, request, error.cause);
    return { kind: "error", id, stage: "execution", error };
  }
  const message = isOwnEnd && error instanceof TimeLimitError ? error.message : undefined;
  if (request.operation.kind === "callTool" && !(error instanceof RpcError)) {
    return succeeded(engine, request, toFailure(engine, request, { error, message }));
  }
  const text = message ?? `Internal error (ref ${reportFault(engine, request, error)})`;
  return { kind: "error", id, stage: "execution", error: RpcError.internal(text) };
}

/** False for an error that a handler made in a way that JSON-RPC cannot carry. */
function isSendable({ code, data }: RpcError): boolean {
  return Number.isSafeInteger(code) && (data === undefined || isJson(data));
}

function toFailure(
  engine: Engine,
  request: ServerRequest,
  { error, message }: { readonly error: unknown; readonly message: string | undefined },
): ToolResult {
  if (message !== undefined) return failure(message);
  if (error instanceof ToolError) return failure(error.message);
  const ref = reportFault(engine, request, error);
  const isExposed = engine.exposeErrors && error instanceof Error;
  return failure(`Tool execution failed${isExposed ? `: ${error.message}` : ""} (ref ${ref})`);
}

/** Tells the operator; gives the reference that the caller may see. */
function reportFault(engine: Engine, request: ServerRequest, error: unknown): string {
  const ref = Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, "0");
  const about = request.describe();
  emit(engine.sink, { type: "request.fault", ref, error, ...about });
  notify(engine.onError, error, { ref, method: about.method, target: about.target });
  return ref;
}

function refuse(
  engine: Engine,
  call: Call,
  refusal: { id: RequestMessage["id"] | undefined; stage: Stage; error: RpcError },
): Reply {
  const { transport } = call;
  emit(engine.sink, { type: "message.refused", transport, code: refusal.error.code });
  return { kind: "error", ...refusal };
}
