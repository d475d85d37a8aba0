import type { JsonObject } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { scanHeaderAnnotations } from "../schema/header-annotations.ts";
import type { HeaderAnnotation } from "../schema/header-annotations.ts";
import { assertConvertible, isStandardSchema, toJsonSchema, toParser } from "../schema/standard.ts";
import type { Parser, Side } from "../schema/standard.ts";
import { SchemaError } from "../schema/validator.ts";
import { freezeJsonObject } from "./checks.ts";
import type { Subject } from "./checks.ts";
import { DefinitionError } from "./errors.ts";
import type { ObjectSchema } from "./tool.ts";

/** A checked schema, frozen. */
export interface CheckedSchema {
  readonly schema: JsonObject;
}

/** A schema as it is published, and the library's check if a library made it. */
export interface Published<Checked extends CheckedSchema> {
  /** Throws {@link DefinitionError} when a library's schema turns out not to be usable. */
  read(): Checked;
  readonly parse: Parser | undefined;
}

/** An input schema and what follows from it. */
export interface CheckedInput extends CheckedSchema {
  readonly schema: ObjectSchema & JsonObject;
  readonly required: readonly string[];
  readonly mirrors: readonly HeaderAnnotation[];
}

/**
 * Prepares an input schema: a raw JSON Schema is checked and copied at once, a Standard Schema is
 * converted when it is first read. Throws {@link DefinitionError}.
 */
export function publishInput(component: string, source: unknown): Published<CheckedInput> {
  return publish(source, { component, place: "/inputSchema", side: "input", check: checkInput });
}

/** Like {@link publishInput}, for an output schema: it may be absent and have any type at the root. */
export function publishOutput(
  component: string,
  source: unknown,
): Published<CheckedSchema> | undefined {
  if (source === undefined) return undefined;
  return publish(source, {
    component,
    place: "/outputSchema",
    side: "output",
    check: (schema, subject) => ({ schema: freezeJsonObject(schema, subject) }),
  });
}

interface Rules<Checked> extends Subject {
  readonly side: Side;
  readonly check: (schema: unknown, subject: Subject) => Checked;
}

function publish<Checked extends CheckedSchema>(
  source: unknown,
  rules: Rules<Checked>,
): Published<Checked> {
  if (!isStandardSchema(source)) {
    const checked = rules.check(source, rules);
    return { read: () => checked, parse: undefined };
  }
  naming(rules, () => assertConvertible(source));
  let checked: Checked | undefined;
  const read = (): Checked => {
    checked ??= rules.check(
      naming(rules, () => toJsonSchema(source, rules.side)),
      rules,
    );
    return checked;
  };
  return { read, parse: toParser(source) };
}

function naming<T>({ component, place }: Subject, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new DefinitionError(component, place, error.message, { cause: error.cause ?? error });
  }
}

function checkInput(source: unknown, subject: Subject): CheckedInput {
  const { component, place } = subject;
  const schema = freezeJsonObject(source, subject);
  if (!isObjectSchema(schema)) {
    const fix = 'put it into one, for example { type: "object", properties: { input: … } }';
    throw new DefinitionError(component, `${place}/type`, `must be exactly "object"; ${fix}`);
  }
  const { annotations, problem } = scanHeaderAnnotations(schema);
  if (problem !== undefined) {
    throw new DefinitionError(component, place + toPointer(problem.path), problem.rule);
  }
  return { schema, required: readRequired(schema), mirrors: Object.freeze(annotations) };
}

function isObjectSchema(schema: JsonObject): schema is ObjectSchema & JsonObject {
  return Object.hasOwn(schema, "type") && schema["type"] === "object";
}

function readRequired({ required }: JsonObject): readonly string[] {
  if (!Array.isArray(required)) return [];
  return required.filter((name): name is string => typeof name === "string");
}
