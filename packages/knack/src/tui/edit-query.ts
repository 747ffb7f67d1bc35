import type { Command } from "./keys.ts";

/** More text does not improve the search. */
const MAX_QUERY = 1_000;

/** The query after an editing key; `undefined` for other keys. */
export function editQuery(query: string, command: Command): string | undefined {
  if (command.kind === "type") return limitQuery(query + command.text);
  if (command.kind === "clear") return "";
  if (command.kind === "erase-word") return query.replace(/\S*\s*$/u, "");
  if (command.kind !== "erase") return undefined;
  const characters = [...new Intl.Segmenter().segment(query)];
  return query.slice(0, characters.at(-1)?.index ?? 0);
}

export function limitQuery(query: string): string {
  return query.slice(0, MAX_QUERY).toWellFormed();
}
