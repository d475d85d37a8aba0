import type { Implementation } from "./implementation.ts";
import type { ToolResult } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

/** What a request asks for, the same in every revision. */
export type Operation =
  | { readonly kind: "discover" }
  | { readonly kind: "listTools"; readonly cursor: string | undefined }
  | { readonly kind: "callTool"; readonly name: string; readonly arguments: unknown };

/** How long and by whom a result may be kept. spec: CACHE-1 */
export interface CacheHint {
  /** Milliseconds, a whole number from 0. */
  readonly ttlMs: number;
  /** `"public"` results may be shared between callers. */
  readonly scope: "public" | "private";
}

/** What a server is, as far as a revision needs it to answer. */
export interface ServerFacts {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  /** Served revisions, newest first. */
  readonly versions: readonly string[];
  readonly capabilities: { readonly tools?: object };
  readonly discoverCache: CacheHint;
}

/** One page of the tools that the caller can see. The same page is always the same object. */
export interface ToolPage {
  readonly tools: readonly ToolDefinition[];
  readonly nextCursor: string | undefined;
  readonly cache: CacheHint;
}

/** The result of each operation. */
export interface OperationResults {
  readonly discover: ServerFacts;
  readonly listTools: ToolPage;
  readonly callTool: ToolResult;
}
