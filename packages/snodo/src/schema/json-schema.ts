import { Build, Check as interpret, Errors, Meta } from "typebox/schema";
import { Settings } from "typebox/system";
import type { JsonObject, JsonProblem } from "../json/value.ts";
import { isSchemaObject, type SchemaDocument } from "./document.ts";
import { explain } from "./explain.ts";
import { guardSchema, readBounded, type GuardedSchema, type GuardOptions } from "./guard.ts";
import { prepareSchema, type PrepareOptions } from "./prepare.ts";
import { rules } from "./rules.ts";
import type { Check, Validator } from "./validator.ts";

/** Options of {@link jsonSchema}. */
export interface JsonSchemaOptions {
  /**
   * `false` for schemas of others, such as the output schemas that a client reads: no code is generated
   * and patterns that could backtrack are refused. Default `true`.
   */
  readonly trusted?: boolean;
  /**
   * `false` never tries to generate code, for runtimes that forbid it (they are also noticed). The
   * verdicts are the same, the check is slower. Default `true`.
   */
  readonly eval?: boolean;
  /** Whether `format` is enforced; JSON Schema says that it is an annotation. Default `"annotation"`. */
  readonly formats?: "annotation" | "assert";
  /** Documents that a `$ref` may name, by absolute URI. The two meta-schemas are always there. */
  readonly schemas?: Readonly<Record<string, JsonObject>>;
  /**
   * Work after which a value counts as invalid, where no code is generated and while problems are
   * listed: a schema that meets a value costs about 3 steps, a reference 30. Default 400,000, which is
   * about a fifth of a second.
   */
  readonly maxSteps?: number;
}

/**
 * Enforces all of JSON Schema 2020-12 (the default) and draft-07 (with an explicit `$schema`), except
 * `$vocabulary` and, unless asked for, `format`. Throws {@link SchemaError} for what the guard refuses: other
 * dialects, malformed keywords, references that lead nowhere or outside, and schemas that cost too
 * much. Never fetches anything. A value that is nested too deeply to be checked is invalid.
 */
export function jsonSchema(options: JsonSchemaOptions = {}): Validator {
  const guardOptions: GuardOptions = {
    trusted: options.trusted ?? true,
    findDocument: documentFinder(options.schemas ?? {}),
  };
  return Object.freeze({
    name: "jsonSchema",
    inspect: (schema: JsonObject) => void guardSchema(schema, guardOptions),
    compile: (schema: JsonObject) => compile(guardSchema(schema, guardOptions), options),
  });
}

function documentFinder(
  schemas: Readonly<Record<string, JsonObject>>,
): (uri: string) => SchemaDocument | undefined {
  const registered = new Map<string, unknown>([
    ...Object.entries(Meta).map(([uri, schema]): [string, unknown] => [
      uri.replace("#", ""),
      schema,
    ]),
    ...Object.entries(schemas),
  ]);
  const read = new Map<string, SchemaDocument>();
  return (uri) => {
    const known = read.get(uri);
    const schema = registered.get(uri);
    if (known !== undefined || !isSchemaObject(schema)) return known;
    const document = readBounded(schema, uri);
    read.set(uri, document);
    return document;
  };
}

function compile(guarded: GuardedSchema, options: JsonSchemaOptions): Check {
  const steps = new Steps(options.maxSteps ?? 400_000);
  const assertFormats = options.formats === "assert";
  const counted = prepareAll(guarded, { assertFormats, spend: (amount) => steps.spend(amount) });
  const slow: Test = (value) => interpret(counted.context, counted.root, value);
  const mayGenerate =
    options.trusted !== false &&
    options.eval !== false &&
    guarded.document.nodes.size <= maxGenerated;
  const isValid = mayGenerate ? accelerate(prepareAll(guarded, { assertFormats }), slow) : slow;
  return (value) => {
    try {
      steps.reset();
      if (isValid(value)) return none;
    } catch (error) {
      if (error instanceof RangeError) return [{ path: [], rule: rules.tooDeep() }];
      if (error === outOfSteps) return [{ path: [], rule: rules.tooCostly() }];
      throw error;
    }
    steps.reset();
    return explain(listErrors(counted, value), value);
  };
}

// The conditions of one function form a chain; some 900 overflow the parser of the host.
const maxGenerated = 250;

const none: readonly JsonProblem[] = Object.freeze([]);
const outOfSteps: Error = new Error("out of steps");

class Steps {
  readonly #limit: number;
  #left = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  reset(): void {
    this.#left = this.#limit;
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw outOfSteps;
  }
}

interface Prepared {
  readonly root: object;
  readonly context: Record<string, object>;
}

function prepareAll({ document, others }: GuardedSchema, options: PrepareOptions): Prepared {
  // Without a prototype, or a reference to `toString` would find a function.
  const context: Record<string, object> = Object.create(null);
  for (const [uri, other] of others) context[uri] = prepareSchema(other, options);
  return { root: prepareSchema(document, options), context };
}

type Test = (value: unknown) => boolean;

/** `slow` as generated code; the host may forbid code, or overflow while it parses a deep one. */
function accelerate({ root, context }: Prepared, slow: Test): Test {
  const compiled = unlessTooDeep(() => Build(context, root).Evaluate());
  // Without code the engine would share state between calls; see its CreateDynamicCheck.
  if (!compiled?.IsAccelerated()) return slow;
  return (value) => unlessTooDeep(() => compiled.Check(value)) ?? slow(value);
}

function unlessTooDeep<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

// Raised for this call only, because alternatives fill the list before their summary comes.
const maxListed = 10_000;

function listErrors({ root, context }: Prepared, value: unknown): ReturnType<typeof Errors>[1] {
  const { maxErrors } = Settings.Get();
  try {
    Settings.Set({ maxErrors: maxListed });
    return Errors(context, root, value)[1];
  } catch (error) {
    // That the value is invalid is known already; only the details are lost.
    if (error instanceof RangeError || error === outOfSteps) return [];
    throw error;
  } finally {
    Settings.Set({ maxErrors });
  }
}
