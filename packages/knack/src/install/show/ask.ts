import { SkillError } from "@knack/core";
import { isTerminal, note } from "../../terminal/output.ts";

/** Asks a person; where nobody can be asked, says how to do it. */
export async function ask(message: string, initialValue: boolean, flags = "--yes"): Promise<boolean> {
  if (!isTerminal(0) || !isTerminal(2))
    throw new SkillError(
      "INVALID_PARAM",
      `This needs your confirmation; run it in a terminal, or add ${flags}. Nothing was changed.`,
    );
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue, output: process.stderr });
  if (answer === true) return true;
  return notChanged(isCancel(answer));
}

/** What a refused question means for the exit code. */
export function notChanged(isCancelled: boolean): false {
  note("Nothing was changed.");
  process.exitCode = isCancelled ? 130 : 1;
  return false;
}
