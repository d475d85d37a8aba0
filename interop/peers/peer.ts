/** Where a server is: an address, or the arguments with which node starts one on stdio. */
export type Target = { readonly url: string } | { readonly args: readonly string[] };

/** A program of somebody else that talks to a server. */
export interface Peer extends AsyncDisposable {
  /** The result of `tools/list`. */
  listTools(): Promise<unknown>;
  /** The result, whatever it says; rejects with an error that has `code` and `message` of a refusal. */
  callTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A JSON-RPC error as a program reports it. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly code: number | string;

  constructor(error: { readonly code: number | string; readonly message: string }) {
    super(error.message);
    this.code = error.code;
  }
}
