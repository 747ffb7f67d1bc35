import { readFolder } from "./folder-tree.ts";
import type { Fetched, FetchPlace, Source } from "./source.ts";

/** Brings a source to this machine, as data. Each kind loads its own code. */
export async function fetchSource(source: Source, place: FetchPlace): Promise<Fetched> {
  switch (source.kind) {
    case "git":
      return (await import("./fetch-git.ts")).fetchGit(source, place);
    case "archive":
      return (await import("./archive.ts")).fetchArchive(source, place);
    case "npm":
      return (await import("./npm.ts")).fetchNpm(source, place);
    case "folder":
      return readFolder(source);
  }
}

/** What a source has now, as a lock's `commit`; null for a folder, which has no versions. An archive must be downloaded for it. */
export async function newestOf(source: Source, place: FetchPlace): Promise<string | null> {
  switch (source.kind) {
    case "git":
      return (await import("./fetch-git.ts")).newestCommit(source, place);
    case "npm":
      return (await import("./npm.ts")).newestVersion(source, place);
    case "archive":
      return (await fetchSource(source, place)).commit;
    case "folder":
      return null;
  }
}
