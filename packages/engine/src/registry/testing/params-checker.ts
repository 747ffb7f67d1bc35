import { expect } from "vitest";
import { paramsChecker } from "../check-params.ts";

/** The checker of a schema that must be accepted. */
export function checker(schema: object) {
  const made = paramsChecker(schema);
  if ("problem" in made) expect.fail(made.problem);
  return made;
}

/** Why a schema is refused, or `undefined`. */
export const problemOf = (schema: object) => {
  const made = paramsChecker(schema);
  return "problem" in made ? made.problem : undefined;
};
