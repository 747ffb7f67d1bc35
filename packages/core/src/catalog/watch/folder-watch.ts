import { type FSWatcher, lstatSync, readFileSync, statfsSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemCode } from "../../shared/errors.ts";
import { stampOf } from "../../shared/file-stamp.ts";
import type { Tree } from "../tree.ts";

/** A `SKILL.md` with a second name can be changed by that one, and its folder hears nothing: so its stamp is looked at. */
class AliasedFiles {
  /** By folder. */
  readonly #stamps = new Map<string, string>();

  /** Remembers the folder's `SKILL.md` if it has a second name. */
  look(folder: string): void {
    const file = join(folder, "SKILL.md");
    if (hasSecondName(file)) this.#stamps.set(folder, stampOf([file]));
    else this.#stamps.delete(folder);
  }

  forget(folder: string): void {
    this.#stamps.delete(folder);
  }

  /** The folders whose file may be another than it was. */
  changed(): string[] {
    return [...this.#stamps].flatMap(([folder, before]) => {
      const stamp = stampOf([join(folder, "SKILL.md")]);
      this.#stamps.set(folder, stamp);
      return stamp === "" || stamp !== before ? [folder] : [];
    });
  }
}

function hasSecondName(file: string): boolean {
  try {
    const stats = lstatSync(file);
    return stats.isFile() && stats.nlink > 1;
  } catch {
    return false; // Not there, or not for us: then it has no text that could change unheard.
  }
}

/**
 * File systems of which Linux tells every change: all of them pass through this kernel. What is shared with another machine,
 * or served by a program, can change without a word. overlayfs is here because it has inodes of its own, of which the kernel
 * tells; what is changed underneath a mounted one is undefined anyway.
 */
const LOCAL: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x01021994, "tmpfs"],
  [0x858458f6, "ramfs"],
  [0xf2f52010, "f2fs"],
  [0x2fc12fc1, "zfs"],
  [0xca451a4e, "bcachefs"],
  [0x3153464a, "jfs"],
  [0x52654973, "reiserfs"],
  [0x3434, "nilfs2"],
  [0x794c7630, "overlayfs"],
  [0x73717368, "squashfs"],
  [0xe0f5e1e2, "erofs"],
]);

/** For a sentence: those that people meet. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x786f4256, "vboxsf"],
  [0x00c36400, "Ceph"],
]);

/** Why changes in this folder may go unreported, or `undefined` if they are reported. */
function whyNotTold(folder: string): string | undefined {
  if (process.platform !== "linux") return `on ${process.platform} not every change is reported`;
  const { type } = statfsSync(folder);
  if (LOCAL.has(type)) return undefined;
  const name = OTHERS.get(type) ?? `a file system of type 0x${type.toString(16)}`;
  return `${folder} is on ${name}, which does not report every change`;
}

/** Why folders cannot be watched, in words that fit after "because". */
export class WatchRefusal extends Error {
  override readonly name = "WatchRefusal";
  /** What would help. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** A watched folder, and which one it was when the watch began: another may take its name. */
interface Watched {
  readonly watcher: FSWatcher;
  readonly device: number;
  readonly inode: number;
}

/** To watch thousands of folders takes a while; others run in between. */
const SLICE_MS = 10;
const MOST_FOLDERS = 200_000;
const RAISE = "Raise the limit: sysctl fs.inotify.max_user_watches=1048576";

/**
 * Watches the folders of trees, and knows in which of them something may have changed. Only what could make another catalog
 * counts: a `SKILL.md`, and whatever comes, goes or is renamed.
 */
export class FolderWatch {
  readonly #heard: () => void;
  readonly #limit: number;
  readonly #watched = new Map<string, Watched>();
  /** Folders that cannot be read: they have no notices of their own. */
  readonly #unwatched = new Set<string>();
  readonly #aliased = new AliasedFiles();
  readonly #devices = new Set<number>();
  /** The kernel keeps so many notices and drops the rest; half of them is a reason to doubt. */
  readonly #doubtFrom = readLimit("max_queued_events", 16_384) / 2;
  #changed = new Set<string>();
  /** Notices in this turn of the event loop, in which the whole queue is delivered. */
  #inTurn = 0;
  #mayHaveLost = false;
  #isStale = false;
  #isClosed = false;

  /** `heard` is called whenever something may have changed. `limit`: at most so many folders. */
  constructor(heard: () => void, limit = maxFolders()) {
    this.#heard = heard;
    this.#limit = limit;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** So many notices came at once that some may have been dropped: then nothing here can be relied on. */
  get mayHaveLost(): boolean {
    return this.#mayHaveLost;
  }

  /** Whether folders that were watched are not any more. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** The folders in which something may have changed since the last time. */
  takeChanged(): ReadonlySet<string> {
    for (const folder of this.#aliased.changed()) this.#changed.add(folder);
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** These count as changed again: nobody has looked at them. */
  putBack(folders: Iterable<string>): void {
    for (const folder of folders) this.#changed.add(folder);
  }

  /**
   * Watches exactly the folders of these trees. A folder that is new here counts as changed: it was looked at before it was
   * watched. Throws `WatchRefusal`.
   */
  async sync(trees: Iterable<Tree>): Promise<void> {
    this.#isStale = false;
    const gone = new Set(this.#watched.keys());
    this.#unwatched.clear();
    let sliceEnd = performance.now() + SLICE_MS;
    for (const tree of trees)
      for (const { path, identity } of tree.folders) {
        gone.delete(path);
        const [device, inode] = identity ?? [0, 0];
        const before = this.#watched.get(path);
        if (before?.inode === inode && before.device === device) continue;
        this.#forget(path);
        this.#add(path, device, inode);
        if (performance.now() < sliceEnd) continue;
        await nextTurn();
        if (this.#isClosed) return;
        sliceEnd = performance.now() + SLICE_MS;
      }
    for (const path of gone) this.#forget(path);
  }

  close(): void {
    this.#isClosed = true;
    for (const path of [...this.#watched.keys()]) this.#forget(path);
  }

  #add(path: string, device: number, inode: number): void {
    this.#changed.add(path);
    if (this.#watched.size >= this.#limit)
      throw new WatchRefusal(`there are more than ${this.#limit} folders`, RAISE);
    try {
      this.#checkDevice(device, path);
      const watcher = watch(path, { persistent: false }, (event, name) => this.#note(path, event, name));
      watcher.on("error", () => this.#lose(path));
      this.#watched.set(path, { watcher, device, inode });
      this.#aliased.look(path);
    } catch (error) {
      if (error instanceof WatchRefusal) throw error;
      const code = systemCode(error);
      if (code === "ENOSPC") throw new WatchRefusal("the system has no inotify watches left", RAISE);
      if (code === "EMFILE" || code === "ENFILE")
        throw new WatchRefusal(
          "the system has no inotify instances left",
          "Raise the limit: sysctl fs.inotify.max_user_instances=1024",
        );
      // Gone meanwhile, or not for us to read: its parent tells what becomes of it.
      if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw error;
      this.#unwatched.add(path);
    }
  }

  #note(path: string, event: string, name: string | null): void {
    this.#count();
    const isSelf = name === basename(path);
    // The folder itself went or was renamed: its watch is over, or follows it to where it is now.
    if (event === "rename" && isSelf) this.#lose(path);
    const child = name === null ? path : join(path, name);
    const matters = event === "rename" || name === null || name === "SKILL.md" || isSelf;
    if (!matters && !this.#unwatched.has(child)) return;
    if (name === "SKILL.md") this.#aliased.look(path);
    this.#changed.add(path);
    this.#changed.add(child);
    this.#heard();
  }

  #count(): void {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn++;
    if (this.#inTurn < this.#doubtFrom || this.#mayHaveLost) return;
    this.#mayHaveLost = true;
    this.#heard();
  }

  #lose(path: string): void {
    this.#forget(path);
    this.#isStale = true;
    this.#changed.add(path);
    this.#heard();
  }

  #forget(path: string): void {
    this.#watched.get(path)?.watcher.close();
    this.#watched.delete(path);
    this.#aliased.forget(path);
  }

  #checkDevice(device: number, path: string): void {
    if (this.#devices.has(device)) return;
    const why = whyNotTold(path);
    if (why !== undefined) throw new WatchRefusal(why);
    this.#devices.add(device);
  }
}

/** Half of what the user may have: editors and other servers watch folders, too. */
function maxFolders(): number {
  return Math.min(MOST_FOLDERS, Math.floor(readLimit("max_user_watches", 8_192) / 2));
}

function readLimit(name: string, fallback: number): number {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8")) || fallback;
  } catch {
    return fallback; // No such file on other systems.
  }
}
