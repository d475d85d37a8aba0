import type { JsonObject } from "../../json/value.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import type { Operation, ServerFacts } from "../../core/operation.ts";

/** One method of this revision. */
export interface MethodRow {
  /** The server capability without which the method is not served. */
  readonly capability?: keyof ServerFacts["capabilities"];
  /** The parameter that the header `Mcp-Name` mirrors. */
  readonly nameParam?: string;
  decode(params: JsonObject): Operation;
}

/** The methods of this revision. spec: 2026-07-28 schema, ClientRequest */
export const methods: Readonly<Record<string, MethodRow>> = {
  "server/discover": { decode: () => ({ kind: "discover" }) },
  "tools/list": {
    capability: "tools",
    decode: ({ cursor }) => {
      if (cursor !== undefined && typeof cursor !== "string") throw notString("cursor");
      return { kind: "listTools", cursor };
    },
  },
  "tools/call": {
    capability: "tools",
    nameParam: "name",
    decode: ({ name, arguments: args }) => {
      if (typeof name !== "string") throw notString("name");
      return { kind: "callTool", name, arguments: args };
    },
  },
};

function notString(name: string): RpcError {
  return RpcError.invalidParams(`params.${name} must be a string`);
}
