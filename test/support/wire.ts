import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** A message that a server sent, checked by {@link assertWire}. */
export interface ServerMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: ServerResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A result of any method. */
export interface ServerResult {
  readonly resultType: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly tools?: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}

const schema: { readonly $defs: Readonly<Record<string, object>> } = JSON.parse(
  readFileSync(new URL("../data/mcp-2026-07-28.schema.json", import.meta.url), "utf8"),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "mcp");

const compiled = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  let validate = compiled.get(name);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `mcp#/$defs/${name}` });
    compiled.set(name, validate);
  }
  return validate;
}

/** The member by which a complete result is told apart, and the definition it must meet. */
const resultBranches = {
  supportedVersions: "DiscoverResult",
  tools: "ListToolsResult",
  content: "CallToolResult",
} as const;

const notificationBranches: Readonly<Record<string, string>> = {
  "notifications/progress": "ProgressNotification",
};

const errorBranches: Readonly<Record<number, string>> = {
  [-32020]: "HeaderMismatchError",
  [-32021]: "MissingRequiredClientCapabilityError",
  [-32022]: "UnsupportedProtocolVersionError",
};

const definedCodes: ReadonlySet<number> = new Set([
  -32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022,
]);

/**
 * Throws unless a server may send this message: it meets the definition of its branch in the schema
 * of revision 2026-07-28, has no member that JSON-RPC does not know, and its error code is defined.
 */
export function assertWire(message: unknown): asserts message is ServerMessage {
  const problem = findProblem(message as Partial<ServerMessage>);
  if (problem !== undefined) {
    throw new Error(`${problem}: ${JSON.stringify(message)?.slice(0, 1000)}`);
  }
}

function findProblem(message: Partial<ServerMessage>): string | undefined {
  if (message.method !== undefined) {
    const branch = notificationBranches[message.method];
    if (branch === undefined) return "the server may not send this method";
    return violation(branch, message) ?? unknownMember(message, ["method", "params"]);
  }
  if (message.error !== undefined) {
    const { code } = message.error;
    if (code >= -32768 && code <= -32000 && !definedCodes.has(code)) return "undefined code";
    const branch = errorBranches[code] ?? "JSONRPCErrorResponse";
    return violation(branch, message) ?? unknownMember(message, ["id", "error"]);
  }
  const broken = violation("JSONRPCResultResponse", message);
  if (broken !== undefined) return broken;
  const branch = Object.entries(resultBranches).find(([key]) => key in (message.result ?? {}));
  if (branch === undefined) return "the result is of no known kind";
  return violation(branch[1], message.result) ?? unknownMember(message, ["id", "result"]);
}

function violation(branch: string, value: unknown): string | undefined {
  const validate = validatorOf(branch);
  return validate(value) ? undefined : `breaks ${branch}, ${ajv.errorsText(validate.errors)}`;
}

function unknownMember(message: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(message).find((key) => key !== "jsonrpc" && !known.includes(key));
  return unknown === undefined ? undefined : `the member ${unknown} does not belong here`;
}
