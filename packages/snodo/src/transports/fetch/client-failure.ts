import { ClientError, type Outcome } from "../../client/client-error.ts";

/** Codes of Node for connections that were never made. */
const neverConnected: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * The error for a request that got no answer. `outcome` counts unless the failure says that there was
 * no connection. The message names the origin only, since paths and queries can hold secrets.
 */
export function connectFailure(url: URL, error: unknown, outcome: Outcome): ClientError {
  const code = codeOf(error);
  const text = code ?? (error instanceof Error ? error.message : String(error));
  return new ClientError("connect", `No connection to ${url.origin}: ${text}`, {
    outcome: neverConnected.has(code) ? "none" : outcome,
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}

/** The error for a connection that broke after the request was sent. */
export function brokenAnswer(error: unknown): ClientError {
  const text = error instanceof Error ? `: ${error.message}` : "";
  const message = `The connection broke before the answer was complete${text}`;
  return new ClientError("closed", message, { outcome: "unknown", cause: error });
}
