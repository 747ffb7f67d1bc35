import { randomUUID } from "node:crypto";
import {
  closeSync,
  type FSWatcher,
  futimesSync,
  lstatSync,
  openSync,
  readFileSync,
  statfsSync,
  unlinkSync,
  watch,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { KnackError, systemCode, tryOr } from "../shared/errors.ts";
import { stampOf } from "../shared/file-stamp.ts";
import { takeTurns } from "../shared/turns.ts";
import { AGENT_FILE } from "./scan/skill-at.ts";
import { type Folder, folderKey, type Tree } from "./tree.ts";

/**
 * File systems of which every change passes through this kernel; what is shared or served by a program can change silently:
 * ext4, xfs, btrfs, tmpfs, ramfs, f2fs, zfs, bcachefs, jfs, reiserfs, nilfs2, overlayfs (with inodes of its own), squashfs, erofs.
 */
const LOCAL: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
  ...[0x3153464a, 0x52654973, 0x3434, 0x794c7630, 0x73717368, 0xe0f5e1e2],
]);

/** Named in messages. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x786f4256, "vboxsf"],
  [0x00c36400, "Ceph"],
]);

/** Why folders cannot be watched, in words that follow "because", and what would help. */
export interface WatchRefusal {
  readonly message: string;
  readonly hint?: string;
}

function refused(message: string, hint?: string): KnackError {
  return new KnackError("EXECUTION_ERROR", message, { data: hint === undefined ? {} : { hint } });
}

/** Throws where changes may go unreported. */
function requireReports(folder: string): void {
  const { type } = statfsSync(folder);
  if (LOCAL.has(type)) return;
  const name = OTHERS.get(type) ?? `a file system of type 0x${type.toString(16)}`;
  throw refused(`${folder} is on ${name}, which does not report every change`);
}

const MOST_FOLDERS = 200_000;
const RAISE = "Raise the limit: sysctl fs.inotify.max_user_watches=1048576";
/** Refusals that hold for all folders. */
const NO_INSTANCES = [
  "the system has no inotify instances left",
  "Raise the limit: sysctl fs.inotify.max_user_instances=1024",
] as const;
const REFUSALS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOSPC: ["the system has no inotify watches left", RAISE],
  EMFILE: NO_INSTANCES,
  ENFILE: NO_INSTANCES,
};

function hasSecondName(file: string): boolean {
  // Not there, or not for us: then it has no text that could change unheard.
  const stats = tryOr(() => lstatSync(file), undefined);
  return stats?.isFile() === true && stats.nlink > 1;
}

function readLimit(name: string, fallback: number): number {
  // No such file on other systems.
  return Number(tryOr(() => readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8"), "")) || fallback;
}

/** How long a notice is awaited. */
const LIMIT_MS = 200;

type Cookie = Awaited<ReturnType<typeof makeCookie>>;

/**
 * Tells when all notices queued so far have arrived. The inotify queue of a process is in order: once the notice of our own
 * touched file is here, all earlier ones are. The file is unlinked, so nothing stays behind. Throws where nothing can be
 * watched.
 */
async function makeCookie() {
  const path = join(tmpdir(), `knack-${randomUUID()}`);
  const file = openSync(path, "wx", 0o600);
  /** A notice is still to come; a late one must not count for the next touch. */
  let isOut = true;
  let arrived = (): void => undefined;
  let watcher: FSWatcher;
  try {
    watcher = watch(path, { persistent: false }, () => {
      isOut = false;
      arrived();
    });
  } catch (error) {
    closeSync(file);
    throw error;
  } finally {
    unlinkSync(path);
  }
  // Without notices `hasPassed` answers false.
  watcher.on("error", () => undefined);
  const notice = (): Promise<void> =>
    new Promise((done) => {
      // It also keeps the process while somebody waits: the watcher alone does not.
      const timer = setTimeout(done, LIMIT_MS);
      arrived = () => {
        clearTimeout(timer);
        done();
      };
    });
  const cookie = {
    /** Whether every notice queued so far has arrived; false where that takes too long. One call at a time. */
    hasPassed: async (): Promise<boolean> => {
      if (isOut) return false;
      isOut = true;
      const waited = notice();
      futimesSync(file, 1, 1);
      await waited;
      return !isOut;
    },
    close: (): void => {
      watcher.close();
      closeSync(file);
    },
  };
  // Unlinking is a change too: the first notice.
  await notice();
  if (!isOut) return cookie;
  cookie.close();
  throw refused("the system does not report changes");
}

/** What a scan saw; another object where something differs. */
interface Seen {
  readonly trees: Iterable<Tree>;
}

interface TreeWatchOptions {
  readonly seen: () => Seen;
  /** Called whenever something may have changed. */
  readonly heard: () => void;
  /** By default half of the system's limit. */
  readonly maxFolders?: number | undefined;
}

/**
 * Knows in which folders something may have changed. A call sees every change made before it; where that cannot be promised,
 * it says so. Only what can change the catalog counts.
 */
export class TreeWatch {
  readonly #options: TreeWatchOptions;
  readonly #maxFolders: number;
  isReady = false;
  /** Why nothing is watched. */
  refusal: WatchRefusal | undefined;
  /** Some watches have ended, so `follow` has work to do. */
  isStale = false;
  /** So many notices came at once that some may be lost. */
  #mayHaveLost = false;
  /** Counts starts and ends: work that began before must change nothing. */
  #era = 0;
  /** By path. `key` names the folder that is watched: another one may take its path. */
  readonly #watched = new Map<
    string,
    { readonly watcher: FSWatcher; readonly folder: Folder; readonly key: string }
  >();
  /** Folders that cannot be read. */
  readonly #unwatched = new Set<string>();
  /** Folders with a hard-linked `SKILL.md`, which can change unheard: the file's stamp is compared instead. */
  readonly #aliased = new Map<string, string>();
  readonly #devices = new Set<number>();
  /** Half of the kernel's queue: beyond that notices may be dropped. */
  readonly #doubtFrom = readLimit("max_queued_events", 16_384) / 2;
  #changed = new Set<string>();
  /** Notices in this turn of the event loop. */
  #inTurn = 0;
  #cookie: Cookie | undefined;

  constructor(options: TreeWatchOptions) {
    this.#options = options;
    // Half of the user's limit: editors and other servers watch folders too.
    const ofUser = Math.floor(readLimit("max_user_watches", 8_192) / 2);
    this.#maxFolders = options.maxFolders ?? Math.min(MOST_FOLDERS, ofUser);
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Every folder counts as changed at first. */
  async start(): Promise<void> {
    this.close();
    const era = this.#era;
    await this.#orRefuse(async () => {
      if (process.platform !== "linux") throw refused(`on ${process.platform} not every change is reported`);
      await this.#watchAll(this.#options.seen().trees);
      const cookie = await makeCookie();
      if (era !== this.#era) return cookie.close();
      this.#cookie = cookie;
      await this.#watchNewest();
    });
  }

  /** Folders that may have changed, each told once; `undefined` where only a full look tells. One call at a time. */
  async changed(): Promise<ReadonlySet<string> | undefined> {
    if (!this.isReady || !(await this.#cookie?.hasPassed())) return undefined;
    if (!this.isReady || this.#mayHaveLost) return undefined;
    for (const [folder, before] of this.#aliased) {
      const stamp = stampOf([join(folder, "SKILL.md")]);
      this.#aliased.set(folder, stamp);
      if (stamp === "" || stamp !== before) this.#changed.add(folder);
    }
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** For folders that were told but not looked at. */
  putBack(folders: Iterable<string> = []): void {
    for (const folder of folders) this.#changed.add(folder);
  }

  /** After a scan: watches what it has seen. */
  async follow(): Promise<void> {
    if (!this.isReady) return;
    if (this.#mayHaveLost) void this.start();
    else await this.#orRefuse(() => this.#watchNewest());
  }

  close(): void {
    this.#era++;
    this.isReady = false;
    this.isStale = false;
    this.#mayHaveLost = false;
    for (const path of [...this.#watched.keys()]) this.#forget(path);
    this.#devices.clear();
    this.#changed.clear();
    this.#cookie?.close();
    this.#cookie = undefined;
  }

  /** A newer scan may come meanwhile. */
  async #watchNewest(): Promise<void> {
    const era = this.#era;
    this.isReady = false;
    let seen: Seen;
    do {
      seen = this.#options.seen();
      await this.#watchAll(seen.trees);
      if (era !== this.#era) return;
    } while (seen !== this.#options.seen());
    this.isReady = true;
  }

  /** Watches exactly these folders; new ones count as changed, because they were scanned before. */
  async #watchAll(trees: Iterable<Tree>): Promise<void> {
    const era = this.#era;
    this.isStale = this.#mayHaveLost;
    const gone = new Set(this.#watched.keys());
    this.#unwatched.clear();
    const turn = takeTurns();
    let looked = 0;
    for (const tree of trees)
      for (const folder of tree.folders) {
        const { path } = folder;
        gone.delete(path);
        const watched = this.#watched.get(path);
        if (watched?.folder === folder) continue;
        const key = folderKey(folder);
        if (watched?.key === key) this.#watched.set(path, { ...watched, folder });
        else {
          this.#forget(path);
          this.#add(folder, key);
        }
        if ((++looked & 15) !== 0) continue;
        await turn();
        if (era !== this.#era) return;
      }
    for (const path of gone) this.#forget(path);
  }

  async #orRefuse(work: () => Promise<void>): Promise<void> {
    const era = this.#era;
    try {
      await work();
    } catch (error) {
      if (era !== this.#era) return;
      this.close();
      this.refusal =
        error instanceof KnackError ? { ...error.data, message: error.message } : { message: String(error) };
    }
  }

  #add(folder: Folder, key: string): void {
    const { path, stamps, at } = folder;
    this.#changed.add(path);
    if (this.#watched.size >= this.#maxFolders)
      throw refused(`there are more than ${this.#maxFolders} folders`, RAISE);
    const device = stamps[at]!;
    try {
      if (!this.#devices.has(device)) requireReports(path);
      this.#devices.add(device);
      const watcher = watch(path, { persistent: false }, (event, name) => this.#note(path, event, name));
      watcher.on("error", () => this.#lose(path));
      this.#watched.set(path, { watcher, folder, key });
      this.#lookForSecondName(path);
    } catch (error) {
      const code = systemCode(error);
      const refusal = REFUSALS[code];
      if (refusal) throw refused(...refusal);
      // Gone meanwhile, or unreadable: its parent tells what becomes of it.
      if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw error;
      this.#unwatched.add(path);
    }
  }

  #lookForSecondName(folder: string): void {
    const file = join(folder, "SKILL.md");
    if (hasSecondName(file)) this.#aliased.set(folder, stampOf([file]));
    else this.#aliased.delete(folder);
  }

  #note(path: string, event: string, name: string | null): void {
    this.#count();
    const isSelf = name === basename(path);
    // The folder itself is gone or renamed.
    if (event === "rename" && isSelf) this.#lose(path);
    const child = name === null ? path : join(path, name);
    const matters =
      event === "rename" || name === null || name === "SKILL.md" || name === AGENT_FILE || isSelf;
    if (!matters && !this.#unwatched.has(child)) return;
    if (name === "SKILL.md") this.#lookForSecondName(path);
    this.#changed.add(path);
    this.#changed.add(child);
    this.#options.heard();
  }

  #count(): void {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn++;
    if (this.#inTurn < this.#doubtFrom || this.#mayHaveLost) return;
    this.#mayHaveLost = true;
    this.isStale = true;
    this.#options.heard();
  }

  #lose(path: string): void {
    this.#forget(path);
    this.isStale = true;
    this.#changed.add(path);
    this.#options.heard();
  }

  #forget(path: string): void {
    this.#watched.get(path)?.watcher.close();
    this.#watched.delete(path);
    this.#aliased.delete(path);
  }
}
