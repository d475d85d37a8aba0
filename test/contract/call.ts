import type { Servable } from "snodo";
import { toFetch, type RequestExtras } from "snodo/http";
import {
  type ModernRequest,
  modernRequest,
  requestInit,
  toAnswer,
  toolCall,
} from "../support/modern.ts";

/** A JSON-RPC response as a test reads it. */
export interface Response {
  readonly status: number;
  readonly id: unknown;
  readonly result: Result;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The text of the first block of a tool result. */
  readonly text: string;
}

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly tools: readonly Record<string, unknown>[];
  readonly nextCursor?: string;
  readonly [key: string]: unknown;
}

/** How a request differs from the plain one. */
export interface Differences extends RequestExtras {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request through the web handler of a server. */
export async function send(
  server: Servable,
  message: ModernRequest,
  differences: Differences = {},
): Promise<Response> {
  const request = new Request("http://localhost/mcp", requestInit(message, differences.headers));
  const answer = await toAnswer(await toFetch(server)(request, differences));
  const body = answer.body as Response;
  return { ...body, status: answer.status, text: body.result?.content?.[0]?.text ?? "" };
}

/** Calls a tool. */
export function call(
  server: Servable,
  name: string,
  args: object = {},
  differences?: Differences,
): Promise<Response> {
  return send(server, toolCall(name, args), differences);
}

/** Lists the tools, one page. */
export async function list(
  server: Servable,
  params: Record<string, unknown> = {},
  differences?: Differences,
): Promise<Response> {
  return send(server, modernRequest("tools/list", params), differences);
}
