import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { checkSkillText } from "@knack/core/check";
import type { ClientId } from "@knack/core/config";
import { isTrusted } from "@knack/core/config";
import { isInside } from "@knack/core/files";
import { readLock } from "@knack/core/lock";
import { fewOf, fold, KnackError, quote } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { interruptible } from "../host/signals.ts";
import { conflict, invalid, names, notFound } from "../options.ts";
import { parseSource } from "../sources/parse-source.ts";
import { isRefused, type OfferedSkill, reasonsOf, takeSkills } from "../sources/skills.ts";
import { bytesText, type Fetched, publicName } from "../sources/source.ts";
import { isTerminal, notChanged, note, noteError, printAnswer } from "../terminal/output.ts";
import { cut } from "../terminal/text-width.ts";
import { escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { clientSkillFolder, clientState, readClients } from "./client-links.ts";
import { downloadSource } from "./fetch.ts";
import { carryOut, type IncomingSkill, incomingSkill, type Kept } from "./incoming.ts";
import { recoverInstall } from "./journal.ts";
import {
  digestBefore,
  type InstallPlace,
  installPlace,
  refuseChanges,
  requireFolder,
  skillFolder,
} from "./place.ts";
import { findingLines, findingsOf, offerLines, shortCommit, skillJson, sourceLine } from "./show.ts";

/** `knack add`: gets skills from a source, shows what comes, asks, installs and locks them. */
export async function add(given: string, options: CommandOptions<"add">): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const clients = readClients(options.for);
  const place = installPlace(options);
  const source = parseSource(given, { cwd, home: place.home });
  if (options.link && options.copy) throw invalid("Choose one of --copy and --link.");
  if (options.link && source.kind !== "folder")
    throw invalid("--link needs a folder of this machine: a path that begins with ./, / or ~/.");
  if (source.kind === "git" && source.isShort && existsSync(join(cwd, given)))
    note(`note: ${given} is read as a GitHub repository; for the folder here write ./${given}`);
  await recoverInstall(place);
  using download = await downloadSource(source, place, interruptible(), publicName(source));
  const { fetched, scratch } = download;
  for (const link of download.links) note(`note: ${escapeControl(link)}`);
  const wanted = (options.skill ?? []).flatMap((text) => names(text, "--skill"));
  if (source.kind === "git" && source.skill !== undefined) wanted.push(source.skill);
  const skills = offeredSkills(download.skills, wanted);
  if (options.list) {
    const { source: name, ref, commit } = fetched;
    const offer = { source: name, ref, commit, skills: skills.map(skillJson) };
    return printAnswer(options, offer, [sourceLine(fetched), ...offerLines(skills, 1)].join("\n"));
  }
  const chosen = wanted.length > 0 ? skills : await chooseSkills(skills, options);
  if (!chosen) return void notChanged(true);
  const refused = chosen.filter(isRefused);
  const good = chosen.filter((skill) => !isRefused(skill));
  requireOneOfEach(good);
  // One that cannot be taken does not keep the others away; where there are no others it is an error.
  const folders = takeSkills(good.length > 0 ? good : refused, join(scratch.path, "skills"));
  for (const skill of refused) noteError(`${skill.path || "."}/SKILL.md is left out:\n${reasonsOf(skill)}`);
  const plan = await planSkills(place, { fetched, refused }, folders, clients, options);
  const proposal = options.link ? linkProposal(plan) : addProposal(plan);
  if (!(await carryOut(place, proposal, options))) return;
  if (refused.length > 0) process.exitCode = 1;
  if (options.dryRun || options.json) return;
  if (place.scope === "project" && !isTrusted(place.base, place))
    note("Agents cannot see the skills of this project until you trust it: knack trust");
  if (!options.link && plan.findings.some(({ severity }) => severity !== "note"))
    note('"knack lint" shows the findings again.');
}

interface PlannedSkill extends IncomingSkill {
  readonly action: "added" | "replaced" | "unchanged";
  readonly invalid: readonly string[];
}

type AddPlan = Awaited<ReturnType<typeof planSkills>>;

async function planSkills(
  place: InstallPlace,
  { fetched, refused }: { readonly fetched: Fetched; readonly refused: readonly OfferedSkill[] },
  folders: ReadonlyMap<OfferedSkill, string>,
  clients: readonly ClientId[],
  options: CommandOptions<"add">,
) {
  const lock = (await readLock(place.lock)) ?? new Map();
  const skills: PlannedSkill[] = [];
  for (const [skill, from] of folders) {
    const incoming = await incomingSkill(place, lock, fetched, skill, from);
    const { state, locked } = incoming;
    const isSame = "digest" in state && state.digest === locked.sha256 && state.kind !== "changed";
    const action = isSame ? "unchanged" : state.kind === "absent" ? "added" : "replaced";
    const problems = checkSkillText(readFileSync(join(from, "SKILL.md"), "utf8"), skill.name);
    skills.push({ ...incoming, action, invalid: problems.map(({ message }) => message) });
  }
  const endangered = skills.filter((one) => one.isEndangered);
  refuseChanges(place, endangered, options.force);
  for (const client of clients) for (const one of skills) await requireFree(place, client, one);
  const findings = findingsOf(new Map(skills.map(({ name, from }) => [name, from])));
  return { place, fetched, refused, clients, skills, findings };
}

async function requireFree(
  place: InstallPlace,
  client: ClientId,
  { name, state }: PlannedSkill,
): Promise<void> {
  const found = await clientState(place, client, name, digestBefore(state));
  if (found === "blocked") requireFolder(clientSkillFolder(client, place));
  if (found === "foreign")
    throw conflict(
      `${client} has a skill ${name} of its own already; nothing was changed. Remove it, or leave out --for ${client}.`,
    );
  if (found === "outside")
    throw conflict(
      `The skills folder of ${client} is a link that leads out of the project; nothing was changed.`,
    );
}

function addProposal(plan: AddPlan) {
  const { place, skills, findings, clients } = plan;
  return {
    verb: "Add" as const,
    skills,
    findings,
    steps: skills.map(({ name, from, locked, state, action }) => ({
      name,
      action: "put" as const,
      before: digestBefore(state),
      locked,
      clients,
      ...(action === "unchanged" ? {} : { from }),
    })),
    lines: (fd: 1 | 2) => planLines(plan, fd),
    report: (applied: boolean, kept: Kept) => planJson(plan, applied, kept),
    done: skills.map(({ name, action }) => `${action} ${name}: ${visiblePath(skillFolder(place, name).dir)}`),
  };
}

function planLines(plan: AddPlan, fd: 1 | 2): string[] {
  const { place, fetched, skills, findings, clients } = plan;
  const files = skills.reduce((sum, { skill }) => sum + skill.files.size, 0);
  const bytes = skills.reduce((sum, { skill }) => sum + skill.bytes, 0);
  const found = findingLines(findings);
  const planned = new Map(skills.map((one) => [one.skill, one]));
  return [
    `From ${sourceLine(fetched)}`,
    ...offerLines([...planned.keys()], fd, (skill) => remarksOf(planned.get(skill) as PlannedSkill)),
    ...(found.length === 0 ? [] : ["", ...found]),
    "",
    `${pluralize(skills.length, "skill")}, ${pluralize(files, "file")}, ${bytesText(bytes)} to ${visiblePath(place.skillsFolder)}${
      clients.length === 0 ? "" : `, also for ${clients.join(", ")}`
    }`,
  ];
}

function remarksOf({ action, state, isEndangered, invalid }: PlannedSkill): string[] {
  const problems = invalid.map(
    (message) => `not valid, so Knack will not offer it: ${escapeControl(message)}`,
  );
  if (action === "added") return problems;
  if (action === "unchanged") return ["already there, with the same files", ...problems];
  if (isEndangered) return ["replaces your own files; a copy is kept", ...problems];
  const from = "locked" in state ? state.locked : undefined;
  const at = from?.commit === undefined ? "" : ` at ${shortCommit(from.commit)}`;
  return [`replaces the version from ${visiblePath(from?.source ?? "this folder")}${at}`, ...problems];
}

function planJson(
  { place, fetched, refused, skills, findings, clients }: AddPlan,
  applied: boolean,
  kept: Kept,
): object {
  const { source, ref, commit } = fetched;
  return {
    source,
    ref,
    commit,
    applied,
    skills: skills.map(({ skill, locked, action }) => ({
      name: skill.name,
      path: skill.path || ".",
      folder: skillFolder(place, skill.name).dir,
      action,
      files: skill.files.size,
      bytes: skill.bytes,
      executables: skill.executables,
      sha256: locked.sha256,
      ...(kept.has(skill.name) ? { kept: kept.get(skill.name) } : {}),
    })),
    refused: refused.map(refusedJson),
    clients,
    findings: findings.filter(({ severity }) => severity !== "note"),
  };
}

const refusedJson = ({ name, path, faults }: OfferedSkill): object => ({ name, path: path || ".", faults });

/** `--link`: links to a folder of this machine. What changes there is used at once, so it is not locked. */
function linkProposal({ place, fetched, refused, skills, findings, clients }: AddPlan) {
  const { skillsFolder, base } = place;
  const links = skills.map(({ name, skill }) => ({
    name,
    folder: skillFolder(place, name).dir,
    target: realpathSync(join(fetched.source, skill.path)),
  }));
  return {
    verb: "Link" as const,
    skills,
    findings,
    steps: skills.map(({ name, state }, i) => {
      const target = links[i]?.target ?? "";
      const link = isInside(target, base) ? relative(skillsFolder, target) : target;
      return { name, action: "put" as const, before: digestBefore(state), locked: null, clients, link };
    }),
    lines: (fd: 1 | 2) => [
      `Links to ${sourceLine(fetched)}`,
      ...offerLines(
        skills.map(({ skill }) => skill),
        fd,
      ),
      ...findingLines(findings),
    ],
    report: (applied: boolean) => ({
      source: fetched.source,
      applied,
      skills: links,
      refused: refused.map(refusedJson),
    }),
    done: links.map(
      ({ name, folder, target }) => `linked ${name}: ${visiblePath(folder)} -> ${visiblePath(target)}`,
    ),
  };
}

/** The skills that are asked for; where none is named, all but those in hidden folders, if there are others. */
function offeredSkills(all: readonly OfferedSkill[], wanted: readonly string[]): readonly OfferedSkill[] {
  if (wanted.length > 0) return [...new Set(wanted.flatMap((name) => named(all, name)))];
  const hidden = all.filter(({ isHidden }) => isHidden);
  if (hidden.length === 0 || hidden.length === all.length) return all;
  const paths = hidden.map(({ path }) => path);
  const what = hidden.length === 1 ? "skill in a hidden folder is" : "skills in hidden folders are";
  note(
    `note: ${hidden.length} ${what} not offered: ${visiblePath(fewOf(paths))}. To take one: --skill ${visiblePath(paths[0] ?? "")}`,
  );
  return all.filter(({ isHidden }) => !isHidden);
}

function requireOneOfEach(skills: readonly OfferedSkill[]): void {
  for (const [name, same] of Map.groupBy(skills, (skill) => skill.name)) {
    if (same.length === 1) continue;
    const paths = same.map(({ path }) => path || ".");
    throw new KnackError(
      "CONFLICT",
      `The source has ${same.length} skills named ${name}: ${fewOf(paths)}. Name one by its path: --skill ${paths[0]}`,
      { candidates: paths },
    );
  }
}

/** All skills with `--yes`, or those chosen from a list; `undefined` where that was cancelled. */
async function chooseSkills(
  skills: readonly OfferedSkill[],
  { yes }: CommandOptions<"add">,
): Promise<readonly OfferedSkill[] | undefined> {
  if (skills.length === 1 || yes) return skills;
  if (isTerminal(0) && isTerminal(2)) return askWhich(skills);
  const list = fewOf(skills.map(({ name }) => name));
  throw invalid(
    `The source has ${skills.length} skills: ${list}.\nChoose with --skill a,b, or take all with --yes.`,
  );
}

/** By name as it is written, or by path; else by a name in another case. */
function named(skills: readonly OfferedSkill[], wanted: string): OfferedSkill[] {
  const path = wanted.replace(/\/$/, "");
  const found = skills.filter((skill) => skill.name === wanted || (skill.path || ".") === path);
  if (found.length > 0) return found;
  const folded = skills.filter(({ name }) => fold(name) === fold(wanted));
  if (folded.length > 0) return folded;
  const list = fewOf(skills.map(({ name }) => name));
  throw notFound(`The source has no skill ${quote(wanted)}. It has: ${list}.`);
}

async function askWhich(skills: readonly OfferedSkill[]): Promise<readonly OfferedSkill[] | undefined> {
  const { multiselect, isCancel } = await import("@clack/prompts");
  const answer = await multiselect({
    message: `Which of the ${skills.length} skills? (space to select, a for all)`,
    options: skills.map((skill) => {
      const disabled = isRefused(skill);
      const hint = disabled ? "refused" : cut(escapeControl(skill.description), 60);
      return { value: skill, label: escapeControl(skill.name), hint, disabled };
    }),
    maxItems: 15,
    required: true,
    output: process.stderr,
  });
  return isCancel(answer) ? undefined : (answer as OfferedSkill[]);
}
