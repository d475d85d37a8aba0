import type { JsonObject, JsonProblem } from "../json/value.ts";

/**
 * Checks one value: an empty list means valid, else at most ten problems. A problem's rule may quote
 * the schema, never the value.
 */
export type Check = (value: unknown) => readonly JsonProblem[];

/** How many problems one check reports at the most. */
export const maxProblems = 10;

/**
 * Enforces the keywords of raw JSON Schemas. Bundled: {@link passthrough}, `basic` and, from
 * `snodo/json-schema`, `jsonSchema()`. Any object of this shape can be used instead.
 */
export interface Validator {
  /** Name for messages, for example `"basic"`. */
  readonly name: string;
  /**
   * Called once per schema when the server is created. Throws {@link SchemaError} for a schema that
   * this validator cannot enforce. Must be cheap.
   */
  inspect?(schema: JsonObject): void;
  /** Called at most once per schema, when it is first needed. Throws {@link SchemaError}. */
  compile(schema: JsonObject): Check;
}

/** A schema that a validator cannot enforce: where it is wrong and why. */
export class SchemaError extends Error {
  override readonly name: string = "SchemaError";
  /** JSON Pointer of the place inside the schema; the root is `""`. */
  readonly pointer: string;

  constructor(message: string, pointer: string = "") {
    super(pointer === "" ? message : `${message} (at ${pointer})`);
    this.pointer = pointer;
  }
}

const none: readonly JsonProblem[] = Object.freeze([]);

/**
 * Accepts every value. Required arguments are still enforced by the server; all other keywords are
 * advertised only.
 */
export const passthrough: Validator = Object.freeze({
  name: "passthrough",
  compile: () => () => none,
});
