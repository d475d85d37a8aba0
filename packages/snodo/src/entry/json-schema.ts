export { jsonSchema, type JsonSchemaOptions } from "../schema/json-schema.ts";
