import { failure, RpcError, tool } from "snodo";

const packages = new Map([["snodo", "0.1.0"]]);

export const latest = tool({
  name: "latest",
  description: "The newest version of a package",
  input: {
    type: "object",
    properties: { name: { type: "string", description: "For example snodo" } },
    required: ["name"],
  },
  call: ({ name }) => {
    // This request should never have been sent: a JSON-RPC error.
    if (name.includes(" ")) throw RpcError.invalidParams("name must not contain blanks");
    // The call worked and its outcome is bad: a result that a model can read.
    return packages.get(name) ?? failure(`There is no package ${name}`);
  },
});
