import { type Approval, approvalsOf, SkillError, setTrusted } from "@knack/core";
import { findProject, homeFolder, loadConfig } from "@knack/core/config";
import { type ApprovalChange, addAccessToken, listAccessTokens, revokeAccessToken } from "@knack/engine";
import { changeSkillPolicy, type PolicyAction, policyReport } from "../host/change-policy.ts";
import { openProject, withEngine } from "../host/open-project.ts";
import { tokenReport } from "../host/reports.ts";
import type { GlobalOptions } from "../options.ts";
import { isTerminal, note, painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl, pluralize } from "../terminal/visible.ts";

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

/** `knack token add`: standard output has the token alone, so that it can go straight into a file. */
export async function addToken(
  name: string,
  options: GlobalOptions & { readonly role: string },
): Promise<void> {
  await withEngine(options, async (engine) => {
    const { text, token } = await addAccessToken(await engine.store(), { name, role: options.role });
    if (options.json) {
      printJson({ ...tokenReport(token), token: text });
      return;
    }
    print(text);
    note(
      `note: This is the token of ${name} (${token.role}). It is not shown again; Knack keeps only its SHA-256.`,
    );
  });
}

export async function listTokens(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const tokens = (await listAccessTokens(await engine.history())).map(tokenReport);
    if (options.json) {
      printJson({ tokens, count: tokens.length });
      return;
    }
    const columns = [
      { title: "NAME" },
      { title: "ROLE" },
      { title: "STATE", drop: 3 },
      { title: "CREATED", drop: 2 },
      { title: "BY", flexible: true, least: 8, drop: 1 },
    ];
    const rows = tokens.map(({ name, role, created_at, created_by, revoked_at }) => [
      escapeControl(name),
      role,
      revoked_at === null ? "valid" : `revoked ${day(revoked_at)}`,
      day(created_at),
      escapeControl(created_by),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    if (rows.length > 0) print([painter(options)("bold", head), ...lines].join("\n"));
    note(painter(options, 2)("dim", pluralize(rows.length, "token")));
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const token = await revokeAccessToken(await engine.store(), name);
    if (options.json) printJson(tokenReport(token));
    else
      print(
        `Revoked the token of ${name} (${token.role}). A running server refuses it from the next request on.`,
      );
  });
}

function day(time: string): string {
  return time.slice(0, 10);
}

export interface TrustOptions extends GlobalOptions {
  readonly revoke?: boolean;
  readonly yes?: boolean;
}

export async function trust(options: TrustOptions): Promise<void> {
  const env = process.env;
  const place = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...place });
  // What is shown is what is approved: it is read once, before the question.
  const approvals = options.revoke ? [] : await currentApprovals(project, place);
  const changes = options.revoke ? [] : await changesOf(approvalsOf(project, place), approvals);
  if (!options.json) for (const line of changeLines(changes)) note(line);
  const answer = options.revoke || options.yes ? "yes" : await ask(project);
  if (answer !== "yes") {
    note("Nothing was changed.");
    process.exitCode = answer === "cancelled" ? 130 : 1;
    return;
  }
  const trusted = !options.revoke;
  const changed = await setTrusted(project, trusted, place, approvals);
  if (options.json) {
    printJson({ project, trusted: !options.revoke, changed, ...(changes.length > 0 ? { changes } : {}) });
    return;
  }
  const state = options.revoke ? "not trusted" : "trusted";
  print(`${escapeControl(project)} is ${changed ? "now" : "already"} ${state}.`);
}

/** Typed skills are trusted as they are now, code and entry: a change of either asks again. */
async function currentApprovals(
  projectRoot: string,
  place: { env: NodeJS.ProcessEnv; home: string },
): Promise<Approval[]> {
  const { config } = await loadConfig({ projectRoot, ...place, trusted: true });
  const { openEngine } = await import("@knack/engine");
  const engine = await openEngine({
    projectRoot,
    registry: config.registry,
    ...place,
  });
  try {
    return engine.approvals;
  } finally {
    await engine.close();
  }
}

async function changesOf(
  before: readonly Approval[],
  now: readonly Approval[],
): Promise<readonly ApprovalChange[]> {
  const { approvalChanges } = await import("@knack/engine");
  return approvalChanges(before, now);
}

/** Old → new, a line for each thing that differs from what was approved. */
function changeLines(changes: readonly ApprovalChange[]): string[] {
  return changes.flatMap(({ skill, change, lines }) => [
    `${escapeControl(skill)}: ${SAID[change]}`,
    ...lines.map((line) => `  ${escapeControl(line)}`),
  ]);
}

const SAID: Readonly<Record<ApprovalChange["change"], string>> = {
  new: "a typed skill with code that you have not approved",
  changed: "changed since you approved it",
  gone: "no longer exists",
};

async function ask(project: string): Promise<"yes" | "no" | "cancelled"> {
  if (!isTerminal(0) || !isTerminal(2)) {
    throw new SkillError(
      "INVALID_PARAM",
      "This needs your confirmation; run it in a terminal, or add --yes.",
    );
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  note(
    "Trusting a project lets its configuration and links reach outside it, offers its skills to models,\nand lets the code of its typed skills run in its current form.",
  );
  const answer = await confirm({
    message: `Trust ${escapeControl(project)}?`,
    initialValue: false,
    output: process.stderr,
  });
  if (isCancel(answer)) return "cancelled";
  return answer ? "yes" : "no";
}
