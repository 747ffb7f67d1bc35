import type { Catalog, SkillMetadata } from "@knack/core";
import { KnackError } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { invalid } from "../options.ts";
import { inColor, note, printAnswer } from "../terminal/output.ts";
import { escapeControl, pluralize } from "../terminal/visible.ts";
import { frameOf } from "./draw.ts";
import { readKeys } from "./keys.ts";
import { Picker, type PickOutcome } from "./picker.ts";
import { openTerminal, Screen, type Terminal } from "./screen.ts";
import { openSkills } from "./skills.ts";

/** `knack tui`. Standard output gets the chosen skill and nothing else. */
export async function tui(words: readonly string[], options: CommandOptions<"tui">): Promise<void> {
  const terminal = openTerminal();
  if (!terminal) {
    throw invalid(
      'The picker needs a terminal. Without one, "knack list" shows the skills and "knack search <words…>" finds them.',
    );
  }
  terminal.input.setRawMode(true);
  const outcome = await pick(terminal, words.join(" "), options);
  if ("chosen" in outcome) {
    const { chosen, catalog } = outcome;
    const reference = chosenReference(catalog, chosen.skill);
    printAnswer(options, chosen.skill, reference);
    if (!options.json && !options.print)
      note(`"knack load ${escapeControl(reference)}" prints what a model would get.`);
  }
  // Exit at once: an unfinished scan or index is no longer needed.
  process.exit("chosen" in outcome ? 0 : outcome.exitCode);
}

async function pick(
  { input, output }: Terminal,
  query: string,
  options: CommandOptions<"tui">,
): Promise<PickOutcome> {
  const sizeNow = (): Picker["size"] => ({ columns: output.columns || 80, rows: output.rows || 24 });
  const screen = new Screen(output);
  const draw = (): void => screen.draw(frameOf(picker, inColor));
  let isDrawing = false;
  const picker: Picker = new Picker({ query, scope: options.scope, size: sizeNow() }, () => {
    // Draws once for many changes.
    if (isDrawing) return;
    isDrawing = true;
    setImmediate(() => {
      isDrawing = false;
      draw();
    });
  });
  const resized = (): void => {
    screen.clear();
    picker.resize(sizeNow());
  };
  output.on("resize", resized);
  // The terminal was closed.
  input.on("error", () => picker.leave(129)).on("end", () => picker.leave(129));
  // The process ends with the picker, so they stay.
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => picker.leave(code));
  const stopKeys = readKeys(input, (command) => void picker.press(command));
  draw();
  try {
    return await Promise.race([picker.outcome, loadSkills(picker, options, draw).then(() => picker.outcome)]);
  } finally {
    stopKeys();
    output.off("resize", resized);
    screen.close();
    input.setRawMode(false);
    input.pause();
  }
}

async function loadSkills(picker: Picker, options: CommandOptions<"tui">, draw: () => void): Promise<void> {
  const skills = await openSkills(options, {
    progress: (folders) => {
      picker.progress = `Looking for skills: ${pluralize(folders, "folder")}`;
      // Draw now: the scan does not return to the event loop in time for a scheduled draw.
      draw();
    },
    note: (line) => picker.tell(line),
    ready: () => void picker.searchReady(),
    changed: () => void picker.changed(),
    failed: (error) => picker.tell(error.message, true),
  });
  await picker.start(skills);
}

/** The exit codes that shells use for these signals. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Letters and digits of any language, and `._-`; nothing that a shell or an option parser interprets. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
/** One line without quotes, expansions or invisible characters. */
const PLAIN_PATH = /^\/[^\p{C}\p{Zl}\p{Zp}"'`$\\!]*$/u;

/**
 * The argument that makes `knack load` load exactly this skill: its name if that is unique, else its path, else its id.
 * Names are untrusted, so the result is always one line without quotes that does not begin with a dash.
 */
export function chosenReference(catalog: Catalog, skill: SkillMetadata): string {
  if (PLAIN_NAME.test(skill.name) && isOnlyOne(catalog, skill)) return skill.name;
  return PLAIN_PATH.test(skill.dir) ? skill.dir : skill.id;
}

function isOnlyOne(catalog: Catalog, skill: SkillMetadata): boolean {
  try {
    return catalog.resolve({ name: skill.name }).path === skill.path;
  } catch (error) {
    if (error instanceof KnackError) return false;
    throw error;
  }
}
