import { statSync } from "node:fs";
import { systemCode } from "../shared/errors.ts";
import { isSettled } from "./index/tree.ts";

/**
 * What tells one state of these files from another without reading them. Empty where one is so fresh that its next change
 * could have the same time stamp: then only reading tells.
 */
export function stampOf(files: readonly string[]): string {
  const stamps = files.map((file) => {
    try {
      const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      const isStill = isSettled(Number(mtimeNs) / 1e6, Number(ctimeNs) / 1e6, Date.now());
      return isStill ? [dev, ino, size, mode, mtimeNs, ctimeNs].join() : "";
    } catch (error) {
      return systemCode(error);
    }
  });
  return stamps.includes("") ? "" : `(${stamps.join(";")})`;
}
