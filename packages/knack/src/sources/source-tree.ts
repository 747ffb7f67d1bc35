/** Where a source is fetched to, and how. */
export interface FetchPlace {
  /** A fresh folder of Knack's own. */
  readonly scratch: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends everything: the user's Ctrl-C, or the time limit. */
  readonly signal: AbortSignal;
  /** Whether a person is there whom git may ask for a password. */
  readonly mayAsk: boolean;
}

/** One file or link of a source. Folders are only the paths of what is in them. */
export interface Entry {
  /** With slashes, from the top of the source; as the source says it, so it may be hostile. */
  readonly path: string;
  readonly kind: "file" | "link" | "other";
  /** As the source says it; what is written is counted again. */
  readonly size: number;
  readonly isExecutable: boolean;
  /** Of `other`: what it is, for people. */
  readonly what?: string;
}

/** Longer paths belong to no skill; a hostile source could fill the memory with them. */
const MAX_PATH = 1_000;

/** A path as an entry has it. One that is too long is cut, with a mark that no valid path has. */
export function boundedPath(path: string): string {
  // A copy: a part of a text would keep the whole of it in memory.
  return path.length <= MAX_PATH ? path : `${Buffer.from(path.slice(0, MAX_PATH)).toString("utf8")}\ufffd`;
}

/** The files of a source. Nothing is written and nothing unpacked until it is asked for. */
export interface SourceTree {
  readonly entries: readonly Entry[];
  /** Where links lead, as they say it. */
  linkTargets(links: readonly Entry[]): Promise<ReadonlyMap<Entry, string>>;
  /** The content of each file goes to all of these paths. They are new, and their folders exist. */
  write(files: ReadonlyMap<Entry, readonly string[]>): Promise<void>;
}

/** A source that was fetched. */
export interface Fetched {
  readonly tree: SourceTree;
  /** Without anything secret, as the lock has it. */
  readonly source: string;
  readonly ref: string | null;
  /** What the ref is now: a commit, the version and integrity of a package, the digest of an archive. */
  readonly commit: string | null;
  /** Only skills in this folder of the source; empty for all. */
  readonly path: string;
  /** For a skill at the top of a source that does not say its own name. */
  readonly name: string;
}
