import { hash, randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  isGone,
  knackHome,
  lookAtOwn,
  ownProcess,
  readOwn,
  realBase,
  writeWhole,
} from "@knack/core/internal";
import * as z from "zod";
import type { ConnectedClient } from "./connected-clients.ts";

/**
 * Clients that `knack mcp` serves are in processes of their own. Each process writes a small file into the user's folder while
 * it has a client, so that `knack serve` can show them. A file whose process is gone counts for nothing and is removed.
 */

export interface PresencePlace {
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

const MAX_BYTES = 64 * 1024;
/** More than anybody has; a folder that is fuller is not read to its end. */
const MAX_FILES = 200;

const clientSchema: z.ZodType<ConnectedClient> = z.object({
  id: z.string().max(100),
  name: z.string().max(200),
  version: z.string().max(200),
  transport: z.enum(["stdio", "http"]),
  since: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  calls: z.int().min(0),
});
const presenceSchema = z.object({
  process: z.object({ boot: z.string(), space: z.string(), pid: z.int().min(1), started: z.string() }),
  clients: z.array(clientSchema).max(100),
});

function folderOf({ projectRoot, env, home }: PresencePlace): {
  readonly base: string;
  readonly folder: string;
} {
  const base = realBase(knackHome(env, home));
  return { base, folder: join(base, "clients", hash("sha256", projectRoot, "hex").slice(0, 32)) };
}

/** The file of this process. */
export class PresenceFile {
  readonly #base: string;
  readonly #file: string;
  #isThere = false;

  constructor(place: PresencePlace) {
    const { base, folder } = folderOf(place);
    this.#base = base;
    this.#file = join(folder, `${process.pid}-${randomUUID()}.json`);
  }

  /** A folder that cannot be written is no reason to serve nobody: then the client is not shown. */
  write(clients: readonly ConnectedClient[]): void {
    if (clients.length === 0) {
      this.remove();
      return;
    }
    const { boot, space, pid, started } = ownProcess();
    if (lookAtOwn(this.#base, this.#file).kind === "refused") return;
    const text = JSON.stringify({ process: { boot, space, pid, started }, clients });
    this.#isThere = writeWhole(this.#file, text) === undefined || this.#isThere;
  }

  remove(): void {
    if (this.#isThere) rmSync(this.#file, { force: true });
    this.#isThere = false;
  }
}

/** The clients of other processes that serve the same project. */
export function readPresences(place: PresencePlace): ConnectedClient[] {
  const { base, folder } = folderOf(place);
  return namesIn(folder).flatMap((name) => readPresence(base, join(folder, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+-[\w-]+\.json$/.test(name))
      .slice(0, MAX_FILES);
  } catch {
    // No process has written one yet.
    return [];
  }
}

function readPresence(base: string, file: string): readonly ConnectedClient[] {
  const content = readOwn(base, file, MAX_BYTES);
  if ("fault" in content) return [];
  const read = presenceSchema.safeParse(parseJson(content.bytes.toString("utf8")));
  if (!read.success) return [];
  const { process: mark, clients } = read.data;
  const own = ownProcess();
  // Process numbers of another container mean nothing here; of an earlier start of the machine they are gone.
  if (mark.space !== own.space && mark.boot === own.boot) return clients;
  if (mark.boot === own.boot && !isGone(mark)) return clients;
  rmSync(file, { force: true });
  return [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Somebody else wrote it; Knack's own files are whole.
    return undefined;
  }
}
