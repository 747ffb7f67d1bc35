import { type Approval, approvalsOf, SkillError, setTrusted } from "@knack/core";
import { findProject, findState, foreignNote, homeFolder, loadConfig } from "@knack/core/internal";
import type { ApprovalChange } from "@knack/engine";
import type { GlobalOptions } from "../../options.ts";
import { messageOf } from "../../terminal/message-of.ts";
import { isTerminal, note, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

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
  const changed = setTrusted(project, trusted, place, approvals);
  await settleState(project, place, trusted, options);
  if (options.json) {
    printJson({ project, trusted: !options.revoke, changed, ...(changes.length > 0 ? { changes } : {}) });
    return;
  }
  const state = options.revoke ? "not trusted" : "trusted";
  print(`${escapeControl(project)} is ${changed ? "now" : "already"} ${state}.`);
}

/** The state follows the trust; a database that came with the project stays where it is until its user wants it. */
async function settleState(
  projectRoot: string,
  place: { env: NodeJS.ProcessEnv; home: string },
  trusted: boolean,
  options: TrustOptions,
): Promise<void> {
  try {
    const { config } = await loadConfig({ projectRoot, ...place, trusted: true });
    const question = { ...place, projectRoot, url: config.store.url };
    const { foreign } = findState({ ...question, trusted });
    if (foreign) {
      const line = foreignNote(findState({ ...question, trusted })) ?? "";
      if (options.yes || !(await wantsImport(foreign.path))) note(`note: ${escapeControl(line)}`);
      else {
        const { importState } = await import("@knack/engine");
        const done = await importState(question);
        if (done)
          note(`${done.records} records of ${escapeControl(foreign.path)} are valid and were imported.`);
      }
      return;
    }
    const { followTrust } = await import("@knack/engine");
    const moved = await followTrust(question, trusted);
    if (moved === "runs are going on")
      note(
        "note: Runs are in progress, so the state of this project was not moved; run this again when they have finished.",
      );
  } catch (error) {
    // Trust is given or revoked all the same; the state is where it was.
    note(`note: The state of this project was not moved: ${escapeControl(messageOf(error))}`);
  }
}

async function wantsImport(path: string): Promise<boolean> {
  if (!isTerminal(0) || !isTerminal(2)) return false;
  const { confirm } = await import("@clack/prompts");
  const message = `${escapeControl(path)} came with the project. Check it and import its records?`;
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
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
    store: config.store.url,
    ...place,
  });
  return engine.approvals;
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
