import type { Entry, Session } from "@knack/core";
import { shortPath } from "../cli/paths.ts";
import { visible, visibleText } from "../cli/visible.ts";

/** More than a person reads in a preview; `knack load` prints all of it. */
const MAX_TEXT = 200_000;

/** A skill as a person looks at it: what it says of itself, what is wrong with it, and what a model would get to read. */
export async function previewText(session: Session, entry: Entry): Promise<string> {
  const { skill, status, reason } = entry;
  const { catalog } = session;
  const facts = [
    ["name", skill.name],
    ["status", reason === "" ? status : `${status}: ${reason}`],
    ["scope", skill.scope],
    ["path", shortPath(skill.path, catalog.cwd)],
    ["dialect", skill.dialect],
    ...(skill.command === undefined ? [] : [["command", `/${skill.command}`]]),
    ...(skill.disableModelInvocation ? [["models", "are not told of it"]] : []),
    ["about", skill.description],
  ];
  const diagnostics = [...catalog.errors, ...catalog.warnings]
    .filter(({ path }) => path === skill.path)
    .map(({ code, line, message }) => `${code}${line === undefined ? "" : ` line ${line}`}: ${message}`);
  const { text, error } = await session.call(
    "skill_load",
    { path: skill.path, args: "" },
    { actor: "person" },
  );
  const body = error ? `A model gets nothing: ${error.message}` : text;
  return [
    ...facts.map(([key = "", value = ""]) => `${key.padEnd(8)} ${visible(value.toWellFormed())}`),
    ...diagnostics.map((line) => visible(line.toWellFormed())),
    "",
    ...linesOf(body),
  ].join("\n");
}

function linesOf(text: string): string[] {
  const shown = visibleText(text.slice(0, MAX_TEXT).toWellFormed()).replaceAll("\t", "    ");
  const lines = shown.split(/\r?\n/);
  return text.length > MAX_TEXT ? [...lines, `… and ${text.length - MAX_TEXT} characters more`] : lines;
}
