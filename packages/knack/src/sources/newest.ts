import { fetchSource } from "./fetch-source.ts";
import type { Source } from "./source.ts";
import type { FetchPlace } from "./source-tree.ts";

/** What a source has now, as a lock's `commit`; null for a folder, which has no versions. An archive must be downloaded for it. */
export async function newestOf(source: Source, place: FetchPlace): Promise<string | null> {
  switch (source.kind) {
    case "git":
      return (await import("./git/fetch-git.ts")).newestCommit(source, place);
    case "npm":
      return (await import("./npm.ts")).newestVersion(source, place);
    case "archive":
      return (await fetchSource(source, place)).commit;
    case "folder":
      return null;
  }
}
