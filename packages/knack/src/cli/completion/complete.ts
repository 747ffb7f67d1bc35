import { typedSkillNames } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import { print } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import type { Values } from "../table/command-spec.ts";
import { type Candidate, commandCandidates, wantedAt } from "./wanted.ts";

/** Names that every shell takes as they are: nothing that a shell expands, quotes or reads as an option. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:@+-]*$/u;
const MAX_DESCRIPTION = 80;

/**
 * For the scripts of `knack completion`: `__complete <place> <words…>`, where `place` is that of the word to complete. A shell may
 * leave out an empty last word. Prints a candidate per line, with its description after a tab; `:files` and `:folders` ask the
 * shell to complete those itself. A problem offers nothing: the command itself reports it.
 */
export async function complete([place = "0", ...given]: readonly string[]): Promise<void> {
  const at = Number.parseInt(place, 10) || 0;
  const words = Array.from({ length: at + 1 }, (_, i) => given[i] ?? "");
  try {
    const lines = await linesFor(words);
    print(lines.join("\n"));
  } catch {
    process.exitCode = 1;
  }
}

async function linesFor(words: readonly string[]): Promise<string[]> {
  const { candidates, values, prefix, cwd } = wantedAt(words);
  const current = (words.at(-1) ?? "").slice(prefix.length);
  const isPath = /[/\\]|^[.~]/.test(current);
  if (values === "file" || (isPath && values?.toString().endsWith("skill"))) return [":files"];
  if (values === "folder") return [":folders"];
  const looked = values === undefined ? [] : await candidatesOf(values, cwd);
  const unique = new Map([...candidates, ...looked].map((one) => [one.value, one]));
  return [...unique.values()]
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => `${prefix}${value}${tail(description)}`);
}

async function candidatesOf(
  values: Exclude<Values, "file" | "folder">,
  cwd: string | undefined,
): Promise<Candidate[]> {
  if (typeof values !== "string") return values.map((value) => ({ value, description: "" }));
  if (values === "command") return commandCandidates();
  return (await skillCandidates(values, cwd)).filter(({ value }) => PLAIN.test(value));
}

async function skillCandidates(
  kind: "skill" | "disabled-skill" | "typed-skill",
  cwd: string | undefined,
): Promise<Candidate[]> {
  const project = openProject({ color: false, ...(cwd === undefined ? {} : { cwd }) });
  if (kind === "typed-skill") {
    const { config } = await project.config();
    return (await typedSkillNames(config.registry)).map((value) => ({ value, description: "" }));
  }
  const status = kind === "skill" ? "active" : "disabled";
  const { entries } = await project.catalog();
  return entries
    .filter((entry) => entry.status === status)
    .map(({ skill: { name, description } }) => ({ value: name, description }));
}

/** A description is the text of a skill: on one line, and without anything that steers a terminal. */
function tail(description: string): string {
  const text = escapeControl(description).trim();
  if (text === "") return "";
  const characters = [...text];
  return `\t${characters.length > MAX_DESCRIPTION ? `${characters.slice(0, MAX_DESCRIPTION - 1).join("")}…` : text}`;
}
