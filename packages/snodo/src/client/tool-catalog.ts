import { isDeeperThan, isObject, maxJsonDepth, type JsonObject } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import type { Icon } from "../core/implementation.ts";
import { type HeaderAnnotation, scanHeaderAnnotations } from "../schema/header-annotations.ts";
import { ClientError } from "./client-error.ts";
import { breach } from "./decode-result.ts";
import { peerText } from "./peer-text.ts";

/** A tool as the server lists it; members that are not known stay. Annotations are untrusted. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

/** A tool that is left out of the list, and why: text for people, escaped and at most 200 characters each. */
export interface ToolProblem {
  /** `tools[3]` when it has no usable name. */
  readonly name: string;
  readonly reason: string;
}

/** A listed tool and the arguments that HTTP headers mirror. */
export interface KnownTool {
  readonly tool: ListedTool;
  readonly mirrors: readonly HeaderAnnotation[];
  /** What it counts for in `maxLength`. */
  readonly length: number;
}

interface CatalogOptions {
  /** Most JSON text of the tools that are kept, in characters. */
  readonly maxLength: number;
  /** Tools with bad header annotations are left out over HTTP. spec: XMH-4 */
  readonly isHttp: boolean;
  /** Called once for each problem. */
  onProblem(problem: ToolProblem): void;
}

/** Problems that are kept at the most, against servers that send nothing else. */
const maxKept = 1000;

/** What a tool counts for at least, since many small ones take memory, too. */
const minLength = 512;

/** What a client knows about its server's tools. */
export class ToolCatalog {
  readonly #options: CatalogOptions;
  readonly #known = new Map<string, KnownTool>();
  readonly #problems = new Map<string, ToolProblem>();
  #length = 0;
  #isComplete = false;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** True once a list was read to its end. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Every tool that was left out, once for each reason. */
  get problems(): readonly ToolProblem[] {
    return [...this.#problems.values()];
  }

  get(name: string): KnownTool | undefined {
    return this.#known.get(name);
  }

  /** The usable tools of one page; `seen` has the names of the pages before. Throws `ClientError`. */
  readPage({ tools }: JsonObject, seen: Set<string>): readonly ListedTool[] {
    if (!Array.isArray(tools)) throw breach('The list must have an array "tools"');
    return tools.flatMap((entry: unknown, index) => {
      const tool = this.#admit(entry, index, seen);
      return tool === undefined ? [] : [tool];
    });
  }

  /** The list has ended: tools that were not in it are forgotten. */
  finishList(seen: ReadonlySet<string>): void {
    this.#keepOnly(seen);
    this.#isComplete = true;
  }

  #keepOnly(seen: ReadonlySet<string>): void {
    for (const [name, { length }] of this.#known) {
      if (seen.has(name)) continue;
      this.#known.delete(name);
      this.#length -= length;
    }
  }

  /** Keeps one more tool of a list that has `seen` so far. Throws `ClientError` when it is too much. */
  #keep(known: KnownTool, seen: ReadonlySet<string>): void {
    const { name } = known.tool;
    const { maxLength } = this.#options;
    this.#length += known.length - (this.#known.get(name)?.length ?? 0);
    this.#known.set(name, known);
    // Tools of earlier lists may have gone; this list alone must fit.
    if (this.#length > maxLength) this.#keepOnly(seen);
    if (this.#length <= maxLength) return;
    const message = `The tools have more than ${maxLength} characters of JSON (option maxCatalogLength)`;
    throw new ClientError("limit", message, { outcome: "unknown" });
  }

  #admit(entry: unknown, index: number, seen: Set<string>): ListedTool | undefined {
    const name = isObject(entry) && typeof entry.name === "string" ? entry.name : "";
    const reject = (reason: string): undefined => {
      this.#report({ name: name === "" ? `tools[${index}]` : name, reason });
    };
    if (isDeeperThan(entry, maxJsonDepth))
      return reject(`is nested deeper than ${maxJsonDepth} levels`);
    if (!isObject(entry)) return reject("is not an object");
    const wrong = Object.entries(memberRules).find(([member, { isMet }]) => !isMet(entry[member]));
    if (wrong !== undefined) return reject(`${wrong[0]} ${wrong[1].rule}`);
    if (seen.has(name)) return reject("has the name of another tool");
    const { annotations, problem } = scanHeaderAnnotations(entry.inputSchema);
    if (this.#options.isHttp && problem !== undefined) {
      return reject(`inputSchema${toPointer(problem.path)}: ${problem.rule}`);
    }
    seen.add(name);
    const tool = entry as unknown as ListedTool;
    const length = Math.max(minLength, JSON.stringify(tool).length);
    this.#keep({ tool, mirrors: problem === undefined ? annotations : [], length }, seen);
    return tool;
  }

  #report({ name, reason }: ToolProblem): void {
    const problem = { name: peerText(name), reason: peerText(reason) };
    const key = `${problem.name}\n${problem.reason}`;
    if (this.#problems.has(key) || this.#problems.size >= maxKept) return;
    this.#problems.set(key, problem);
    this.#options.onProblem(problem);
  }
}

interface MemberRule {
  readonly rule: string;
  isMet(value: unknown): boolean;
}

const optionalString: MemberRule = {
  rule: "must be a string",
  isMet: (value) => value === undefined || typeof value === "string",
};

const optionalObject: MemberRule = {
  rule: "must be an object",
  isMet: (value) => value === undefined || isObject(value),
};

/** The members that the client and its users read. */
const memberRules: Readonly<Record<string, MemberRule>> = {
  name: {
    rule: "must be a non-empty string",
    isMet: (value) => typeof value === "string" && value !== "",
  },
  title: optionalString,
  description: optionalString,
  icons: {
    rule: "must be an array",
    isMet: (value) => value === undefined || Array.isArray(value),
  },
  inputSchema: { rule: "must be an object", isMet: isObject },
  outputSchema: optionalObject,
  annotations: optionalObject,
  _meta: optionalObject,
};
