import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import {
  createServer,
  failure,
  kit,
  RpcError,
  structured,
  text,
  tool,
  withJsonSchema,
} from "snodo";
import type { ArgumentsOf, JsonObject, OutputOf } from "snodo";
import { Type } from "typebox";
import * as v from "valibot";
import { z } from "zod";
import { z as z3 } from "zod3";

import { same } from "./same.ts";

// Handlers get what comes out of a library's schema, callers send what goes in.
const add = tool({
  name: "add",
  input: z.object({ a: z.number(), b: z.number().default(3) }),
  call: (args) => {
    same<typeof args, { a: number; b: number }>(true);
    return { sum: args.a + args.b };
  },
});
same<(typeof add)["name"], "add">(true);
same<ArgumentsOf<typeof add>, { a: number; b?: number | undefined }>(true);
same<OutputOf<typeof add>, { sum: number }>(true);

// Literal JSON Schemas: required, enum, const, $ref, arrays, unions, nested objects.
const forecast = tool({
  name: "forecast",
  input: {
    type: "object",
    properties: {
      city: { type: "string", "x-mcp-header": "City" },
      days: { type: "integer" },
      units: { enum: ["metric", "imperial"] },
      kind: { const: "daily" },
      at: { $ref: "#/$defs/point" },
      tags: { type: "array", items: { type: "string" } },
      key: { anyOf: [{ type: "string" }, { type: "number" }] },
      maybe: { type: ["string", "null"] },
    },
    required: ["city"],
    $defs: {
      point: { type: "object", properties: { lat: { type: "number" } }, required: ["lat"] },
    },
  },
  output: {
    type: "object",
    properties: { degrees: { type: "number" }, unit: { enum: ["C", "F"] } },
    required: ["degrees", "unit"],
  },
  call: async (args) => {
    same<typeof args, Forecast>(true);
    if (args.days === 0) return failure("no days");
    if (args.days === 1) return RpcError.invalidParams("one day");
    if (args.days === 2) return structured({ degrees: 1, unit: "F" });
    return { degrees: 1, unit: "C" };
  },
});
interface Forecast {
  city: string;
  days?: number;
  units?: "metric" | "imperial";
  kind?: "daily";
  at?: { lat: number };
  tags?: string[];
  key?: string | number;
  maybe?: string | null;
}
same<ArgumentsOf<typeof forecast>, Forecast>(true);
same<OutputOf<typeof forecast>, { degrees: number; unit: "C" | "F" }>(true);

// The order of the options does not matter, nor does method syntax.
tool({
  call({ a }, ctx) {
    same<typeof a, number>(true);
    same<typeof ctx.state, unknown>(true);
    return { unit: "C" };
  },
  text: (data) => data.unit,
  output: { type: "object", properties: { unit: { enum: ["C", "F"] } }, required: ["unit"] },
  input: z.object({ a: z.number() }),
  name: "reversed",
});

// Without an input schema arguments are any JSON object, without an output schema results are free.
const free = tool({ name: "free", call: (args) => (same<typeof args, JsonObject>(true), "text") });
same<ArgumentsOf<typeof free>, JsonObject>(true);
same<OutputOf<typeof free>, undefined>(true);
tool({ name: "nothing", call: () => {} });
tool({ name: "list", call: async () => [1, "a", null] });
const maybe = tool({ name: "m", call: () => (Math.random() > 1 ? failure("x") : { n: 1 }) });
same<OutputOf<typeof maybe>, { n: number }>(true);
tool({ name: "open", input: { type: "object" }, call: (args) => Object.keys(args) });

// Other libraries.
tool({
  name: "valibot",
  input: toStandardJsonSchema(v.object({ a: v.optional(v.number(), 3) })),
  call: ({ a }) => same<typeof a, number>(true),
});
tool({
  name: "arktype",
  input: type({ a: "number", "b?": "string" }),
  call: (args) => same<typeof args, { a: number; b?: string }>(true),
});
tool({
  name: "typebox",
  input: Type.Object({ a: Type.Number(), b: Type.Optional(Type.String()) }),
  call: (args) => same<typeof args, { a: number; b?: string }>(true),
});
tool({
  name: "both",
  input: withJsonSchema(v.object({ a: v.number() }), { type: "object" }),
  call: ({ a }) => same<typeof a, number>(true),
});

// A tool by hand keeps its own types.
const byHand = {
  name: "hand",
  inputSchema: { type: "object" },
  call: async (args: { a: number }) => ({ sum: args.a }),
} as const;
same<ArgumentsOf<typeof byHand>, { a: number }>(true);
same<OutputOf<typeof byHand>, { sum: number }>(true);
createServer({ name: "s", version: "1.0.0", tools: [add, forecast, free, byHand] });

// State comes typed from the kit.
const { tool: toolWithUser, middleware } = kit<{ user: string }>();
const withUser = toolWithUser({
  name: "who",
  input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  use: [middleware((ctx, next) => (same<typeof ctx.state.user, string>(true), next()))],
  call: ({ a }, ctx) => ({ who: ctx.state.user, a }),
});
same<ArgumentsOf<typeof withUser>, { a: number }>(true);
same<OutputOf<typeof withUser>, { who: string; a: number }>(true);

// What does not compile.
const call = (): void => {};
// @ts-expect-error the root is not an object
tool({ name: "t", input: { type: "array" }, call });
// @ts-expect-error the root has no type
tool({ name: "t", input: { properties: {} }, call });
// @ts-expect-error plain valibot gives no JSON Schema
tool({ name: "t", input: v.object({ a: v.number() }), call });
// @ts-expect-error zod 3 gives no JSON Schema
tool({ name: "t", input: z3.object({ a: z3.number() }), call });
// @ts-expect-error the option is called `input`
tool({ name: "t", inputSchema: { type: "object" }, call });
tool({
  name: "t",
  // @ts-expect-error a number has no one plain text
  input: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
  call,
});
tool({
  name: "t",
  input: {
    type: "object",
    // @ts-expect-error nested just the same
    properties: { o: { properties: { a: { type: "null", "x-mcp-header": "A" } } } },
  },
  call,
});
// @ts-expect-error not on the root
tool({ name: "t", input: { type: "object", "x-mcp-header": "A" }, call });
// @ts-expect-error wrong type of a member
tool({ name: "t", output: z.object({ n: z.number() }), call: () => ({ n: "x" }) });
// @ts-expect-error a member is missing
tool({ name: "t", output: z.object({ n: z.number() }), call: async () => ({}) });
// @ts-expect-error structured content of another type
tool({ name: "t", output: z.object({ n: z.number() }), call: () => structured({ n: "x" }) });
// @ts-expect-error text alone is not structured content
tool({ name: "t", output: z.object({ n: z.number() }), call: () => "x" });
// @ts-expect-error a bare string is text, also where the output is a string
tool({ name: "t", output: z.string(), call: () => "x" });
// @ts-expect-error nothing is not structured content
tool({ name: "t", output: z.object({ n: z.number() }), call });
// @ts-expect-error wrong items of a literal output
tool({ name: "t", output: { type: "array", items: { type: "string" } }, call: () => [1] });
// @ts-expect-error JSON has no bigint
tool({ name: "t", call: () => 1n });

tool({ name: "t", output: z.string(), call: () => structured("x") });
tool({
  name: "t",
  output: z.object({ n: z.number() }),
  call: () => text("compiles, for failures built by hand"),
});
