import { RpcError } from "../jsonrpc/error.ts";

/** One page of a list, the cursor that leads to it (none for the first) and the next one. */
export interface Page<Item> {
  readonly cursor: string | undefined;
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

/**
 * Cuts a list into pages. A cursor holds its position and a digest of all names, so that it fits
 * exactly the catalogue it was made for.
 */
export function paginate<Item extends { readonly name: string }>(
  items: readonly Item[],
  pageSize: number,
): readonly Page<Item>[] {
  const digest = digestOf(items.map((item) => item.name));
  const pages: Page<Item>[] = [];
  let cursor: string | undefined;
  for (let start = 0; start === 0 || start < items.length; start += pageSize) {
    const end = start + pageSize;
    const nextCursor = end < items.length ? btoa(`${end}.${digest}`) : undefined;
    pages.push({ cursor, items: items.slice(start, end), nextCursor });
    cursor = nextCursor;
  }
  return pages;
}

/** The error for a cursor that was not made by this catalogue. spec: PAG-2 */
export function invalidCursor(): RpcError {
  return RpcError.invalidParams(
    "params.cursor is not a cursor of this list; list again from the start",
  );
}

// FNV-1a: enough to tell catalogues apart; a forged cursor only reaches what its caller may see anyway.
function digestOf(keys: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of keys.join("\n")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
