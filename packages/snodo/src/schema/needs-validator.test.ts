import { expect, test } from "vitest";
import { needsValidator } from "./needs-validator.ts";

test.each([
  { type: "object" },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { $schema: "x", $id: "y", $comment: "z", title: "t", description: "d", deprecated: true },
  { properties: { a: { format: "date", default: 1, examples: [1], readOnly: true, "x-y": {} } } },
  { properties: { minLength: { type: "integer" } } },
  { properties: { a: true }, $defs: { b: { minLength: 1 } } },
  { default: { minLength: 1 }, examples: [{ enum: [1] }], unknown: { pattern: "a" } },
])("is content without a validator for %j [T10]", (schema) => {
  expect(needsValidator(schema)).toBe(false);
});

test.each([
  { additionalProperties: false },
  { properties: { a: { type: "string", minLength: 1 } } },
  { properties: { a: { properties: { b: { enum: [1] } } } } },
  { properties: { a: { $ref: "#/$defs/a" } } },
  { properties: { a: { items: { type: "string" } } } },
  { properties: { a: false } },
  { anyOf: [{ required: ["a"] }] },
  { dependentRequired: { a: ["b"] } },
])("asks for a validator for %j [T10]", (schema) => {
  expect(needsValidator(schema)).toBe(true);
});
