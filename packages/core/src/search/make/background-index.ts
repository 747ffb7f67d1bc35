import { startHelper } from "../../shared/helper-thread.ts";
import type { PartBytes } from "../../shared/stored/parts-file.ts";
import { openIndex, partsInMemory } from "../index/index-parts.ts";
import type { TextIndex } from "../index/text-index.ts";
import { type MarkedSkill, makeSearchIndex, openStoredIndex } from "./search-index.ts";

/** What the thread gets, and its answer: the parts of the index where they could not be written to the file. */
export interface IndexWork {
  readonly skills: readonly MarkedSkill[];
  readonly file: string | null;
}
export type MadeIndex = readonly PartBytes[] | "saved";

/** Makes the index in a thread, so that this one goes on answering. */
export async function makeIndexInBackground(
  skills: readonly MarkedSkill[],
  file: string | null,
): Promise<TextIndex> {
  let made: MadeIndex | undefined;
  const work: IndexWork = {
    file,
    skills: skills.map(({ skill: { name, description, dir, path }, ...marked }) => ({
      ...marked,
      skill: { name, description, dir, path },
    })),
  };
  await startHelper<MadeIndex>(
    { from: import.meta.url, file: "./index-worker", what: "the search index", isOptional: true },
    { workerData: work },
    (message) => {
      made = message;
    },
  );
  if (made && made !== "saved") return openIndex(partsInMemory(made));
  // Another process may have written the file since, and a thread may fail.
  return (file === null ? null : openStoredIndex(skills, file)) ?? makeSearchIndex(skills, file);
}
