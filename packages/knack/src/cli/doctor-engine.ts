import { join } from "node:path";
import type { Catalog } from "@knack/core";
import { homeFolder, knackHome } from "@knack/core/config";
import { namesIn, readOwn } from "@knack/core/files";
import { isRecord, parseJson } from "@knack/core/text";
import { EngineStore, isolationAdvice, isolationLevel, listRuns, openEngine } from "@knack/engine";
import { placeOf } from "../host/place.ts";
import { andMore, pluralize } from "../terminal/visible.ts";

export interface Found {
  /** True unless something is wrong. */
  readonly ok?: boolean;
  /** Then it is not wrong and should be looked at; for people alone. */
  readonly warns?: boolean;
  readonly message: string;
  readonly hint?: string | undefined;
}

const MAX_FAULTS = 3;

export async function lookAtRegistry({ projectRoot, config }: Catalog): Promise<Found> {
  const env = process.env;
  const engine = await openEngine({
    projectRoot,
    registry: config.registry,
    env,
    home: homeFolder(env),
    trusted: "ask",
  });
  const { skills, errors, warnings } = engine;
  await engine.close();
  const remarks = warnings.length > 0 ? `, ${pluralize(warnings.length, "warning")}` : "";
  const message = `${pluralize(skills.length, "typed skill")}${remarks}`;
  if (errors.length === 0) return { message };
  const told = errors
    .slice(0, MAX_FAULTS)
    .map(({ path, line, message: fault }) => `${path}${line === undefined ? "" : `:${line}`}: ${fault}`);
  const more = errors.length > MAX_FAULTS ? ` … and ${errors.length - MAX_FAULTS} more` : "";
  return {
    ok: false,
    message: `${message}, ${pluralize(errors.length, "error")}: ${told.join(" ")}${more}`,
    hint: 'Fix the entries; "knack registry" lists every error.',
  };
}

export async function lookAtStore({ projectRoot, config }: Catalog): Promise<Found> {
  const notes: string[] = [];
  const store = new EngineStore({
    ...placeOf(projectRoot),
    url: config.store.url,
    actor: "doctor",
    isTrusted: () => placeOf(projectRoot).trusted,
    tell: (line) => notes.push(line),
  });
  const { shown } = store;
  if (!store.exists) {
    return { message: `${shown} does not exist yet; the first run creates it`, hint: notes[0] };
  }
  try {
    const runs = await listRuns((await store.get()).db, { limit: 1000 });
    const more = runs.length === 1000 ? "at least " : "";
    return { message: `${shown}, ${more}${pluralize(runs.length, "run")}` };
  } finally {
    await store.close();
  }
}

/** A folder that was renamed has its history under its old path, for `knack store migrate`. */
export function lookAtOtherStates(projectRoot: string): Found | undefined {
  const env = process.env;
  const home = knackHome(env, homeFolder(env));
  const paths = namesIn(join(home, "projects")).flatMap((name) => {
    const content = readOwn(home, join(home, "projects", name, "project.json"), 64 * 1024);
    const known = "fault" in content ? undefined : parseJson(content.bytes.toString("utf8"));
    const path = isRecord(known) ? known.path : undefined;
    return typeof path === "string" && path !== projectRoot ? [path] : [];
  });
  if (paths.length === 0) return undefined;
  const others = pluralize(paths.length, "other project");
  return { message: `${join(home, "projects")} has the state of ${others}: ${andMore(paths.sort(), 5)}` };
}

export async function lookAtSandbox(): Promise<Found> {
  const { level, detail } = await isolationLevel();
  const message = `${level}: ${detail}`;
  if (level === "bubblewrap") return { message };
  const hint = `${isolationAdvice()}: that keeps typed skills away from the network and your files, and Python skills need it.`;
  return { message, hint };
}
