import { hash } from "node:crypto";
import { join } from "node:path";
import { knackHome, readRegularFile, writeWhole } from "@knack/core/internal/engine";
import type { Database } from "../store/database.ts";

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** Where the user's Knack keeps which store a project has: outside the project, so that nothing in it can say it. */
function fileFor(place: Place, projectRoot: string): string {
  return join(knackHome(place.env, place.home), "stores", hash("sha256", projectRoot).slice(0, 32));
}

/** The id of the store that the project at this path is known to have. */
export function knownStoreId(place: Place, projectRoot: string): string | undefined {
  const content = readRegularFile(fileFor(place, projectRoot), 8192, true);
  if ("fault" in content) return undefined;
  const [id, path] = content.bytes.toString("utf8").split("\n");
  return path === projectRoot ? id : undefined;
}

/**
 * Remembers the store of a project: the first that is seen there, and a new one in which nothing has happened yet. Any other
 * is left for `audit verify` to tell.
 */
export async function rememberStore(db: Database, place: Place, projectRoot: string): Promise<void> {
  const row = await db.get("SELECT store_id FROM store_identity WHERE only_row = 1");
  const id = String(row?.store_id);
  const known = knownStoreId(place, projectRoot);
  if (known === id) return;
  if (known !== undefined && (await db.get("SELECT 1 AS one FROM task_events LIMIT 1"))) return;
  // Where the user's folder cannot be written nothing is known of the project, which `audit verify` takes as it is.
  writeWhole(fileFor(place, projectRoot), `${id}\n${projectRoot}\n`);
}
