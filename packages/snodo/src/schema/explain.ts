import type { TValidationError } from "typebox/error";
import { isObject, type JsonProblem } from "../json/value.ts";
import { rules } from "./rules.ts";
import { maxProblems } from "./validator.ts";

/** A problem that still knows where in the schema it comes from. */
interface Finding {
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly rule: string;
  /** For `type`: the names that were expected. */
  readonly types?: readonly string[];
}

/**
 * Turns the errors of the engine into at most ten problems, in the words of the basic validator. The
 * failed alternatives of an `anyOf` or `oneOf` become one line.
 */
export function explain(errors: readonly TValidationError[], value: unknown): JsonProblem[] {
  const findings: Finding[] = [];
  for (const error of errors) addFindings(findings, error, value);
  if (findings.length === 0) return [{ path: [], rule: rules.mismatch() }];
  return findings.slice(0, maxProblems).map(({ instancePath, rule }) => ({
    path: locate(instancePath, value).path,
    rule,
  }));
}

function addFindings(findings: Finding[], error: TValidationError, value: unknown): void {
  const { schemaPath, instancePath } = error;
  const add = (rule: string): void => void findings.push({ schemaPath, instancePath, rule });
  switch (error.keyword) {
    // The problem of each property is in the list already.
    case "additionalProperties":
    case "propertyNames":
      return;
    case "if":
      if (error.params.failingKeyword === "then") add(rules.if("then"));
      return;
    case "anyOf":
    case "oneOf":
      return summarise(findings, error, value);
    case "unevaluatedProperties":
      return addAt(findings, error, error.params.unevaluatedProperties);
    case "unevaluatedItems":
      return addAt(findings, error, error.params.unevaluatedItems);
    case "type": {
      const types = [error.params.type].flat();
      const rule = nameRule(schemaPath, rules.type(types, found(error, value)));
      findings.push({ schemaPath, instancePath, rule, types });
      return;
    }
    default:
      add(nameRule(schemaPath, sentence(error)));
  }
}

function addAt(findings: Finding[], error: TValidationError, keys: readonly PropertyKey[]): void {
  const rule =
    error.keyword === "unevaluatedItems" ? rules.unexpectedItem() : rules.unknownProperty();
  for (const key of keys) {
    const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
    const instancePath = `${error.instancePath}/${token}`;
    findings.push({ schemaPath: error.schemaPath, instancePath, rule });
  }
}

type SimpleError = Exclude<
  TValidationError,
  {
    keyword:
      | "additionalProperties"
      | "propertyNames"
      | "if"
      | "anyOf"
      | "oneOf"
      | "unevaluatedProperties"
      | "unevaluatedItems"
      | "type";
  }
>;

function sentence(error: SimpleError): string {
  switch (error.keyword) {
    case "boolean":
      return forbidden(error.schemaPath);
    case "const":
      return rules.const(error.params.allowedValue);
    case "enum":
      return rules.enum(error.params.allowedValues);
    case "required":
      return rules.required(error.params.requiredProperties);
    case "dependencies":
    case "dependentRequired":
      return rules.dependentRequired(error.params.property, error.params.dependencies);
    case "contains":
      return rules.contains(error.params.minContains, error.params.maxContains);
    case "multipleOf":
      return rules.multipleOf(Number(error.params.multipleOf));
    case "pattern":
      return rules.pattern(String(error.params.pattern));
    case "format":
      return rules.format(error.params.format);
    case "not":
    case "uniqueItems":
      return rules[error.keyword]();
    case "~refine":
      return error.params.message;
    default:
      return rules[error.keyword](Number(error.params.limit));
  }
}

function forbidden(schemaPath: string): string {
  if (schemaPath.endsWith("/additionalProperties")) return rules.unknownProperty();
  if (/\/(?:items|additionalItems)$/.test(schemaPath)) return rules.unexpectedItem();
  return rules.forbidden();
}

/** Under `propertyNames` it is the name that fails, not the property. */
function nameRule(schemaPath: string, rule: string): string {
  return isAboutName(schemaPath) ? `has a name that ${rule}` : rule;
}

function isAboutName(schemaPath: string): boolean {
  return /\/propertyNames(?:\/|$)/.test(schemaPath);
}

function found(error: TValidationError, value: unknown): unknown {
  return isAboutName(error.schemaPath) ? "" : locate(error.instancePath, value).value;
}

/** Replaces what the alternatives found by one line. */
function summarise(
  findings: Finding[],
  error: Extract<TValidationError, { keyword: "anyOf" | "oneOf" }>,
  value: unknown,
): void {
  const { schemaPath, instancePath, keyword } = error;
  const prefix = `${schemaPath}/${keyword}/`;
  const start = findings.findLastIndex((finding) => !finding.schemaPath.startsWith(prefix)) + 1;
  const firsts = new Map<string, Finding>();
  for (const finding of findings.splice(start)) {
    const [branch = ""] = finding.schemaPath.slice(prefix.length).split("/");
    if (!firsts.has(branch)) firsts.set(branch, finding);
  }
  const branches = [...firsts.values()];
  const types = branches.flatMap((branch) => branch.types ?? []);
  const isAboutType = branches.every(
    (branch) => branch.types !== undefined && branch.instancePath === instancePath,
  );
  const matching = keyword === "oneOf" ? error.params.passingSchemas.length : 0;
  if (matching === 0 && isAboutType && types.length > 0) {
    const rule = rules.type([...new Set(types)], found(error, value));
    findings.push({ schemaPath, instancePath, rule, types });
    return;
  }
  const sentences = branches.map((branch) =>
    `${branch.instancePath.slice(instancePath.length)} ${branch.rule}`.trimStart(),
  );
  const rule = matching > 0 ? rules.oneOf(matching) : rules.anyOf(sentences);
  findings.push({ schemaPath, instancePath, rule });
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Follows a JSON Pointer into the value; indexes of arrays become numbers. */
function locate(pointer: string, root: unknown): Place {
  const path: (string | number)[] = [];
  let value = root;
  for (const escaped of pointer.split("/").slice(1)) {
    const token = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(value) ? Number(token) : token);
    if (Array.isArray(value)) value = value[Number(token)];
    else value = isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }
  return { path, value };
}
