import { createServer, kit, type Authorize } from "snodo";

interface State {
  readonly tenant: string;
}

const { tool, middleware } = kit<State>();

// Middleware runs around every method and hands on what it finds as `ctx.state`.
const withTenant = middleware((ctx, next) =>
  next({ tenant: String(ctx.auth?.claims?.["tenant"] ?? "public") }),
);

const whoami = tool({ name: "whoami", call: (_args, ctx) => ctx.state.tenant });
const purge = tool({ name: "purge", call: () => "purged" });

// One policy for lists and calls: what is listed is exactly what can be called.
const authorize: Authorize = ({ component, auth }) => {
  if (component.name !== "purge") return true;
  if (auth === undefined) return false;
  return auth.scopes?.includes("admin") === true || { scopes: ["admin"] };
};

export const server = createServer({
  name: "tenants",
  version: "1.0.0",
  tools: [whoami, purge],
  use: [withTenant],
  authorize,
});
