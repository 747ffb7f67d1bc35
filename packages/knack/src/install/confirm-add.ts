import { SkillError } from "@knack/core";
import { pluralize } from "../terminal/count.ts";
import type { AddOptions } from "./add-options.ts";
import type { AddPlan } from "./plan/add-plan.ts";
import { ask } from "./show/ask.ts";

/** `--yes` is no answer to findings of severity error. */
export async function confirmAdd(plan: AddPlan, options: AddOptions, verb: "Add" | "Link"): Promise<boolean> {
  const errors = plan.findings.filter(({ severity }) => severity === "error").length;
  if (options.yes) {
    if (errors === 0 || options.allowFindings) return true;
    throw new SkillError(
      "CONFLICT",
      `knack lint finds ${pluralize(errors, "error")} in these skills, so nothing was changed. Read them; --allow-findings ${verb.toLowerCase()}s the skills all the same.`,
    );
  }
  const what =
    plan.skills.length === 1 ? (plan.skills[0]?.skill.name ?? "") : pluralize(plan.skills.length, "skill");
  if (errors > 0 && !options.allowFindings)
    return ask(
      `knack lint finds ${pluralize(errors, "error")}. ${verb} ${what} all the same?`,
      false,
      "--yes and --allow-findings",
    );
  return ask(`${verb} ${what}?`, true);
}
