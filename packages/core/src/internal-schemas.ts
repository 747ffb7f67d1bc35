/**
 * For Knack's own packages alone, like `internal.ts`, and apart from it because zod is loaded with it: the schemas of what
 * tools answer.
 */

export { envelopeSchema } from "./tools/envelope-schema.ts";
export { jsonSchemaOf } from "./tools/json-schema.ts";
export { skillFileSchema } from "./tools/skill-read-file.ts";
