import { existsSync, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isValidName } from "@knack/core/catalog";
import { checkSkillText, scaffoldText } from "@knack/core/check";
import { findProject, homeFolder } from "@knack/core/config";
import { canonical, isInside, lookAtOwn, systemCode, writeDurably, writeError } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { conflict, invalid } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

export async function newSkill(name: string, options: CommandOptions<"new">): Promise<void> {
  if (!isValidName(name)) {
    const message = `${quote(name)} cannot be a skill's name: use up to 64 lowercase letters and digits, joined by single hyphens.`;
    throw invalid(message);
  }
  const description = options.description?.replaceAll(/\s+/g, " ").trim();
  const env = process.env;
  const root = findProject({ cwd: options.cwd ?? process.cwd(), home: homeFolder(env), env });
  const folder = join(root, ".agents", "skills", name);
  const path = join(folder, "SKILL.md");
  const found = lookAtOwn(root, path);
  const leadsOut = found.kind === "refused" && !isInside(canonical(found.path), root);
  if (leadsOut || (found.kind === "refused" && isDangling(found.path)))
    throw conflict(`${folder} is outside the project (through a link); nothing was written.`);
  if (existsSync(folder)) throw conflict(`${folder} exists already; choose another name.`);
  const text = scaffoldText(name, description);
  const [problem] = checkSkillText(text, name);
  if (problem) throw invalid(problem.message);
  write(path, text);
  if (options.json) return printJson({ name, path });
  print(visiblePath(path));
  note('Now write what it does, then check it with "knack validate".');
}

/** Whole or not at all: on a full disk no empty file and no empty folder is left. */
function write(path: string, text: string): void {
  const folder = dirname(path);
  let first: string | undefined;
  try {
    first = mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw writeError(folder, systemCode(error));
  }
  const failure = writeDurably(path, 0o644, text);
  if (failure === undefined) return;
  // What was made for it goes again, unless somebody has used it meanwhile.
  for (let at = folder; first !== undefined && at.length >= first.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch (error) {
      systemCode(error);
      break;
    }
  }
  throw writeError(path, failure);
}

/** A link to something that is not there, or that leads back to itself. */
function isDangling(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path);
}
