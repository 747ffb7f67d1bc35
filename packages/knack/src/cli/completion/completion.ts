import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { print, printJson } from "../../terminal/output.ts";
import { SCRIPTS } from "./scripts.ts";
import { SHELLS } from "./shells.ts";

/** Prints the script of a shell. */
export function completion(given: string, options: GlobalOptions): void {
  const shell = SHELLS.find((name) => name === given);
  if (!shell)
    throw new SkillError(
      "INVALID_PARAM",
      `There is no completion for ${quote(given)}; the shells are ${SHELLS.join(", ")}.`,
    );
  if (options.json) printJson({ shell, script: SCRIPTS[shell] });
  else print(SCRIPTS[shell].trimEnd());
}
