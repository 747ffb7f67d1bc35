import { expect } from "vitest";
import { paramsChecker } from "../check-params.ts";

/** The checker of a schema that must be accepted. */
export function checker(schema: object) {
  const made = paramsChecker(schema);
  if ("problem" in made) expect.fail(made.problem);
  const check = (given: unknown) => {
    const { params, faults } = made(given);
    return faults.length === 0 ? { params } : { problems: faults.map(({ message }) => message) };
  };
  return { check };
}

/** Why a schema is refused, or `undefined`. */
export const problemOf = (schema: object) => {
  const made = paramsChecker(schema);
  return "problem" in made ? made.problem : undefined;
};
