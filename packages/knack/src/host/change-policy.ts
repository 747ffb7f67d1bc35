import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "@knack/core";
import { fullPath, type Named, refersTo, typedNameOf, typedSkillNames } from "@knack/core/catalog";
import {
  approvalsOf,
  type ConfigPlace,
  changePolicy,
  configFiles,
  describeRule,
  knackHome,
  loadConfig,
  looksLikePath,
  type Obstacle,
  type PolicyState,
  policyState,
  setTrusted,
  trustOf,
  undoCommand,
} from "@knack/core/config";
import { canonical } from "@knack/core/files";
import { isSameName, KnackError, normalize } from "@knack/core/text";

export type PolicyAction = "allow" | "deny" | "enable" | "disable";

/** What came of a change of rules or switches: `file` says so now. */
export type PolicyOutcome = Awaited<ReturnType<typeof changeSkillPolicy>>;

/** One change of one file, and whether it is then so: `knack allow` and its sisters, `POST /api/policy`. */
export async function changeSkillPolicy(
  action: PolicyAction,
  reference: string,
  catalog: Catalog,
  place: ConfigPlace,
  isForProject: boolean,
) {
  const files = configFiles(place);
  // A link from one to the other does not make them one: Knack follows none to a project's own files.
  const isShared =
    isForProject && files.project !== join(canonical(dirname(files.user)), basename(files.user));
  const file = isShared ? files.project : files.user;
  // A typed skill has no text that could be allowed; a deny stops its runs.
  const typed = action === "deny" ? await typedSkillNames(catalog.config.registry) : [];
  const subject = find(catalog, reference, typed);
  const own = isShared && place.trusted && place.accepted ? await loadConfig(place) : undefined;
  const changed = await change(action, subject, file, isShared, place);
  if (own && changed) await acceptOwnRules(place, own.widening[ALLOW]);
  const now = own ? { ...place, ...trustOf(place.projectRoot, place) } : place;
  const state = await policyState(now, subject.skills);
  // The other file may still speak of one that is gone.
  const spokenOf = { allow: state.denials, enable: state.switches, deny: [], disable: [] }[action];
  const [skill = subject] = subject.skills;
  const isSpokenOf = spokenOf.some((obstacle) => undoCommand(obstacle, skill) !== undefined);
  if (!changed && !subject.isKnown && !isSpokenOf) throw subject.error;
  /** Whether it is then as it was asked for; if not, `obstacles` has a line for each reason, with its remedy. */
  const isSo = isReached(action, state, subject.isKnown);
  const obstacles = isSo ? [] : obstaclesOf(action, subject, state);
  /** What somebody should know although it worked. */
  const remarks: string[] = [];
  if (action === "allow" && isShared && !place.trusted && subject.isKnown)
    remarks.push("an allow rule of a project has no effect until you trust it (knack trust).");
  if (subject.isByPath && subject.shared > 1 && (action === "allow" || action === "deny"))
    remarks.push(`${subject.shared} skills are called ${subject.name}; the rule applies to all of them.`);
  return { file, changed, subject, state, isSo, obstacles, remarks };
}

const ALLOW = "permissions.allow";

/** What the user's own command has written into a trusted project's file needs no second word of the user. */
async function acceptOwnRules(place: ConfigPlace, before: unknown): Promise<void> {
  const { projectRoot, accepted = {} } = place;
  if (!isDeepStrictEqual(before, accepted[ALLOW])) return;
  const { [ALLOW]: _, ...others } = accepted;
  const now = (await loadConfig(place)).widening[ALLOW];
  const widening = now === undefined ? others : { ...others, [ALLOW]: now };
  await setTrusted(projectRoot, true, place, approvalsOf(projectRoot, place), widening);
}

export function policyReport(action: PolicyAction, { subject, file, changed, state }: PolicyOutcome) {
  const isRule = action === "allow" || action === "deny";
  const now = isRule ? { decision: state.decision } : { enabled: state.isEnabled && !state.isEverythingOff };
  return { skill: subject.name, file, changed, ...now };
}

interface Subject {
  readonly name: string;
  /** All of one name; of a skill that is gone, what is still known of it. */
  readonly skills: readonly Named[];
  readonly isByPath: boolean;
  readonly shared: number;
  readonly isKnown: boolean;
  readonly error?: unknown;
}

/** A name may be that of several skills: a rule is for all of them. Of different names one has to be chosen. */
function find(catalog: Catalog, reference: string, typed: readonly string[]): Subject {
  const typedName = typedNameOf(typed, reference);
  const skills = catalog.candidates(reference).map(({ skill }) => skill);
  const names = new Set(skills.map(({ name }) => name));
  const [name] = names;
  // Not `fold`: of a typed skill and a skill with similar names, the one that is spelled out is meant.
  const isSpelled = name !== undefined && isSameName(name, reference);
  if (typedName !== undefined && !isSpelled && (typedName === reference || name === undefined))
    return { name: typedName, skills: [{ name: typedName }], isByPath: false, shared: 1, isKnown: true };
  if (name !== undefined && names.size === 1) {
    const shared = catalog.entries.filter(({ skill }) => skill.name === name).length;
    // By a path, an id or a scope one of several is meant.
    const isByPath = !refersTo(reference, { name });
    return { name, skills, isByPath, shared, isKnown: true };
  }
  try {
    const { skill } = catalog.resolveEntry(reference, { includeInactive: true });
    return { name: skill.name, skills: [skill], isByPath: true, shared: 1, isKnown: true };
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "NOT_FOUND") throw error;
    // It may be gone and still be spoken of in the file. A path that leads nowhere has no name.
    const isByPath = looksLikePath(reference);
    const gone = { isByPath, shared: 0, isKnown: false, error };
    if (!isByPath) return { ...gone, name: normalize(reference, "NFC"), skills: [{ name: reference }] };
    const dir = canonical(fullPath(reference, catalog.place)).replace(/[/\\]SKILL\.md$/, "");
    return { ...gone, name: "", skills: [{ name: "", dir, path: join(dir, "SKILL.md") }] };
  }
}

async function change(
  kind: PolicyAction,
  subject: Subject,
  file: string,
  isShared: boolean,
  { home, env, projectRoot }: ConfigPlace,
): Promise<boolean> {
  const { name, skills, isByPath, isKnown } = subject;
  if (!isKnown && name === "" && kind !== "enable") throw subject.error;
  const project = isShared ? { root: projectRoot, userFolder: knackHome(env, home) } : undefined;
  const isEach = kind === "disable" && (isByPath || looksLikePath(name));
  let changed = false;
  for (const path of isEach ? skills.map(({ dir }) => dir) : [undefined]) {
    const one = { kind, skill: name, skills, path, onlyRemove: !isKnown };
    changed = (await changePolicy(file, one, home, project)) || changed;
  }
  // The file did speak of it; forbidding what is not there does no harm, and is what was asked.
  if (!isKnown && changed && kind === "deny") await changePolicy(file, { kind, skill: name }, home, project);
  return changed;
}

function isReached(kind: PolicyAction, state: PolicyState, isKnown: boolean): boolean {
  if (kind === "deny") return state.decision === "deny";
  if (kind === "disable") return !state.isEnabled;
  if (kind === "enable") return state.isEnabled && !state.isEverythingOff;
  return isKnown ? state.decision === "allow" : state.decision !== "deny";
}

function obstaclesOf(kind: PolicyAction, { name, skills }: Subject, state: PolicyState): string[] {
  const obstacles = kind === "allow" ? state.denials : state.switches;
  const [skill = { name }] = skills;
  const lines = obstacles.map((obstacle: Obstacle) => {
    const { file, what } = obstacle;
    const rule = typeof what === "string" ? `skills.disabled ${what}` : describeRule("deny", what);
    return `${file}: ${rule}; ${undoCommand(obstacle, skill) ?? "remove it there"}`;
  });
  if (kind === "enable" && state.isEverythingOff) lines.push("skills.enabled is false in the configuration");
  if (lines.length === 0 && kind === "allow")
    lines.push("its rule has no effect until you trust the project: knack trust");
  return lines;
}
