/** The schemas behind the types of `@knack/core`, and of what tools give. Loads zod. */

export * from "./skill/schema.ts";
export { envelopeSchema, jsonSchemaOf, parameters } from "./tools/parameters.ts";
export { skillFileSchema } from "./tools/skill-read-file.ts";
