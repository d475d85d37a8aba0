/**
 * The JSON Pointer (RFC 6901) of a path, with `~` and `/` escaped: `["a/b", 0]` → `"/a~1b/0"`. The
 * root is the empty string.
 */
export function toPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of path) {
    pointer += `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}
