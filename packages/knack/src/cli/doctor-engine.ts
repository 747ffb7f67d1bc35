import type { Config } from "@knack/core";
import { isolationLevel, listRuns, openLog, StoreError, storeExists } from "@knack/engine";
import { counted } from "../terminal/count.ts";
import type { Check } from "./doctor-check.ts";

/** What typed skills have to work with: the database, and how well a run can be kept apart. */
export async function engineChecks({ store }: Config): Promise<Check[]> {
  return [await storeCheck(store.url), await sandboxCheck()];
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
    hint: "Install bubblewrap: it keeps typed skills from the network and your files, and skills in Python need it.",
  };
}
