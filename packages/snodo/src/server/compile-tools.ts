import { compileTool } from "../core/define-tool.ts";
import type { AnyTool, CompiledTool } from "../core/tool.ts";
import type { Validator } from "../schema/validator.ts";

/**
 * Compiles the tools of a server. Adds a sentence to `problems` for each definition that breaks a
 * rule, each schema that the validator cannot enforce and each name that is taken. The same value
 * twice counts once.
 */
export function compileTools(
  tools: readonly AnyTool[],
  validator: Validator,
  problems: string[],
): readonly CompiledTool[] {
  const compiled = new Map<AnyTool, CompiledTool>();
  const owners = new Map<string, number>();
  tools.forEach((tool, index) => {
    if (compiled.has(tool)) return;
    try {
      const entry = compileTool(tool);
      const { name } = entry.definition;
      const owner = owners.get(name);
      if (owner !== undefined) {
        problems.push(`tools[${index}]: the name "${name}" is taken by tools[${owner}]`);
      }
      owners.set(name, index);
      inspect(entry, validator);
      compiled.set(tool, entry);
    } catch (error) {
      problems.push(`tools[${index}]: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return [...compiled.values()];
}

function inspect(tool: CompiledTool, validator: Validator): void {
  const { name, inputSchema, outputSchema } = tool.definition;
  const schemas = [
    ["inputSchema", tool.parseInput === undefined ? inputSchema : undefined],
    ["outputSchema", tool.parseOutput === undefined ? outputSchema : undefined],
  ] as const;
  for (const [member, schema] of schemas) {
    if (schema === undefined) continue;
    try {
      validator.inspect?.(schema);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TypeError(`tool "${name}", ${member}: ${reason}`, { cause: error });
    }
  }
}
