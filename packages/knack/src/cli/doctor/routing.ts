import { type Catalog, SkillError } from "@knack/core";
import { loadRouting } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import { namesOfTyped } from "../dispatch/open-routing.ts";
import type { Check } from "./check.ts";

/** Whether requests can be routed: the file as it is read, or every line that is wrong in it. */
export async function routingCheck(catalog: Catalog, trusted: boolean): Promise<Check> {
  const name = "routing";
  try {
    const { file, routes, notes } = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
    const message = file === null ? "no rules" : `${file}, ${pluralize(routes.length, "rule")}`;
    return { name, ok: true, message: [message, ...notes].join("; ") };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return {
      name,
      ok: false,
      message: error.message,
      hint: "Fix the lines named above; docs/routing.md has the format.",
    };
  }
}
