import type { Operation, ToolPage } from "../../core/operation.ts";
import type { Engine } from "../engine.ts";
import { invalidCursor } from "../pagination.ts";
import type { ServedTool } from "../served-tool.ts";
import type { ServerRequest } from "../server-request.ts";
import { mayCall } from "./call-tool.ts";

/** How many decisions a list asks for at once. */
const atOnce = 16;

type ListTools = Extract<Operation, { kind: "listTools" }>;

/** The tools that the caller may call, by name, page by page. spec: TOOL-2, TOOL-3 */
export async function listTools(
  engine: Engine,
  request: ServerRequest,
  { cursor }: ListTools,
): Promise<ToolPage> {
  const { tools, authorize, limits } = engine;
  if (cursor !== undefined && cursor.length > limits.cursorBytes) throw invalidCursor();
  if (authorize === undefined) return tools.page(cursor);
  const all = [...tools.byName.values()];
  const visible: ServedTool[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    const { reason } = request.call.cancellation;
    if (reason !== undefined) throw reason;
    const some = all.slice(start, start + atOnce);
    const decisions = await Promise.all(some.map((tool) => mayCall(engine, request, tool)));
    visible.push(...some.filter((_, index) => decisions[index] === true));
  }
  return tools.pageOf(visible, cursor);
}
