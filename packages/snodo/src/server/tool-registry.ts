import type { CacheHint, ToolPage } from "../core/operation.ts";
import { invalidCursor, paginate } from "./pagination.ts";
import type { ServedTool } from "./served-tool.ts";

/** How many different visible sets are remembered with their pages. */
const maxVisibleSets = 64;

type Pages = ReadonlyMap<string | undefined, ToolPage>;

interface PageOptions {
  readonly pageSize: number;
  readonly cache: CacheHint;
}

/** The tools of a server by name, and the pages of their lists. */
export class ToolRegistry {
  /** In order of name. */
  readonly byName: ReadonlyMap<string, ServedTool>;
  readonly #options: PageOptions;
  readonly #allPages: Pages;
  readonly #pagesOfSets = new Map<string, Pages>();

  constructor(tools: readonly ServedTool[], options: PageOptions) {
    const sorted = tools.toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
    this.byName = new Map(sorted.map((tool) => [tool.definition.name, tool]));
    this.#options = options;
    this.#allPages = this.#paginate(sorted);
  }

  /** A page of all tools. Throws `RpcError` -32602 for a cursor that is not of this list. */
  page(cursor: string | undefined): ToolPage {
    return pick(this.#allPages, cursor);
  }

  /** A page of the tools that a caller can see; the same set gives the same page objects. */
  pageOf(visible: readonly ServedTool[], cursor: string | undefined): ToolPage {
    const key = JSON.stringify(visible.map((tool) => tool.definition.name));
    let pages = this.#pagesOfSets.get(key);
    if (pages === undefined) {
      pages = this.#paginate(visible);
      const [oldest] = this.#pagesOfSets.keys();
      if (this.#pagesOfSets.size >= maxVisibleSets && oldest !== undefined) {
        this.#pagesOfSets.delete(oldest);
      }
      this.#pagesOfSets.set(key, pages);
    }
    return pick(pages, cursor);
  }

  #paginate(tools: readonly ServedTool[]): Pages {
    const { pageSize, cache } = this.#options;
    const pages = new Map<string | undefined, ToolPage>();
    const definitions = tools.map((tool) => tool.definition);
    for (const { cursor, items, nextCursor } of paginate(definitions, pageSize)) {
      pages.set(cursor, { tools: items, nextCursor, cache });
    }
    return pages;
  }
}

function pick(pages: Pages, cursor: string | undefined): ToolPage {
  const page = pages.get(cursor);
  if (page === undefined) throw invalidCursor();
  return page;
}
