import type { Engine } from "@knack/engine";
import type { Route } from "./api/route.ts";

/** What a record quotes of a body. */
const MAX_BODY = 2_000;

/** Writes a request that changes something into the log, before it is done: nothing is changed that the log does not name. */
export async function recordRequest(
  engine: Engine,
  { method, path }: Pick<Route, "method" | "path">,
  params: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const store = await engine.store();
  const isSmall = JSON.stringify(body).length <= MAX_BODY;
  const payload = {
    request: `${method} ${path}`,
    params: { ...params },
    body: isSmall ? body : "[too long]",
  };
  const event = { type: "REQUESTED", planId: null, taskId: null, runId: null, payload } as const;
  await store.db.transaction((tx) =>
    store.record(tx, [event], { actor: store.actor, at: store.now().toISOString() }),
  );
}
