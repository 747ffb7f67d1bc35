import { statSync } from "node:fs";
import { type ConfigPlace, configFiles } from "../config/load.ts";
import { systemCode } from "../shared/errors.ts";
import { isSettled } from "./index/tree.ts";

/**
 * What tells one state of the configuration from another without reading it. Empty where a file is so fresh that its next
 * change could bear the same time stamp: then only reading tells.
 */
export function configMark(place: ConfigPlace): string {
  const { user, project } = configFiles(place);
  const marks = [user, project].map((file) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      const isStill = isSettled(Number(mtimeNs) / 1e6, Number(ctimeNs) / 1e6, Date.now());
      return isStill ? [dev, ino, size, mtimeNs, ctimeNs].join() : "";
    } catch (error) {
      return systemCode(error);
    }
  });
  return marks.includes("") ? "" : [...marks, place.trusted].join(";");
}
