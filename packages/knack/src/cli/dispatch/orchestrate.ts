import { SkillError } from "@knack/core";
import { newRequestId, routeToSkill } from "@knack/core/internal";
import { withProject } from "../../host/open-project.ts";
import { note } from "../../terminal/output.ts";
import { dispatch } from "./dispatch.ts";
import type { DispatchFlags } from "./dispatch-request.ts";
import { openRouting } from "./open-routing.ts";
import { explainRoute, recordRoute } from "./route.ts";

/** What of a dispatch can be chosen where the route chooses the role and the skill. */
export type OrchestrateFlags = Omit<DispatchFlags, "role" | "skill" | "prompt" | "promptFile">;

/** Routes a request, then dispatches it. Prints the route on standard error, or as `route` with `--json`. */
export async function orchestrate(words: readonly string[], flags: OrchestrateFlags): Promise<void> {
  const prompt = words.join(" ");
  await withProject(flags, async (project) => {
    const { answer, skill } = routeToSkill(prompt, await openRouting(project));
    const requestId = flags.requestId ?? newRequestId(new Date());
    await recordRoute(prompt, answer, project, requestId);
    if (!skill) {
      throw new SkillError(
        "NOT_FOUND",
        `${answer.reason} Name a skill in .agents/routing.yaml, or install one.`,
      );
    }
    if (!flags.json) note(explainRoute(answer, flags).join("\n"));
    // The path, because a name can mean several skills.
    await dispatch(
      { ...flags, role: answer.role, skill: skill.path, prompt, requestId },
      { route: answer, project },
    );
  });
}
