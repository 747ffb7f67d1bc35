import type { Entry, Session } from "@knack/core";
import { shortPath } from "../terminal/paths.ts";
import { wrap } from "../terminal/text-width.ts";
import { escapeControl, escapeControlInText } from "../terminal/visible.ts";

/** More than anyone reads in a preview; `knack load` prints everything. */
const MAX_TEXT = 200_000;

/** A skill for a person: its metadata, its diagnostics, and what a model would read. */
export interface Preview {
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Whether `text` is what a model reads, or why it gets nothing. */
  readonly isServed: boolean;
  readonly text: readonly string[];
}

export async function readPreview(session: Session, entry: Entry): Promise<Preview> {
  const { skill, status, reason } = entry;
  const { catalog } = session;
  const diagnostics = [...catalog.errors, ...catalog.warnings]
    .filter(({ path }) => path === skill.path)
    .map(({ code, line, message }) => `${code}${line === undefined ? "" : ` line ${line}`}: ${message}`);
  const { text, error } = await session.call(
    "skill_load",
    { path: skill.path, args: "" },
    { actor: "person" },
  );
  return {
    facts: [
      ["name", skill.name],
      ["status", reason === "" ? status : `${status}: ${reason}`],
      ["scope", skill.scope],
      ["path", shortPath(skill.path, catalog.cwd)],
      ["dialect", skill.dialect],
      ...(skill.command === undefined ? [] : [["command", `/${skill.command}`] as const]),
      ...(skill.disableModelInvocation ? [["models", "are not told of it"] as const] : []),
      ["about", skill.description],
      ...diagnostics.map((line) => ["remark", line] as const),
    ],
    isServed: !error,
    text: linesOf(error ? error.message : text),
  };
}

const NAME_WIDTH = "command".length + 2;

/** The preview in lines of this width: the metadata in columns, then what a model gets. */
export function previewLines({ facts, isServed, text }: Preview, width: number): string[] {
  const indent = width >= 3 * NAME_WIDTH ? NAME_WIDTH : 0;
  const heading = isServed ? "What a model gets to read" : "A model gets nothing";
  return [
    ...facts.flatMap(([name, value]) => {
      const [first = "", ...rest] = wrap(escapeControl(value.toWellFormed()), width - indent);
      if (indent === 0) return [name, first, ...rest];
      return [name.padEnd(indent) + first, ...rest.map((line) => " ".repeat(indent) + line)];
    }),
    "",
    `── ${heading} `.padEnd(width, "─").slice(0, width),
    "",
    ...text.flatMap((line) => wrap(line, width)),
  ];
}

function linesOf(text: string): string[] {
  const shown = escapeControlInText(text.slice(0, MAX_TEXT).toWellFormed()).replaceAll("\t", "    ");
  const lines = shown.split(/\r?\n/);
  return text.length > MAX_TEXT ? [...lines, `… and ${text.length - MAX_TEXT} more characters`] : lines;
}
