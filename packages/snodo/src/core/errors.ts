/**
 * A tool (or other component) whose definition breaks a rule. The message names the component, the
 * place as a JSON Pointer, the rule and the fix.
 */
export class DefinitionError extends TypeError {
  override readonly name: string = "DefinitionError";
  /** For example `tool "add"`. */
  readonly component: string;
  /** Where in the definition, for example `/inputSchema/type`; `""` for the definition itself. */
  readonly pointer: string;
  /** What was expected. */
  readonly rule: string;

  constructor(component: string, pointer: string, rule: string, options?: ErrorOptions) {
    super(`${component}${pointer === "" ? "" : ` at ${pointer}`}: ${rule}`, options);
    this.component = component;
    this.pointer = pointer;
    this.rule = rule;
  }
}

/** A server that cannot be built; every problem is listed, one line each. */
export class ConfigurationError extends TypeError {
  override readonly name: string = "ConfigurationError";
  /** One sentence per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`The server cannot be created:\n${list}`, options);
    this.problems = problems;
  }
}

/**
 * The call worked and its outcome is bad: the caller gets a result with `isError: true` and this
 * message as its one text block, verbatim. Throw it where returning `failure(message)` is unhandy.
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
}
