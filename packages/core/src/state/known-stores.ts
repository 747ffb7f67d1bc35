import { existsSync } from "node:fs";
import { join } from "node:path";
import { knackHome } from "../config/load.ts";
import type { TrustPlace } from "../policy/trust.ts";
import { SkillError } from "../shared/errors.ts";
import { withLock } from "../shared/own/lock.ts";
import { readOwn } from "../shared/own/own-file.ts";
import { writeError } from "../shared/own/write-failure.ts";
import { writeDurably } from "../shared/write-whole.ts";

/** A database that this user's Knack made in a project. */
export interface KnownStore {
  /** The real path of its file. */
  readonly path: string;
  /** What it calls itself. */
  readonly id: string;
  /** Whether the file system kept its mode; where it keeps none, a mode says nothing. */
  readonly isPrivate: boolean;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** From here on those that are gone are forgotten. */
const MANY = 5_000;

/** The one that was made at this path, or nothing: then a file there is somebody else's. */
export function knownStore(path: string, place: TrustPlace): KnownStore | undefined {
  return readStores(storesFile(place)).find((store) => store.path === path);
}

/** Runs `make`, which makes a database, while no other process makes one, and remembers what it answers. */
export async function rememberStore(place: TrustPlace, make: () => KnownStore | undefined): Promise<void> {
  const file = storesFile(place);
  await withLock(file, () => {
    const made = make();
    if (made === undefined) return;
    const others = readStores(file).filter(({ path }) => path !== made.path);
    const kept = others.length < MANY ? others : others.filter(({ path }) => existsSync(path));
    write(file, [...kept, made]);
  });
}

export async function forgetStore(path: string, place: TrustPlace): Promise<void> {
  const file = storesFile(place);
  await withLock(file, () =>
    write(
      file,
      readStores(file).filter((store) => store.path !== path),
    ),
  );
}

function storesFile({ env, home }: TrustPlace): string {
  return join(knackHome(env, home), "stores.json");
}

function write(file: string, stores: readonly KnownStore[]): void {
  const sorted = stores.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const failure = writeDurably(file, 0o600, `${JSON.stringify({ version: 1, stores: sorted }, null, 2)}\n`);
  if (failure) throw writeError(file, failure, true);
}

function readStores(file: string): readonly KnownStore[] {
  const content = readOwn(join(file, ".."), file, MAX_BYTES);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return [];
    throw broken(file, content.detail);
  }
  const stores = parse(content.bytes.toString("utf8"));
  if (stores) return stores;
  throw broken(file, "it is not a list of databases");
}

function parse(text: string): readonly KnownStore[] | undefined {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== "object" || data === null || !("stores" in data)) return undefined;
    const { stores } = data;
    return Array.isArray(stores) && stores.every(isKnownStore) ? stores : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isKnownStore(value: unknown): value is KnownStore {
  if (typeof value !== "object" || value === null) return false;
  const { path, id, isPrivate } = value as Record<string, unknown>;
  return typeof path === "string" && typeof id === "string" && typeof isPrivate === "boolean";
}

function broken(file: string, why: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `${file} cannot be read: ${why}. Fix or remove it; without it the databases of projects have to be imported again (knack audit import).`,
  );
}
