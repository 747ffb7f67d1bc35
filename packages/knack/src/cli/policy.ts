import { isDeepStrictEqual } from "node:util";
import {
  type Approval,
  approvalsOf,
  findProject,
  homeFolder,
  loadConfig,
  setTrusted,
  trustOf,
  type Widening,
} from "@knack/core/config";
import {
  acceptedIn,
  acceptLocked,
  folderOf,
  keepTexts,
  type LockPlace,
  projectLock,
  readLock,
} from "@knack/core/lock";
import {
  type AccessToken,
  type ApprovalChange,
  addAccessToken,
  approvalChanges,
  listAccessTokens,
  openEngine,
  revokeAccessToken,
  shownValue,
} from "@knack/engine";
import { changeSkillPolicy, type PolicyAction, policyReport } from "../host/change-policy.ts";
import { openProject, withEngine } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import {
  isTerminal,
  note,
  noteError,
  print,
  printAnswer,
  printJson,
  requireConsent,
} from "../terminal/output.ts";
import { type CellColumn, showTable } from "../terminal/table.ts";
import { escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

const DONE = { allow: "allowed", deny: "denied", enable: "enabled", disable: "disabled" } as const;
const STILL = { allow: "not allowed", deny: "not denied", enable: "off", disable: "not disabled" } as const;

type PolicyCommand = (reference: string, options: CommandOptions<"allow">) => Promise<void>;

const policyCommand =
  (action: PolicyAction): PolicyCommand =>
  async (reference, options) => {
    const project = openProject(options);
    const catalog = await project.catalog({ enabled: true });
    const ofProject = options.project === true;
    const outcome = await changeSkillPolicy(action, reference, catalog, project.place, ofProject);
    const { subject, file, changed, isSo, obstacles, remarks } = outcome;
    for (const remark of remarks) note(`note: ${escapeControl(remark)}`);
    if (!isSo) {
      process.exitCode = 1;
      const lines = [`${subject.name} is still ${STILL[action]}:`, ...obstacles];
      noteError(lines.map(escapeControl).join("\n"));
    }
    if (options.json) printJson(policyReport(action, outcome));
    else if (isSo) {
      const label = escapeControl(subject.isByPath ? reference : subject.name);
      print(`${label} is ${changed ? "now" : "already"} ${DONE[action]} (${escapeControl(file)}).`);
    }
  };

export const allow = policyCommand("allow");
export const deny = policyCommand("deny");
export const enable = policyCommand("enable");
export const disable = policyCommand("disable");

/** `knack token add`: standard output has the token alone, so that it can go straight into a file. */
export async function addToken(name: string, options: CommandOptions<"token add">): Promise<void> {
  await withEngine(options, async (engine) => {
    const { text, token } = await addAccessToken(await engine.store(), { name, role: options.role });
    if (options.json) return printJson({ ...token, token: text });
    print(text);
    note(
      `note: This is the token of ${name} (${token.role}). It is not shown again; Knack keeps only its SHA-256.`,
    );
  });
}

const TOKEN_COLUMNS: readonly CellColumn<AccessToken>[] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "ROLE", cell: ({ role }) => role },
  {
    title: "STATE",
    drop: 3,
    cell: ({ revoked_at }) => (revoked_at ? `revoked ${day(revoked_at)}` : "valid"),
  },
  { title: "CREATED", drop: 2, cell: ({ created_at }) => day(created_at) },
  { title: "BY", flexible: true, least: 8, drop: 1, cell: ({ created_by }) => created_by },
];

const day = (time: string): string => time.slice(0, 10);

export async function listTokens(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const tokens = await listAccessTokens(await engine.history());
    const report = (): object => ({ tokens, count: tokens.length });
    showTable(options, report, tokens, TOKEN_COLUMNS, pluralize(tokens.length, "token"));
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const token = await revokeAccessToken(await engine.store(), name);
    const done = `Revoked the token of ${name} (${token.role}).`;
    printAnswer(options, token, `${done} A running server refuses it from the next request on.`);
  });
}

export async function trust(options: CommandOptions<"trust">): Promise<void> {
  const env = process.env;
  const place = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...place });
  // What is shown is what is approved: it is read once, before the question.
  const { approvals, widening } = options.revoke
    ? { approvals: [], widening: {} }
    : await currentState(project, place);
  const changes = options.revoke ? [] : approvalChanges(approvalsOf(project, place), approvals);
  const { accepted: before = {} } = trustOf(project, place);
  const configuration = Object.entries(widening)
    .filter(([key, value]) => !isDeepStrictEqual(before[key], value))
    .map(([key, value]) => `${key}: ${shownValue(before[key])} → ${shownValue(value)}`);
  const tell = (title: string, lines: readonly string[]): void => {
    if (!options.json) note([title, ...lines].join("\n  "));
  };
  if (configuration.length > 0)
    tell(
      ".knack/config.yaml: what reaches beyond this project, and you have not accepted",
      configuration.map(escapeControl),
    );
  for (const { skill, change, lines } of changes)
    tell(`${escapeControl(skill)}: ${CHANGES[change]}`, lines.map(escapeControl));
  const lock = options.revoke ? undefined : await unacceptedLock(projectLock(project, place));
  if (lock)
    tell(
      "skills.lock: what you have not accepted. To see a change: knack diff",
      lock.entries.map(({ folder }) => visiblePath(folder)),
    );
  if (!options.revoke && !options.yes && !(await ask(project))) return;
  const trusted = !options.revoke;
  const believes = await acceptLock(lock);
  if (!trusted) await acceptLocked(projectLock(project, place), new Map(), []);
  const changed = (await setTrusted(project, trusted, place, approvals, widening)) || believes;
  if (options.json) {
    printJson({
      ...{ project, trusted, changed },
      ...(changes.length > 0 ? { changes } : {}),
      ...(configuration.length > 0 ? { configuration } : {}),
      ...(lock ? { locked: lock.entries.map(({ folder }) => folder) } : {}),
    });
    return;
  }
  print(
    `${escapeControl(project)} is ${changed ? "now" : "already"} ${trusted ? "trusted" : "not trusted"}.`,
  );
}

/** The lock of a project, and its entries that the user has not accepted, if there are any. */
async function unacceptedLock(place: LockPlace) {
  const lock = await readLock(place);
  const isAccepted = acceptedIn(place);
  const entries = [...(lock?.values() ?? [])].filter((locked) => !isAccepted(locked));
  return lock && entries.length > 0 ? { place, lock, entries } : undefined;
}

async function acceptLock(found: Awaited<ReturnType<typeof unacceptedLock>>): Promise<boolean> {
  if (!found) return false;
  const { place, lock, entries } = found;
  await acceptLocked(place, lock, entries);
  keepTexts(
    place,
    entries.map(({ folder, files }) => ({ dir: folderOf(place, folder), files })),
  );
  return true;
}

/** Typed skills and configuration are trusted as they are now: a change of code, entry or a key that widens asks again. */
async function currentState(
  projectRoot: string,
  place: { env: NodeJS.ProcessEnv; home: string },
): Promise<{ readonly approvals: Approval[]; readonly widening: Widening }> {
  const { config, widening } = await loadConfig({ projectRoot, ...place, trusted: true });
  const engine = await openEngine({ projectRoot, registry: config.registry, ...place });
  try {
    return { approvals: engine.approvals, widening };
  } finally {
    await engine.close();
  }
}

const CHANGES: Readonly<Record<ApprovalChange["change"], string>> = {
  new: "a typed skill with code that you have not approved",
  changed: "changed since you approved it",
  gone: "no longer exists",
};

function ask(project: string): Promise<boolean> {
  if (isTerminal(0) && isTerminal(2))
    note(
      "Trusting a project lets its configuration and links reach outside it, offers its skills to models,\nand lets the code of its typed skills run in its current form.",
    );
  return requireConsent(`Trust ${escapeControl(project)}?`, { initialValue: false });
}
