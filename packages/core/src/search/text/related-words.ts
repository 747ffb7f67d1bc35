import { RELATED_TABLE } from "./related-table.ts";
import { tokenize } from "./tokenize.ts";

let table: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Words that mean about the same, for a word as `tokenize` returns it: people who say "rivals" mean "competitors". */
export function relatedWords(word: string): Iterable<string> {
  table ??= readTable();
  return table.get(word) ?? [];
}

function readTable(): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  for (const line of RELATED_TABLE.trim().split(/;|\n/)) {
    const [plain = [], said = []] = line.split(":").map(tokenize);
    for (const word of plain) {
      const known = related.get(word) ?? new Set();
      for (const other of [...said, ...plain]) if (other !== word) known.add(other);
      related.set(word, known);
    }
  }
  return related;
}
