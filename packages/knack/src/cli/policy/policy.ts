import { changeSkillPolicy, type PolicyAction, policyReport } from "../../host/change-policy.ts";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface PolicyOptions extends GlobalOptions {
  readonly project?: boolean;
}

const DONE = { allow: "allowed", deny: "denied", enable: "enabled", disable: "disabled" } as const;
const STILL = { allow: "not allowed", deny: "not denied", enable: "off", disable: "not disabled" } as const;

type PolicyCommand = (reference: string, options: PolicyOptions) => Promise<void>;

const command =
  (action: PolicyAction): PolicyCommand =>
  (reference, options) =>
    change(action, reference, options);

export const allow: PolicyCommand = command("allow");
export const deny: PolicyCommand = command("deny");
export const enable: PolicyCommand = command("enable");
export const disable: PolicyCommand = command("disable");

async function change(action: PolicyAction, reference: string, options: PolicyOptions): Promise<void> {
  const project = openProject(options);
  const catalog = await project.catalog({ enabled: true });
  const { place } = project;
  const outcome = await changeSkillPolicy(action, reference, catalog, place, options.project === true);
  const { subject, file, changed, isSo, obstacles, remarks } = outcome;
  if (!isSo) process.exitCode = 1;
  for (const remark of remarks) note(`note: ${escapeControl(remark)}`);
  if (!isSo) {
    const label = painter(options, 2)("red", "error:");
    const first = `${label} ${escapeControl(subject.name)} is still ${STILL[action]}:`;
    note([first, ...obstacles.map((line) => `  ${escapeControl(line)}`)].join("\n"));
  }
  if (options.json) printJson(policyReport(action, outcome));
  else if (isSo) {
    const label = escapeControl(subject.isByPath ? reference : subject.name);
    print(`${label} is ${changed ? "now" : "already"} ${DONE[action]} (${escapeControl(file)}).`);
  }
}
