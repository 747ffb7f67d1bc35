import { extname } from "node:path";
import type { Requirement } from "../plan.ts";

/** Whether a requirement accepts the extension of a file. */
export function hasAllowedType(path: string, { allowedTypes }: Pick<Requirement, "allowedTypes">): boolean {
  return allowedTypes.length === 0 || allowedTypes.includes(extname(path).slice(1).toLowerCase());
}
