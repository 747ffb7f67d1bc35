import { closeSync, lstatSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SkillError } from "@knack/core";
import { shorten, systemCode, writeDurably, writeError } from "@knack/core/internal";
import type { TypedSkill } from "@knack/engine";
import type { GlobalOptions } from "../../options.ts";
import { note, passOn, print, terminalWidth } from "../../terminal/output.ts";
import { escapeControlInText, visiblePath } from "../../terminal/visible.ts";

export const STANDARD_OUTPUT = "-";

interface OutputOptions extends GlobalOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly explain?: boolean;
}

/** Where an artifact is written for the user. */
interface ArtifactOutput {
  write(bytes: Buffer): void;
}

/** What `--output` asks for. Throws before the skill runs where that is not possible. */
export function outputOf(options: OutputOptions, skill: TypedSkill | undefined): ArtifactOutput | undefined {
  const { output, force = false, cwd = "." } = options;
  if (output === undefined) {
    if (force) throw wrong("--force replaces the file of --output; name one.");
    return undefined;
  }
  if (output === "") throw wrong("--output needs a file, or - for standard output.");
  if (options.explain)
    throw wrong("--explain runs nothing, so there is nothing for --output; leave one out.");
  if (skill && skill.outputs.artifacts.length === 0)
    throw wrong(`${skill.name} makes no artifact; leave out --output. --json prints its evidence.`);
  if (output !== STANDARD_OUTPUT) return toFile(resolve(cwd, output), force);
  if (options.json) throw wrong("--output - and --json both print to standard output; leave one out.");
  return { write: writeToStandardOutput };
}

/** A pipe gets the bytes; a terminal gets nothing that steers it. */
function writeToStandardOutput(bytes: Buffer): void {
  if (terminalWidth() === undefined) passOn(1, bytes);
  else print(escapeControlInText(bytes.toString("utf8").replace(/\n$/, "")));
}

function toFile(file: string, force: boolean): ArtifactOutput {
  const mode = modeFor(file, force);
  return {
    write: (bytes) => {
      // The name is taken first, so that a file that appeared meanwhile is not replaced.
      if (!force) reserve(file);
      const failure = writeDurably(file, mode, bytes);
      if (failure !== undefined) {
        if (!force) rmSync(file, { force: true });
        throw writeError(file, failure);
      }
      note(`Wrote ${visiblePath(file)}.`);
    },
  };
}

/** A link is replaced, never followed: it may come with the project. A file that is replaced keeps its mode. */
function modeFor(file: string, force: boolean): number {
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SkillError("NOT_FOUND", `There is no folder ${shorten(dirname(file))}; create it first.`);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return 0o644;
  if (there.isDirectory()) throw wrong(`${shorten(file)} is a folder; name a file.`);
  if (!there.isFile() && !there.isSymbolicLink()) throw wrong(`${shorten(file)} is not a file; name a file.`);
  if (!force) throw exists(file);
  return there.isFile() ? there.mode & 0o777 : 0o644;
}

function reserve(file: string): void {
  try {
    closeSync(openSync(file, "wx"));
  } catch (error) {
    const code = systemCode(error);
    throw code === "EEXIST" ? exists(file) : writeError(file, code);
  }
}

const wrong = (message: string): SkillError => new SkillError("INVALID_PARAM", message);

const exists = (file: string): SkillError =>
  new SkillError("CONFLICT", `${shorten(file)} exists already; use --force to replace it.`);
