import type { Catalog } from "@knack/core";
import { TreeWatch } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

/** Whether a server gets notice of every change here. Without, it works but is slower, so that is not an error. */
export async function watchCheck(catalog: Catalog, env: NodeJS.ProcessEnv): Promise<Check> {
  const name = "watching";
  const looks = "a server checks all files before each call";
  if (env.KNACK_WATCH?.toLowerCase() === "off")
    return { name, ok: true, message: `off (KNACK_WATCH=off): ${looks}` };
  const watch = new TreeWatch({ seen: () => catalog, heard: () => undefined });
  try {
    await watch.start();
    const { refusal, size } = watch;
    if (!refusal)
      return { name, ok: true, message: `the system reports every change in ${pluralize(size, "folder")}` };
    const hint = refusal.hint === undefined ? {} : { hint: refusal.hint };
    return { name, ok: true, message: `${looks}, because ${refusal.message}`, ...hint };
  } finally {
    watch.close();
  }
}
