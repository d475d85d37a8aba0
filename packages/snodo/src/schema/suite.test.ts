import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { jsonSchema, type JsonSchemaOptions } from "./json-schema.ts";

// The official suite, see LICENSE there; all of it that concerns the two dialects.
const suite = new URL("../../test-data/json-schema-suite/", import.meta.url);

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[];
}

type Dialect = "draft2020-12" | "draft7";
type Part = "" | "/optional" | "/optional/format";

interface Score {
  readonly passed: number;
  readonly total: number;
  /** How many tests of a group did not pass, by file and group. */
  readonly missed: Readonly<Record<string, number>>;
}

const unknownReferences = Object.fromEntries(
  [
    "reference internals of known non-applicator",
    "reference of a root arbitrary keyword ",
    "reference of a root arbitrary keyword with encoded ref",
    "reference of an arbitrary keyword of a sub-schema",
    "reference of an arbitrary keyword of a sub-schema with encoded ref",
  ].map((group) => [`refOfUnknownKeyword: ${group}`, 2]),
);

// Refused on purpose: custom dialects, dialects other than these two, references into annotations.
const expected: readonly (readonly [Dialect, Part, Score])[] = [
  [
    "draft2020-12",
    "",
    {
      passed: 1294,
      total: 1299,
      missed: {
        "vocabulary: schema that uses custom metaschema with with no validation vocabulary": 3,
        "vocabulary: ignore unrecognized optional vocabulary": 2,
      },
    },
  ],
  [
    "draft2020-12",
    "/optional",
    {
      passed: 147,
      total: 162,
      missed: {
        "cross-draft: refs to historic drafts are processed as historic drafts": 1,
        "format-assertion: schema that uses custom metaschema with format-assertion: false": 2,
        "format-assertion: schema that uses custom metaschema with format-assertion: true": 2,
        ...unknownReferences,
      },
    },
  ],
  [
    "draft2020-12",
    "/optional/format",
    { passed: 763, total: 764, missed: { "iri: validation of IRIs": 1 } },
  ],
  [
    "draft7",
    "",
    {
      passed: 926,
      total: 927,
      // A valid value is refused: the engine loses a base URI that changes twice.
      missed: { "refRemote: base URI change - change folder in subschema": 1 },
    },
  ],
  [
    "draft7",
    "/optional",
    {
      passed: 112,
      total: 118,
      missed: {
        "content: validation of string-encoded content based on media type": 1,
        "content: validation of binary string-encoding": 1,
        "content: validation of binary-encoded media type documents": 2,
        "cross-draft: refs to future drafts are processed as future drafts": 2,
      },
    },
  ],
  [
    "draft7",
    "/optional/format",
    { passed: 675, total: 676, missed: { "iri: validation of IRIs": 1 } },
  ],
];

// These patterns of property names could take quadratic time in the engine of the host.
const missedUntrusted = {
  "patternProperties: patternProperties validates properties matching a regex": 7,
};

test.each(expected)(
  "%s%s passes as counted, in generated code and without",
  (dialect, part, score) => {
    expect(run(dialect, part, {})).toEqual(score);
    expect(run(dialect, part, { eval: false })).toEqual(score);
  },
);

test.each(expected)(
  "%s%s passes as counted for schemas that are not trusted",
  (dialect, part, score) => {
    const missed = part === "" ? { ...score.missed, ...missedUntrusted } : score.missed;
    const passed = part === "" ? score.passed - 7 : score.passed;

    expect(run(dialect, part, { trusted: false })).toEqual({ ...score, passed, missed });
  },
);

function run(dialect: Dialect, part: Part, options: JsonSchemaOptions): Score {
  const formats = part === "/optional/format" ? "assert" : "annotation";
  const validator = jsonSchema({ ...options, formats, schemas: remotes(dialect) });
  const missed: Record<string, number> = {};
  let total = 0;
  let passed = 0;
  for (const { file, group } of groups(`tests/${dialect}${part}/`)) {
    const verdicts = verdictsOf(() => validator.compile(withDialect(group.schema, dialect)), group);
    const good = group.tests.filter((each, index) => verdicts[index] === each.valid).length;
    total += group.tests.length;
    passed += good;
    const name = `${file.replace(".json", "")}: ${group.description}`;
    if (good < group.tests.length) missed[name] = group.tests.length - good;
  }
  return { passed, total, missed };
}

function verdictsOf(
  compile: () => (value: unknown) => readonly unknown[],
  group: Group,
): readonly boolean[] {
  try {
    const check = compile();
    return group.tests.map(({ data }) => check(data).length === 0);
  } catch {
    return [];
  }
}

function groups(folder: string): readonly { readonly file: string; readonly group: Group }[] {
  return readdirSync(new URL(folder, suite))
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const all: readonly Group[] = readJson(folder + file);
      return all.map((group) => ({ file, group }));
    });
}

function remotes(dialect: Dialect): Record<string, JsonObject> {
  const files = readdirSync(new URL("remotes/", suite), { recursive: true, encoding: "utf8" });
  const known = files.filter(
    (file) => file.endsWith(".json") && (!file.startsWith("draft") || file.startsWith(dialect)),
  );
  return Object.fromEntries(
    known.map((file) => [
      `http://localhost:1234/${file}`,
      withDialect(readJson(`remotes/${file}`), dialect),
    ]),
  );
}

/** Tools hold schema objects only, and draft-07 only when they say so. */
function withDialect(schema: JsonObject | boolean, dialect: Dialect): JsonObject {
  const object = typeof schema === "boolean" ? { allOf: [schema] } : schema;
  const isNamed = dialect === "draft2020-12";
  return isNamed ? object : { $schema: "http://json-schema.org/draft-07/schema#", ...object };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, suite), "utf8")) as T;
}
