import { SkillError } from "@knack/core";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface EvidenceOptions extends GlobalOptions {
  readonly file?: string;
  readonly confirm?: boolean;
}

/** Attaches evidence by hand: a file or a confirmation. */
export async function addEvidence(
  task: string,
  requirement: string,
  options: EvidenceOptions,
): Promise<void> {
  const { file, confirm } = options;
  if ((file === undefined) === !confirm)
    throw new SkillError("INVALID_PARAM", "Use either --file PATH or --confirm.");
  await withEngine(options, async (engine) => {
    const by = process.env.USER ?? process.env.LOGNAME;
    const evidence = file === undefined ? ({ confirm: true, ...(by ? { by } : {}) } as const) : { file };
    const { added, status } = await engine.addEvidence(task, requirement, evidence);
    const id = task.split("/").at(-1);
    const now = status.tasks.find((one) => one.id === id);
    if (options.json) {
      printJson({ added, task: now });
      return;
    }
    const state = now?.blocked_reason ? `${now.status} ${now.blocked_reason}` : now?.status;
    print(
      `${added ? "Attached to" : "Already attached to"} ${escapeControl(requirement)} of ${escapeControl(task)}, which is ${state}.`,
    );
  });
}
