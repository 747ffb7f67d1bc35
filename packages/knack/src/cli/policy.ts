import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Catalog, isTrusted, SkillError } from "@knack/core";
import { canonical, homeFolder } from "@knack/core/internal";
import {
  type ConfigPlace,
  changePolicy,
  configFiles,
  describeRule,
  type Obstacle,
  type PolicyState,
  policyState,
} from "@knack/core/internal/policy";
import { open } from "./open.ts";
import type { GlobalOptions } from "./options.ts";
import { note, painter, print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

export interface PolicyOptions extends GlobalOptions {
  readonly project?: boolean;
}

type Kind = "allow" | "deny" | "enable" | "disable";

const DONE = { allow: "allowed", deny: "denied", enable: "enabled", disable: "disabled" } as const;

/** `knack allow`, `deny`, `enable` and `disable`: one change of one file, and whether it is then so. */
export async function changeSkillPolicy(
  kind: Kind,
  reference: string,
  options: PolicyOptions,
): Promise<void> {
  const catalog = await open(options, { enabled: true });
  const env = process.env;
  const { projectRoot } = catalog;
  const home = homeFolder(env);
  const place = { projectRoot, home, env, trusted: isTrusted(projectRoot, { env, home }) };
  const files = configFiles(place);
  const isShared = options.project === true && canonical(files.project) !== canonical(files.user);
  const file = isShared ? files.project : files.user;
  const subject = find(catalog, reference, resolve(options.cwd ?? "."));
  const changed = await change(kind, subject, file, isShared, place);
  if (!changed && !subject.isKnown) throw subject.error;

  const state = await policyState(place, subject.name, subject.dirs);
  const isSo = isReached(kind, state, subject.isKnown);
  if (!isSo) process.exitCode = 1;
  const hasNoEffect = kind === "allow" && isShared && !place.trusted && subject.isKnown;
  if (hasNoEffect) note("note: an allow rule of a project has no effect until you trust it (knack trust).");
  if (subject.isByPath && subject.shared > 1 && (kind === "allow" || kind === "deny"))
    note(`note: ${subject.shared} skills are called ${visible(subject.name)}; the rule is for all of them.`);
  if (!isSo) tellObstacles(kind, subject, state, options);
  if (options.json) {
    const isRule = kind === "allow" || kind === "deny";
    const outcome = isRule
      ? { decision: state.decision }
      : { enabled: state.isEnabled && !state.isEverythingOff };
    printJson({ skill: subject.name, file, changed, ...outcome });
  } else if (isSo) {
    const label = visible(subject.isByPath ? reference : subject.name);
    print(`${label} is ${changed ? "now" : "already"} ${DONE[kind]} (${visible(file)}).`);
  }
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
function find(catalog: Catalog, reference: string, cwd: string): Subject {
  const name = reference.normalize("NFC");
  const dirsOf = (wanted: string): string[] =>
    catalog.entries.filter(({ skill }) => skill.name === wanted).map(({ skill }) => skill.dir);
  const dirs = dirsOf(name);
  if (dirs.length > 0) return { name, dirs, isByPath: false, shared: dirs.length, isKnown: true };
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
  kind: Kind,
  subject: Subject,
  file: string,
  isShared: boolean,
  { home, trusted, projectRoot }: ConfigPlace,
): Promise<boolean> {
  const { name, dirs, isByPath, isKnown } = subject;
  if (!isKnown && name === "" && kind !== "enable") throw subject.error;
  const options = { home, isShared, ...(isShared && !trusted ? { within: projectRoot } : {}) };
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

function isReached(kind: Kind, state: PolicyState, isKnown: boolean): boolean {
  if (kind === "deny") return state.decision === "deny";
  if (kind === "disable") return !state.isEnabled;
  if (kind === "enable") return state.isEnabled && !state.isEverythingOff;
  return isKnown ? state.decision === "allow" : state.decision !== "deny";
}

/** Why it is not so, and what would make it so. */
function tellObstacles(kind: Kind, subject: Subject, state: PolicyState, options: PolicyOptions): void {
  const { name } = subject;
  const obstacles = kind === "allow" ? state.denials : state.switches;
  const lines = obstacles.map(({ file, isOfProject, what }: Obstacle) => {
    const rule = typeof what === "string" ? `skills.disabled ${what}` : describeRule("deny", what);
    const isGeneral = typeof what !== "string" && what.skill_name === undefined;
    const remedy = isGeneral
      ? "take it out there"
      : `knack ${kind} ${name}${isOfProject ? " --project" : ""}`;
    return `${file}: ${rule}; ${remedy}`;
  });
  if (kind === "enable" && state.isEverythingOff) lines.push("skills.enabled is false in the configuration");
  if (lines.length === 0 && kind === "allow") lines.push("its rule does not count; knack trust");
  const stays = { allow: `not ${DONE.allow}`, deny: "not denied", enable: "off", disable: "not disabled" }[
    kind
  ];
  const label = painter(options, 2)("red", "error:");
  note(
    [`${label} ${visible(name)} is still ${stays}:`, ...lines.map((line) => `  ${visible(line)}`)].join("\n"),
  );
}
