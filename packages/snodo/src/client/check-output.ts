import { toPointer } from "../json/pointer.ts";
import type { Check, Validator } from "../schema/validator.ts";
import { ClientError } from "./client-error.ts";
import type { CallResult } from "./decode-result.ts";
import { peerText } from "./peer-text.ts";
import type { ListedTool } from "./tool-catalog.ts";

/** Checks results against the output schemas that the server lists. spec: TOOL-13 */
export class OutputChecks {
  readonly #validator: Validator | undefined;
  readonly #checks = new WeakMap<ListedTool, Check>();

  constructor(validator: Validator | undefined) {
    this.#validator = validator;
  }

  /** Makes the tool's check ready. Throws `ClientError` when its schema cannot be enforced. */
  prepare(tool: ListedTool): void {
    const { name, outputSchema } = tool;
    if (this.#validator === undefined || outputSchema === undefined || this.#checks.has(tool))
      return;
    try {
      this.#checks.set(tool, this.#validator.compile(outputSchema));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The option validator cannot enforce the output schema of "${peerText(name)}": ${peerText(reason)}`;
      throw new ClientError("invalid-output", message, { outcome: "none", cause: error });
    }
  }

  /** Throws `ClientError` when a successful result misses the tool's output schema. */
  check(tool: ListedTool, result: CallResult): void {
    if (tool.outputSchema === undefined || result.isError) return;
    if (result.structuredContent === undefined) {
      throw invalid(tool, "has an output schema but gave no structured content");
    }
    const problems = this.#checks.get(tool)?.(result.structuredContent) ?? [];
    if (problems.length === 0) return;
    const lines = problems.map(({ path, rule }) => `${toPointer(path)} ${rule}`.trimStart());
    throw invalid(
      tool,
      `gave structured content that breaks its output schema: ${peerText(lines.join("; "))}`,
    );
  }
}

function invalid({ name }: ListedTool, what: string): ClientError {
  return new ClientError("invalid-output", `The tool "${peerText(name)}" ${what}`, {
    outcome: "unknown",
  });
}
