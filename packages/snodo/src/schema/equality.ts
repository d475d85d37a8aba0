/**
 * A text that is the same for two JSON values exactly when JSON Schema calls them equal: key order does
 * not matter, `1` equals `1.0`. Linear in the size of the value, apart from sorting keys.
 */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
  return `{${members.join(",")}}`;
}

/** True when two items are equal in the sense of JSON Schema. Not quadratic, whatever the items are. */
export function hasDuplicates(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  const seenContainers = new Set<string>();
  for (const item of items) {
    if (typeof item === "object" && item !== null) seenContainers.add(canonical(item));
    else seen.add(item);
  }
  return seen.size + seenContainers.size < items.length;
}

/** A test for equality with one value of `allowed`; containers are compared by content. */
export function equalsAny(allowed: readonly unknown[]): (value: unknown) => boolean {
  const primitives = new Set<unknown>();
  const containers = new Set<string>();
  for (const item of allowed) {
    if (typeof item === "object" && item !== null) containers.add(canonical(item));
    else primitives.add(item);
  }
  if (containers.size === 0) return (value) => primitives.has(value);
  return (value) =>
    typeof value === "object" && value !== null
      ? containers.has(canonical(value))
      : primitives.has(value);
}
