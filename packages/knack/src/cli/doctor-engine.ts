import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "@knack/core";
import { homeFolder, knackHome } from "@knack/core/config";
import { readOwn } from "@knack/core/files";
import { EngineStore, isolationLevel, listRuns, openEngine, StoreError } from "@knack/engine";
import { placeOf } from "../host/open-project.ts";
import { pluralize } from "../terminal/visible.ts";

/** One thing that `knack doctor` looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly hint?: string;
}

/** What typed skills have to work with: their entries, the database, and how well a run can be kept apart. */
export async function engineChecks(catalog: Catalog): Promise<Check[]> {
  return [
    await registryCheck(catalog),
    await storeCheck(catalog),
    ...otherStates(catalog.projectRoot),
    await sandboxCheck(),
  ];
}

/** Number of faults to show; "knack registry" lists them all. */
const MAX_FAULTS = 3;

async function registryCheck({ projectRoot, config }: Catalog): Promise<Check> {
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
  if (errors.length === 0) return { name: "registry", ok: true, message };
  const told = errors
    .slice(0, MAX_FAULTS)
    .map(({ path, line, message: fault }) => `${path}${line === undefined ? "" : `:${line}`}: ${fault}`);
  const more = errors.length > MAX_FAULTS ? ` … and ${errors.length - MAX_FAULTS} more` : "";
  return {
    name: "registry",
    ok: false,
    message: `${message}, ${pluralize(errors.length, "error")}: ${told.join(" ")}${more}`,
    hint: 'Fix the entries; "knack registry" lists every error.',
  };
}

async function storeCheck({ projectRoot, config }: Catalog): Promise<Check> {
  const name = "store";
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
    const [hint] = notes;
    return { name, ok: true, message: `${shown} does not exist yet; the first run creates it`, hint };
  }
  try {
    const runs = await listRuns((await store.get()).db, { limit: 1000 });
    const more = runs.length === 1000 ? "at least " : "";
    return { name, ok: true, message: `${shown}, ${more}${pluralize(runs.length, "run")}` };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name, ok: false, message: error.message };
  } finally {
    await store.close();
  }
}

/** Whose state the other folders there have should not be a riddle. */
function otherStates(projectRoot: string): Check[] {
  const env = process.env;
  const home = knackHome(env, homeFolder(env));
  const paths = listNames(join(home, "projects")).flatMap((name) => {
    const content = readOwn(home, join(home, "projects", name, "project.json"), 64 * 1024);
    const path = "fault" in content ? undefined : pathOf(content.bytes.toString("utf8"));
    return path === undefined || path === projectRoot ? [] : [path];
  });
  if (paths.length === 0) return [];
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  const shown = `${paths.sort().slice(0, 5).join(", ")}${more}`;
  const message = `${join(home, "projects")} has the state of ${pluralize(paths.length, "other project")}: ${shown}`;
  return [{ name: "other projects", ok: true, message }];
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function pathOf(text: string): string | undefined {
  try {
    const data: unknown = JSON.parse(text);
    const path = typeof data === "object" && data !== null && "path" in data ? data.path : undefined;
    return typeof path === "string" ? path : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function sandboxCheck(): Promise<Check> {
  const { level, detail } = await isolationLevel();
  const check = { name: "sandbox", ok: true, message: `${level}: ${detail}` };
  if (level === "bubblewrap") return check;
  return {
    ...check,
    hint: "Install bubblewrap: it keeps typed skills away from the network and your files, and Python skills need it.",
  };
}
