import { extname } from "node:path";
import type { Requirement } from "../plan.ts";

/** Whether a file's ending is one that a requirement takes. */
export function hasAllowedType(path: string, { allowedTypes }: Pick<Requirement, "allowedTypes">): boolean {
  return allowedTypes.length === 0 || allowedTypes.includes(extname(path).slice(1).toLowerCase());
}
