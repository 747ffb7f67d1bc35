import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type Catalog, SkillError } from "@knack/core";
import {
  canonical,
  findProgram,
  isProgram,
  looksLikePath,
  quote,
  shorten,
  splitWords,
} from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { isTerminal, note } from "../../terminal/output.ts";
import { visiblePath } from "../../terminal/visible.ts";
import { validate } from "../validate/validate.ts";

/** Opens a skill's SKILL.md in the user's editor, waits, then checks it as `knack validate` does. */
export async function edit(reference: string, options: GlobalOptions): Promise<void> {
  const catalog = await openProject(options).catalog({ enabled: true });
  const file = findFile(catalog, reference, resolve(options.cwd ?? "."));
  const [program, ...args] = findEditor(process.env);
  if (!isTerminal(0) || !(isTerminal(1) || isTerminal(2)))
    throw new SkillError(
      "INVALID_PARAM",
      `knack edit needs a terminal. The file is ${file}; "knack validate" checks it after a change.`,
    );
  await runEditor(program, [...args, file]);
  await validate([file], options);
}

/** Also of a skill that was left out: that one needs an editor most. */
function findFile(catalog: Catalog, reference: string, cwd: string): string {
  try {
    return catalog.resolveEntry(reference, { includeInactive: true }).skill.path;
  } catch (error) {
    if (!(error instanceof SkillError && error.code === "NOT_FOUND")) throw error;
    const file = looksLikePath(reference)
      ? skillFileAt(canonical(resolve(cwd, reference)))
      : onlyLeftOut(catalog, reference);
    if (file === undefined) throw error;
    return file;
  }
}

function skillFileAt(path: string): string | undefined {
  const file = basename(path) === "SKILL.md" ? path : join(path, "SKILL.md");
  return existsSync(file) ? file : undefined;
}

function onlyLeftOut(catalog: Catalog, name: string): string | undefined {
  const files = catalog.files.filter((file) => basename(dirname(file)) === name);
  if (files.length > 1)
    throw new SkillError(
      "AMBIGUOUS",
      `${quote(name)} is the folder of several skills; name one by its path.`,
      files,
    );
  return files[0];
}

/** `$VISUAL` or `$EDITOR` as words, without a shell. The program is never a file of the folder at hand. */
function findEditor(env: NodeJS.ProcessEnv): [program: string, ...args: string[]] {
  const name = env.VISUAL?.trim() ? "VISUAL" : "EDITOR";
  const [given, ...args] = splitWords(env[name] ?? "", name);
  if (given === undefined)
    throw new SkillError(
      "CONFIG_INVALID",
      "No editor is set. Set EDITOR to one, for example: export EDITOR=vim",
    );
  const program = isAbsolute(given) ? given : findProgram(given, env);
  if (program === undefined || !isProgram(program))
    throw new SkillError(
      "CONFIG_INVALID",
      `The editor ${quote(given)} of ${name} was not found; set ${name} to a program on the PATH or to an absolute path.`,
    );
  return [program, ...args];
}

/** Where standard output goes to a program, the editor draws on standard error. */
async function runEditor(program: string, args: readonly string[]): Promise<void> {
  const { KNACK_TOKEN: _, ...env } = process.env;
  // Ctrl-C is for the editor.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    const child = spawn(program, args, { stdio: [0, isTerminal(1) ? 1 : 2, 2], env });
    const [code, signal] = await once(child, "exit");
    if (code !== 0)
      note(
        `The editor ${visiblePath(shorten(program))} ended with ${signal ? `signal ${signal}` : `code ${code}`}.`,
      );
  } catch (error) {
    throw new SkillError(
      "CONFIG_INVALID",
      `The editor ${shorten(program)} cannot be started (${error instanceof Error ? error.message : "unknown"}).`,
    );
  } finally {
    process.off("SIGINT", ignore);
  }
}
