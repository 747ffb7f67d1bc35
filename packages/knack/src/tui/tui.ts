import { SkillError } from "@knack/core";
import { note, print, printJson } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { chosenReference } from "./chosen-reference.ts";
import { openTerminal } from "./draw/terminal.ts";
import type { PickOptions } from "./pick.tsx";

export interface TuiOptions extends PickOptions {
  readonly print?: boolean;
}

/** `knack tui`. Standard output gets the chosen skill and nothing else. */
export async function tui(words: readonly string[], options: TuiOptions): Promise<void> {
  const terminal = openTerminal();
  if (!terminal) {
    throw new SkillError(
      "INVALID_PARAM",
      'The picker needs a terminal. Without one, "knack list" shows the skills and "knack search <words…>" finds them.',
    );
  }
  // Before loading ink, which takes a moment: keys pressed meanwhile are kept and not echoed.
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
  // Exit at once: the search thread or an unfinished scan is no longer needed.
  process.exit("chosen" in outcome ? 0 : outcome.exitCode);
}
