import { isObject } from "../json/value.ts";
import {
  checkIcons,
  checkMeta,
  checkName,
  checkOptionalString,
  describeComponent,
  freezeJsonObject,
  present,
} from "./checks.ts";
import { DefinitionError } from "./errors.ts";
import { longestTimerMs } from "./limits.ts";
import type { DefinedTool, InputSource, NoInput, OutputSource, ToolOptions } from "./infer.ts";
import type { AnyToolReturn } from "./result.ts";
import { publishInput, publishOutput } from "./tool-schemas.ts";
import type { CheckedInput, CheckedSchema, Published } from "./tool-schemas.ts";
import type { AnyTool, CompiledTool, ToolDefinition } from "./tool.ts";

export { isPortableName } from "./checks.ts";

/**
 * A tool as a plain frozen value; the schemas are copies, so that later changes of the originals have
 * no effect. Types follow from the schemas: the arguments of `call`, what it must return, and what a
 * typed client sends and gets. Throws {@link DefinitionError} for the first rule that is broken;
 * the JSON Schema of a library's schema is made and checked when `inputSchema` is first read, at the
 * latest when a server is created.
 */
export function tool<
  const Name extends string,
  Returned extends AnyToolReturn,
  const Input extends InputSource = NoInput,
  const Output extends OutputSource | undefined = undefined,
>(options: ToolOptions<Name, Input, Output, Returned>): DefinedTool<Name, Input, Output, Returned> {
  return buildTool(options) as DefinedTool<Name, Input, Output, Returned>;
}

/**
 * What a tool says about itself, independent of any protocol revision and frozen. Throws
 * {@link DefinitionError} for the first rule that the tool breaks, made by `tool()` or by hand.
 */
export function definition(tool: AnyTool): ToolDefinition {
  return compileTool(tool).definition;
}

/** Checks a tool, made by `tool()` or by hand, and makes it ready. Throws {@link DefinitionError}. */
export function compileTool(tool: AnyTool): CompiledTool {
  const about = readAbout(tool);
  const component = describeComponent("tool", about.name);
  readHandlers(component, tool);
  const { [partsKey]: parts }: object & { readonly [partsKey]?: Parts } = tool;
  const { inputSchema, outputSchema } = tool;
  const input = ownPart(parts?.input, inputSchema) ?? publishInput(component, inputSchema);
  const output = ownPart(parts?.output, outputSchema) ?? publishOutput(component, outputSchema);
  const { schema, required, mirrors } = input.read();
  return Object.freeze({
    definition: arrange(about, schema, output?.read().schema),
    tool,
    required,
    mirrors,
    parseInput: input.parse,
    parseOutput: output?.parse,
    renderText: parts?.renderText,
    timeoutMs: parts?.timeoutMs,
  });
}

/** What `tool()` keeps beside the public members of a tool. */
interface Parts {
  readonly input: Published<CheckedInput>;
  readonly output: Published<CheckedSchema> | undefined;
  readonly renderText: ((data: unknown) => string) | undefined;
  readonly timeoutMs: number | undefined;
}

// Registered, so that a tool made by another copy of snodo keeps its checks.
const partsKey: unique symbol = Symbol.for("snodo.tool.1");

/** Undefined for a copy of a tool that was given another schema: the old checks do not fit it. */
function ownPart<Part extends Published<CheckedSchema>>(
  part: Part | undefined,
  schema: unknown,
): Part | undefined {
  return part !== undefined && part.read().schema === schema ? part : undefined;
}

type UntypedOptions = { readonly [Option in keyof ToolOptions]?: unknown };

const noInput = Object.freeze({ type: "object" as const });

function buildTool(options: UntypedOptions): object {
  const about = readAbout(options);
  const component = describeComponent("tool", about.name);
  refuseUnknownOptions(component, options);
  const input = publishInput(component, options.input === undefined ? noInput : options.input);
  const output = publishOutput(component, options.output);
  const parts: Parts = {
    input,
    output,
    renderText: checkText(component, options.text),
    timeoutMs: checkTimeout(component, options.timeoutMs),
  };
  const value = {
    ...arrange(about, noInput, output && noInput),
    annotations: about.annotations,
    ...readHandlers(component, options),
    [partsKey]: parts,
  };
  // A library's schema is converted when it is first read: loading a module stays cheap.
  Object.defineProperty(value, "inputSchema", { get: () => input.read().schema });
  if (output) Object.defineProperty(value, "outputSchema", { get: () => output.read().schema });
  return Object.freeze(value);
}

const optionNames = {
  name: true,
  title: true,
  description: true,
  icons: true,
  input: true,
  output: true,
  annotations: true,
  meta: true,
  use: true,
  text: true,
  timeoutMs: true,
  call: true,
} as const satisfies Record<keyof ToolOptions, true>;

function refuseUnknownOptions(component: string, options: UntypedOptions): void {
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(optionNames, key));
  if (unknown === undefined) return;
  const known = Object.keys(optionNames).join(", ");
  throw new DefinitionError(component, `/${unknown}`, `is not an option; the options are ${known}`);
}

type About = Omit<ToolDefinition, "inputSchema" | "outputSchema">;

function readAbout(source: UntypedOptions): About {
  if (!isObject(source)) {
    throw new DefinitionError("tool", "", "must be an object with name, inputSchema and call");
  }
  const name = checkName("tool", source.name);
  const component = describeComponent("tool", name);
  const { title, description, icons, annotations, meta } = source;
  return present<About>({
    name,
    title: checkOptionalString(title, { component, place: "/title" }),
    description: checkOptionalString(description, { component, place: "/description" }),
    icons: icons === undefined ? undefined : checkIcons(icons, { component, place: "/icons" }),
    annotations: freezeJsonObject(annotations === undefined ? {} : annotations, {
      component,
      place: "/annotations",
    }),
    meta: meta === undefined ? undefined : checkMeta(meta, { component, place: "/meta" }),
  });
}

function arrange(
  about: About,
  inputSchema: ToolDefinition["inputSchema"],
  outputSchema: ToolDefinition["outputSchema"],
): ToolDefinition {
  const { name, title, description, icons, annotations, meta } = about;
  return Object.freeze(
    present<ToolDefinition>({
      name,
      title,
      description,
      icons,
      inputSchema,
      outputSchema,
      annotations,
      meta,
    }),
  );
}

function readHandlers(component: string, source: UntypedOptions): object {
  const { use, call } = source;
  if (typeof call !== "function") {
    throw new DefinitionError(component, "/call", "must be a function (args, ctx) => result");
  }
  if (use === undefined) return { call };
  if (!Array.isArray(use) || !use.every((layer) => typeof layer === "function")) {
    throw new DefinitionError(component, "/use", "must be an array of middleware functions");
  }
  return { use: Object.freeze([...use]), call };
}

function checkTimeout(component: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 1 && value <= longestTimerMs) return value;
  throw new DefinitionError(component, "/timeoutMs", `must be 1 to ${longestTimerMs} milliseconds`);
}

function checkText(component: string, value: unknown): Parts["renderText"] {
  if (value === undefined || isRenderer(value)) return value;
  throw new DefinitionError(component, "/text", "must be a function (data) => string");
}

function isRenderer(value: unknown): value is (data: unknown) => string {
  return typeof value === "function";
}
