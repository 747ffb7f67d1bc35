import type { Catalog } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { isolationLevel, listRuns, openEngine, openLog, StoreError, storeExists } from "@knack/engine";
import { counted } from "../terminal/count.ts";
import type { Check } from "./doctor-check.ts";

/** What typed skills have to work with: their entries, the database, and how well a run can be kept apart. */
export async function engineChecks(catalog: Catalog): Promise<Check[]> {
  return [await registryCheck(catalog), await storeCheck(catalog.config.store.url), await sandboxCheck()];
}

/** So many faults are told; "knack registry" has them all. */
const MAX_FAULTS = 3;

async function registryCheck({ projectRoot, config }: Catalog): Promise<Check> {
  const env = process.env;
  const engine = await openEngine({
    projectRoot,
    registry: config.registry,
    store: config.store.url,
    env,
    home: homeFolder(env),
    trusted: "ask",
  });
  const { skills, errors, warnings } = engine;
  await engine.close();
  const remarks = warnings.length > 0 ? `, ${counted(warnings.length, "remark")}` : "";
  const message = `${counted(skills.length, "typed skill")}${remarks}`;
  if (errors.length === 0) return { name: "registry", ok: true, message };
  const told = errors
    .slice(0, MAX_FAULTS)
    .map(({ path, line, message: fault }) => `${path}${line === undefined ? "" : `:${line}`}: ${fault}`);
  const more = errors.length > MAX_FAULTS ? ` … and ${errors.length - MAX_FAULTS} more` : "";
  return {
    name: "registry",
    ok: false,
    message: `${message}, ${counted(errors.length, "error")}: ${told.join(" ")}${more}`,
    hint: 'Correct the entries; "knack registry" lists every error.',
  };
}

async function storeCheck(url: string): Promise<Check> {
  const name = "store";
  const shown = url.replace(/^sqlite:/, "").replace(/(:\/\/)[^@/]*@/, "$1…@");
  if (!storeExists(url))
    return { name, ok: true, message: `${shown} is not there yet; the first run makes it` };
  try {
    const { db } = await openLog(url, "doctor");
    try {
      const runs = await listRuns(db, { limit: 1000 });
      const more = runs.length === 1000 ? "at least " : "";
      return { name, ok: true, message: `${shown}, ${more}${counted(runs.length, "run")}` };
    } finally {
      await db.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name, ok: false, message: error.message };
  }
}

async function sandboxCheck(): Promise<Check> {
  const { level, detail } = await isolationLevel();
  const check = { name: "sandbox", ok: true, message: `${level}: ${detail}` };
  if (level === "bubblewrap") return check;
  return {
    ...check,
    hint: "Install bubblewrap to keep the code of typed skills from the network and your files.",
  };
}
