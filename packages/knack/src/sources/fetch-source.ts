import { readFolder } from "./folder-tree.ts";
import type { Source } from "./source.ts";
import type { Fetched, FetchPlace } from "./source-tree.ts";

/** Brings a source to this machine, as data. Each kind loads its own code. */
export async function fetchSource(source: Source, place: FetchPlace): Promise<Fetched> {
  switch (source.kind) {
    case "git":
      return (await import("./git/fetch-git.ts")).fetchGit(source, place);
    case "archive":
      return (await import("./archive/fetch-archive.ts")).fetchArchive(source, place);
    case "npm":
      return (await import("./npm.ts")).fetchNpm(source, place);
    case "folder":
      return readFolder(source);
  }
}
