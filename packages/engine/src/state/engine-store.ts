import { hash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { knackHome, type TrustPlace } from "@knack/core/config";
import { makeOwnFolder, realBase, systemCode, writeDurably, writeFailure } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import { appendEvents, NO_HEAD } from "../audit/chain.ts";
import { type StoreVerification, verifyStore } from "../audit/verify-store.ts";
import { openStore, storeFile, storeIdentity } from "../store/open-store.ts";
import { shownStore } from "../store/postgres/postgres-url.ts";
import type { Store } from "../store/store.ts";

interface Opened {
  readonly identity: string;
  readonly store: Store;
}

export interface StateOwner extends TrustPlace {
  readonly projectRoot: string;
}

export interface EngineStoreOptions extends StateOwner {
  /** `store.url` of the configuration; `null`: a file in the user's folder. */
  readonly url: string | null;
  /** Whom the log names; a function is asked for each record. */
  readonly actor: string | (() => string);
  readonly isTrusted?: () => boolean;
  /** No answer of a database is waited for longer, and a server that does not answer is not asked again; by default it is. */
  readonly limitMs?: number;
  /** What a person should know, a line each. */
  readonly tell?: ((line: string) => void) | undefined;
}

/** The checked database; `null` if there is none. */
export type StateVerification = StoreVerification & { readonly database: string | null };

/** Where the state of a project is unless `store.url` says otherwise. Nothing in a project can say that it is to be believed. */
export function stateFile({ env, home, projectRoot }: StateOwner): string {
  const key = hash("sha256", projectRoot, "hex").slice(0, 32);
  return join(realBase(knackHome(env, home)), "projects", key, "state.db");
}

/** The database of an engine, opened on first use. If its file was replaced, running work keeps the old one. */
export class EngineStore {
  readonly #options: EngineStoreOptions;
  /** Of the user's folder, where the state is there. */
  readonly #file: string | undefined;
  readonly url: string;
  #current: Promise<Opened> | undefined;
  readonly #all = new Set<Store>();
  #hasLookedForOld = false;

  constructor(options: EngineStoreOptions) {
    this.#options = options;
    this.#file = options.url === null ? stateFile(options) : undefined;
    this.url = options.url ?? `sqlite:${this.#file}`;
  }

  get shown(): string {
    return storeFile(this.url) ?? shownStore(this.url);
  }

  get exists(): boolean {
    const exists = storeIdentity(this.url) !== undefined;
    if (!exists) this.#tellOld();
    return exists;
  }

  async get(): Promise<Store> {
    const before = this.#current;
    // The caller that opened it got the error.
    const opened = await before?.catch(() => undefined);
    if (opened && opened.identity === storeIdentity(this.url)) return opened.store;
    // Of many who ask at once, the first opens it.
    if (this.#current === before) this.#current = this.#open();
    return (await (this.#current ?? this.#open())).store;
  }

  async close(): Promise<void> {
    this.#current = undefined;
    const stores = [...this.#all];
    this.#all.clear();
    for (const { db } of stores) await db.close();
  }

  async verify(head?: string): Promise<StateVerification> {
    if (this.exists) return { ...(await verifyStore((await this.get()).db, head)), database: this.shown };
    if (this.#file !== undefined && existsSync(nameFile(this.#file)))
      return {
        ...{ ok: false, count: 0, seq: null, fault: "row missing", table: "store_identity", row: "1" },
        message:
          "The database of this project is missing. Restore it from a backup; if you removed it yourself, the next run creates a new one.",
        database: null,
      };
    if (head === undefined || head === NO_HEAD)
      return { ok: true, count: 0, head: NO_HEAD, rows: 0, running: 0, database: null };
    return {
      ...{ ok: false, count: 0, seq: 1, fault: "cut" },
      message: "There is no log here that could contain the given head: it was removed, or is elsewhere.",
      database: null,
    };
  }

  async #open(): Promise<Opened> {
    const { actor, tell, limitMs } = this.#options;
    if (!this.exists && this.#file !== undefined) nameProject(this.#file, this.#options.projectRoot);
    const opened = await openStore(this.url, { actor: "", record: appendEvents, tell, limitMs });
    const store: Store = {
      ...opened,
      get actor() {
        return typeof actor === "string" ? actor : actor();
      },
    };
    this.#all.add(store);
    return { identity: storeIdentity(this.url) ?? "", store };
  }

  /** Knack 0.1.0 kept the state of a trusted project in the project. */
  #tellOld(): void {
    const { projectRoot, isTrusted, tell } = this.#options;
    if (this.#hasLookedForOld || this.#file === undefined || !tell || !isTrusted?.()) return;
    this.#hasLookedForOld = true;
    const old = join(projectRoot, ".knack", "state.db");
    if (!lstatSync(old, { throwIfNoEntry: false })) return;
    tell(
      `${old} is not used; if it is your history of Knack 0.1.0, take it over: knack store migrate ${old}`,
    );
  }
}

const nameFile = (file: string): string => join(dirname(file), "project.json");

/** A file beside the database names the project that it belongs to. */
function nameProject(file: string, project: string): void {
  const name = nameFile(file);
  if (existsSync(name)) return;
  const text = `${JSON.stringify({ version: 1, path: project }, null, 2)}\n`;
  const code = folderFailure(dirname(name)) ?? writeDurably(name, 0o600, text);
  if (!code) return;
  const kind = code === "ENOSPC" ? "DISK_FULL" : code === "EROFS" || code === "EACCES" ? "READONLY" : "IO";
  throw new KnackError(kind, writeFailure(name, code, true));
}

function folderFailure(folder: string): string | undefined {
  try {
    makeOwnFolder(folder);
    return undefined;
  } catch (error) {
    return systemCode(error);
  }
}
