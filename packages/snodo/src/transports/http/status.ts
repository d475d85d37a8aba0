import { errorCodes } from "../../jsonrpc/error.ts";
import type { Reply, Stage } from "../../core/reply.ts";
import type { ResponseHeaders } from "./exchange.ts";

interface StageStatus {
  readonly otherwise: number;
  readonly byCode?: Readonly<Record<number, number>>;
}

/** Stage and code of an error to HTTP status; the only such table. spec: section 6, AMB-2 */
const statusTable: Readonly<Record<Stage, StageStatus>> = {
  message: { otherwise: 400 },
  admission: {
    otherwise: 400,
    byCode: { [errorCodes.methodNotFound]: 404, [errorCodes.internal]: 500 },
  },
  overload: { otherwise: 503 },
  execution: {
    otherwise: 200,
    byCode: {
      [errorCodes.headerMismatch]: 400,
      [errorCodes.missingClientCapability]: 400,
      [errorCodes.forbidden]: 403,
    },
  },
};

type ErrorReply = Extract<Reply, { kind: "error" }>;

/** The HTTP status of an error. */
export function statusOf({ stage, error }: ErrorReply): number {
  const row = statusTable[stage];
  return row.byCode?.[error.code] ?? row.otherwise;
}

/** Headers that explain an error to HTTP clients. */
export function headersOf({ stage, error }: ErrorReply): ResponseHeaders {
  if (stage === "overload") return { "Retry-After": "1" };
  const scopes = requiredScopes(error.data);
  if (error.code !== errorCodes.forbidden || scopes === undefined) return {};
  return { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"` };
}

function requiredScopes(data: unknown): readonly string[] | undefined {
  if (typeof data !== "object" || data === null || !("requiredScopes" in data)) return undefined;
  const { requiredScopes: scopes } = data;
  // RFC 6749 scope characters only, so that the header cannot be broken out of.
  const isScope = (scope: unknown): scope is string =>
    typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
  return Array.isArray(scopes) ? scopes.filter(isScope) : undefined;
}
