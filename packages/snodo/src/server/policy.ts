import { RpcError } from "../jsonrpc/error.ts";
import type { Auth, Context } from "../core/context.ts";
import type { ToolDefinition } from "../core/tool.ts";

/** What a policy decides about: one use of one component by one caller. */
export interface PolicyRequest {
  /** The use. Lists ask about the same use, so that what is listed is exactly what can be called. */
  readonly action: "call";
  readonly component: {
    readonly kind: "tool";
    readonly name: string;
    readonly definition: ToolDefinition;
  };
  readonly auth: Auth | undefined;
  readonly ctx: Context;
}

/**
 * `true` allows. `false` hides: the caller is told what it would be told if the component did not
 * exist. `deny` refuses openly with a message or an error of your own. `scopes` refuses and says which
 * scopes are needed; over HTTP that is a 403 with a challenge. Only what is allowed is listed.
 */
export type PolicyDecision =
  | boolean
  | { readonly deny: string | RpcError }
  | { readonly scopes: readonly string[] };

/** One policy for every operation. A throw refuses. */
export type Authorize = (request: PolicyRequest) => PolicyDecision | Promise<PolicyDecision>;

/** The error for a decision that is not `true`; `hidden` is what a missing component would give. */
export function refusal(decision: Exclude<PolicyDecision, true>, hidden: RpcError): RpcError {
  if (decision === false) return hidden;
  if ("scopes" in decision) {
    const { scopes } = decision;
    return RpcError.forbidden(`Needs the scopes: ${scopes.join(" ")}`, { requiredScopes: scopes });
  }
  return decision.deny instanceof RpcError ? decision.deny : RpcError.forbidden(decision.deny);
}
