import { SkillError } from "@knack/core";
import { note, print, printJson } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { chosenReference } from "./chosen-reference.ts";
import { openTerminal } from "./draw/terminal.ts";
import type { PickOptions } from "./pick.tsx";

export interface TuiOptions extends PickOptions {
  readonly print?: boolean;
}

/** The picker. Standard output gets the skill that was chosen, and nothing else ever. */
export async function tui(words: readonly string[], options: TuiOptions): Promise<void> {
  const terminal = openTerminal();
  if (!terminal) {
    throw new SkillError(
      "INVALID_PARAM",
      'The picker needs a terminal. Without one, "knack list" shows the skills and "knack search <words…>" finds them.',
    );
  }
  // Before ink is loaded, which takes a moment: what is typed meanwhile waits for it and is not shown twice.
  terminal.input.setRawMode(true);
  const { pick } = await import("./pick.tsx");
  const outcome = await pick(terminal, words.join(" "), options);
  if ("chosen" in outcome) {
    const { chosen, catalog } = outcome;
    const reference = chosenReference(catalog, chosen.skill);
    if (options.json) printJson(chosen.skill);
    else print(reference);
    if (!options.json && !options.print)
      note(`"knack load ${escapeControl(reference)}" prints what a model would get.`);
  }
  // At once: the search thread, or a scan that has not ended, is of no use to anybody now.
  process.exit("chosen" in outcome ? 0 : outcome.exitCode);
}
