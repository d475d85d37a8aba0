import { Ajv2020 } from "ajv/dist/2020.js";
import { SchemaError, type Validator } from "snodo";

/** Enforces raw JSON Schemas with ajv: `createServer({ validator: ajvValidator() })`. */
export function ajvValidator(): Validator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
  return {
    name: "ajv",
    compile(schema) {
      try {
        const validate = ajv.compile(schema);
        return (value) => {
          if (validate(value)) return [];
          return (validate.errors ?? []).slice(0, 10).map(({ instancePath, message }) => ({
            path: instancePath.split("/").slice(1).map(unescape),
            // The messages of ajv quote the schema, never the value.
            rule: message ?? "must match the schema",
          }));
        };
      } catch (error) {
        throw new SchemaError(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function unescape(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
