import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Catalog, SkillError } from "@knack/core";
import {
  type ConfigPlace,
  canonical,
  changePolicy,
  configFiles,
  describeRule,
  type Obstacle,
  type PolicyState,
  policyState,
  typedSkillNames,
} from "@knack/core/internal";

export type PolicyAction = "allow" | "deny" | "enable" | "disable";

/** What came of a change of rules or switches. */
export interface PolicyOutcome {
  /** The file that says so now. */
  readonly file: string;
  readonly changed: boolean;
  readonly subject: Subject;
  readonly state: PolicyState;
  /** Whether it is then as it was asked for; if not, `obstacles` has a line for each reason, with its remedy. */
  readonly isSo: boolean;
  readonly obstacles: readonly string[];
  /** What somebody should know although it worked. */
  readonly remarks: readonly string[];
}

/** One change of one file, and whether it is then so: `knack allow` and its sisters, `POST /api/policy`. */
export async function changeSkillPolicy(
  action: PolicyAction,
  reference: string,
  catalog: Catalog,
  place: ConfigPlace,
  isForProject: boolean,
): Promise<PolicyOutcome> {
  const files = configFiles(place);
  // A link from one to the other does not make them one: Knack follows none to a project's own files.
  const isShared =
    isForProject && files.project !== join(canonical(dirname(files.user)), basename(files.user));
  const file = isShared ? files.project : files.user;
  // A typed skill has no text that could be allowed; a deny stops its runs.
  const typed = action === "deny" ? await typedSkillNames(catalog.config.registry) : [];
  const subject = find(catalog, reference, typed);
  const changed = await change(action, subject, file, isShared, place);
  if (!changed && !subject.isKnown) throw subject.error;
  const state = await policyState(place, subject.name, subject.dirs);
  const isSo = isReached(action, state, subject.isKnown);
  const remarks: string[] = [];
  if (action === "allow" && isShared && !place.trusted && subject.isKnown)
    remarks.push("an allow rule of a project has no effect until you trust it (knack trust).");
  if (subject.isByPath && subject.shared > 1 && (action === "allow" || action === "deny"))
    remarks.push(`${subject.shared} skills are called ${subject.name}; the rule applies to all of them.`);
  const obstacles = isSo ? [] : obstaclesOf(action, subject, state);
  return { file, changed, subject, state, isSo, obstacles, remarks };
}

/** As programs see it. */
export function policyReport(action: PolicyAction, { subject, file, changed, state }: PolicyOutcome): object {
  const isRule = action === "allow" || action === "deny";
  const now = isRule ? { decision: state.decision } : { enabled: state.isEnabled && !state.isEverythingOff };
  return { skill: subject.name, file, changed, ...now };
}

/** Which skills a person means. */
interface Subject {
  readonly name: string;
  /** Their folders; all of one name. */
  readonly dirs: readonly string[];
  readonly isByPath: boolean;
  /** How many skills have the name. */
  readonly shared: number;
  readonly isKnown: boolean;
  /** For a skill that is not in the catalog. */
  readonly error?: unknown;
}

/** A name first, then a path, as everywhere; a name may be that of several skills. */
function find(catalog: Catalog, reference: string, typed: readonly string[]): Subject {
  const { cwd } = catalog;
  const name = reference.normalize("NFC");
  const dirsOf = (wanted: string): string[] =>
    catalog.entries.filter(({ skill }) => skill.name === wanted).map(({ skill }) => skill.dir);
  const dirs = dirsOf(name);
  if (dirs.length > 0) return { name, dirs, isByPath: false, shared: dirs.length, isKnown: true };
  if (typed.includes(name)) return { name, dirs, isByPath: false, shared: 1, isKnown: true };
  const isByPath =
    /[/\\]/.test(reference) || reference.startsWith(".") || existsSync(resolve(cwd, reference));
  try {
    const { skill } = catalog.resolveEntry(isByPath ? { path: reference } : { name }, {
      includeInactive: true,
    });
    const shared = dirsOf(skill.name).length;
    return { name: skill.name, dirs: [skill.dir], isByPath, shared, isKnown: true };
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== "NOT_FOUND") throw error;
    // It may be gone and still be spoken of in the file. A path that leads nowhere has no name.
    const gone = canonical(resolve(cwd, reference)).replace(/[/\\]SKILL\.md$/, "");
    return isByPath
      ? { name: "", dirs: [gone], isByPath, shared: 0, isKnown: false, error }
      : { name, dirs: [], isByPath, shared: 0, isKnown: false, error };
  }
}

async function change(
  kind: PolicyAction,
  subject: Subject,
  file: string,
  isShared: boolean,
  { home, projectRoot }: ConfigPlace,
): Promise<boolean> {
  const { name, dirs, isByPath, isKnown } = subject;
  if (!isKnown && name === "" && kind !== "enable") throw subject.error;
  const options = { home, isShared, ...(isShared ? { within: projectRoot } : {}) };
  const base = { kind, skill: name, ...(isKnown ? {} : { onlyRemove: true }) };
  const looksLikePath = /[/\\]|^[.~]/.test(name);
  const paths = kind === "enable" || (kind === "disable" && (isByPath || looksLikePath)) ? dirs : [undefined];
  let changed = false;
  for (const path of paths.length > 0 ? paths : [undefined]) {
    const one = path === undefined ? base : { ...base, path };
    changed = (await changePolicy(file, one, options)) || changed;
  }
  // The file did speak of it; forbidding what is not there does no harm, and is what was asked.
  if (!isKnown && changed && kind === "deny") await changePolicy(file, { kind, skill: name }, options);
  return changed;
}

function isReached(kind: PolicyAction, state: PolicyState, isKnown: boolean): boolean {
  if (kind === "deny") return state.decision === "deny";
  if (kind === "disable") return !state.isEnabled;
  if (kind === "enable") return state.isEnabled && !state.isEverythingOff;
  return isKnown ? state.decision === "allow" : state.decision !== "deny";
}

/** Why it is not so, and what would make it so. */
function obstaclesOf(kind: PolicyAction, { name }: Subject, state: PolicyState): string[] {
  const obstacles = kind === "allow" ? state.denials : state.switches;
  const lines = obstacles.map(({ file, isOfProject, what }: Obstacle) => {
    const rule = typeof what === "string" ? `skills.disabled ${what}` : describeRule("deny", what);
    const isGeneral = typeof what !== "string" && what.skill_name === undefined;
    const remedy = isGeneral ? "remove it there" : `knack ${kind} ${name}${isOfProject ? " --project" : ""}`;
    return `${file}: ${rule}; ${remedy}`;
  });
  if (kind === "enable" && state.isEverythingOff) lines.push("skills.enabled is false in the configuration");
  if (lines.length === 0 && kind === "allow")
    lines.push("its rule has no effect until you trust the project: knack trust");
  return lines;
}
