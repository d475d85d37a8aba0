import { isObject } from "../json/value.ts";
import { checkIcons } from "../core/checks.ts";
import type { Limits } from "../core/limits.ts";
import { allDialects } from "../dialects/index.ts";
import type { ServerOptions } from "./server-options.ts";

/** What is wrong with a value; `undefined` when nothing is. */
type Rule = (value: unknown) => string | undefined;

const must =
  (what: string, test: (value: unknown) => boolean): Rule =>
  (value) =>
    test(value) ? undefined : `must be ${what}`;

const isFunction = (value: unknown): boolean => typeof value === "function";
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const text = must("a non-empty string", isText);
const func = must("a function", isFunction);
const object = must("an object", isObject);
const knownVersions: readonly string[] = allDialects.map((dialect) => dialect.version);

/** Every option; an option without a row does not compile. */
const rules: Readonly<Record<keyof ServerOptions, Rule>> = {
  name: text,
  version: text,
  title: text,
  description: text,
  websiteUrl: text,
  icons: checkIconList,
  instructions: text,
  tools: must("an array", Array.isArray),
  use: must(
    "an array of functions (ctx, next) => …",
    (value) => Array.isArray(value) && value.every(isFunction),
  ),
  authorize: func,
  validator: must(
    "a validator with a method compile, such as basic or jsonSchema()",
    (value) => isObject(value) && isFunction(value["compile"]),
  ),
  protocols: must(
    `a list of supported revisions: ${knownVersions.join(", ")}`,
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((version) => knownVersions.includes(version)),
  ),
  pageSize: must("a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1),
  cache: object,
  limits: object,
  onError: func,
  exposeErrors: must("true or false", (value) => typeof value === "boolean"),
  instrumentation: func,
};

const required: ReadonlySet<string> = new Set(["name", "version"]);

/**
 * Adds a sentence for each option that is unknown, missing or of the wrong kind; gives those that are
 * right, so that the rest can be checked, too.
 */
export function checkOptions(options: ServerOptions, problems: string[]): Partial<ServerOptions> {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(rules, name)) continue;
    problems.push(`${name} is not an option; the options are ${Object.keys(rules).join(", ")}`);
  }
  const usable: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = options[name as keyof ServerOptions];
    if (value === undefined && !required.has(name)) continue;
    const problem = rule(value);
    if (problem === undefined) usable[name] = value;
    else problems.push(`${name} ${problem}`);
  }
  return usable;
}

/** Adds a sentence for each option that does not go with the others. */
export function checkTogether(
  { pageSize = 1, cache = {}, authorize }: Partial<ServerOptions>,
  limits: Limits,
  problems: string[],
): void {
  if (pageSize > limits.pageSize) problems.push(`pageSize must be at most ${limits.pageSize}`);
  for (const [name, hint] of Object.entries(cache)) {
    if (name !== "discover" && name !== "tools") problems.push(`cache.${name} is not a result`);
    else problems.push(...checkCache(name, hint, authorize !== undefined));
  }
}

function checkCache(name: string, hint: unknown, hasPolicy: boolean): string[] {
  if (!isObject(hint)) return [`cache.${name} must be an object with ttlMs and scope`];
  const { ttlMs, scope } = hint;
  const problems: string[] = [];
  if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 0) {
    problems.push(`cache.${name}.ttlMs must be a whole number of milliseconds from 0`);
  }
  if (scope !== "public" && scope !== "private") {
    problems.push(`cache.${name}.scope must be "public" or "private"`);
  }
  if (scope === "public" && hasPolicy && name !== "discover") {
    problems.push(`cache.${name}.scope must be "private" when authorize decides who sees what`);
  }
  return problems;
}

function checkIconList(value: unknown): string | undefined {
  try {
    checkIcons(value, { component: "server", place: "/icons" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
