import type { Config, SessionEvent } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import type { EngineStore, Store } from "@knack/engine";
import { note, noteOnce } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";
import { projectState } from "./project-state.ts";

/** Whose log it is. */
export interface Recorded {
  readonly projectRoot: string;
  readonly config: Config;
}

const stores = new Map<string, EngineStore>();
let isTold = false;

/**
 * Writes what happened into the project's log, with what it came by: `cli`, or a server and its client. A project without
 * a database has no log, and this makes none; the answer says whether there was one. Where it cannot be written somebody is told, once: a full disk is no reason
 * to read no skill.
 */
export async function record(
  { projectRoot, config }: Recorded,
  event: SessionEvent,
  by: string,
): Promise<boolean> {
  const find = () => projectState(projectRoot, config);
  if (!find().exists) return false;
  const { EngineStore, StoreError } = await import("@knack/engine");
  try {
    const key = JSON.stringify([projectRoot, config.store.url]);
    let known = stores.get(key);
    if (!known) {
      const env = process.env;
      const opened = new EngineStore({
        find,
        projectRoot,
        actor: by,
        tell: noteOnce,
        env,
        home: homeFolder(env),
      });
      stores.set(key, opened);
      process.once("beforeExit", () => opened.close());
      known = opened;
    }
    await append(await known.get(), event, by);
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (!isTold) note(`note: Not recorded: ${visible(error.message)}`);
    isTold = true;
    return false;
  }
}

async function append(store: Store, { type, actor, data }: SessionEvent, by: string): Promise<void> {
  const event = { type, planId: null, taskId: null, runId: null, payload: { ...data, by: actor } };
  await store.db.transaction(
    (tx) => store.record(tx, [event], { actor: by, at: store.now().toISOString() }),
    { durable: false },
  );
}
