import type { Check } from "../checks/check.ts";
import type { Script } from "../model/conversation.ts";
import type { Way } from "../way.ts";
import { ask, FITS, FITS_NOT, given, goOn, sayDone, start } from "./ask.ts";

/** The text of a skill that one conversation was given: after a new start of the client, and after the client's own compaction. */
export async function lasting(way: Way): Promise<Check[]> {
  const checks: Check[] = [];
  const { pointsOnly, shortens } = way.client;
  await ask(way, FITS);
  const resumed = given(way, (await goOn(way, FITS_NOT)).body);
  checks.push({ name: "resume", ...resumed });
  if (shortens && !pointsOnly) {
    const { ended } = await start(way, shortens);
    const { body } = await goOn(way, "Go on.");
    const { ok, detail } = given(way, body);
    const isShorter = body.includes("This conversation was shortened.");
    const again = given(way, (await goOn(way, FITS)).body);
    const says = isShorter ? "" : `, not by Knack: ${ended.output.slice(-200)}`;
    checks.push({
      name: "compaction",
      ok: isShorter && ok && again.ok,
      detail: `${detail} after it, ${again.detail} after it fitted again${says}`,
    });
  }
  return checks;
}

/** A subagent gets the skill for its own task, in its own first request. */
export async function subagent(way: Way): Promise<Check[]> {
  const { delegates, waits, hearsNoTask } = way.client;
  if (!delegates || hearsNoTask) return [];
  const task = `SUBTASK-1: ${FITS}`;
  function* script(): Script {
    const started = yield delegates?.(task) ?? { tool: "", args: {} };
    if (waits) yield waits(started);
    return "Done.";
  }
  const { conversation, body } = await ask(way, FITS_NOT, {
    script: script(),
    subagents: { [task]: sayDone() },
  });
  const own = given(way, conversation.subagent(task)?.first?.body ?? "");
  const main = given(way, body);
  const problems = conversation.problems.join(", ");
  return [
    {
      name: "subagent",
      ok: own.ok && !main.ok,
      detail: `${own.detail} in its first request${problems && `: ${problems}`}`,
    },
  ];
}
