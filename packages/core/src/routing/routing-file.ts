import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Skills } from "../access/find-skill.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import { DEFAULT_CONFIG } from "../config/config.ts";
import { problemText } from "../config/load.ts";
import { isRole, ROLES, type Role } from "../context/guides/role-guide.ts";
import type { Catalog } from "../open-catalog.ts";
import { typedNameOf } from "../resolve/resolve.ts";
import { KnackError } from "../shared/errors.ts";
import { nearest } from "../shared/nearest.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { quote } from "../shared/quote.ts";
import { faultText, isAbsent, readRegularFile } from "../shared/regular-file.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { parseYamlFile } from "../skill/yaml/yaml-profile.ts";
import { type YamlFault, YamlMapping } from "../skill/yaml/yaml-reader.ts";
import { compilePattern, type RoutePattern } from "./pattern.ts";

interface RoutingProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface RouteTarget<Skill> {
  readonly role: Role;
  readonly skill: Skill;
  readonly reason: string;
}

interface Rule<Skill> extends RouteTarget<Skill> {
  readonly id: string;
  readonly priority: number;
  readonly patterns: readonly RoutePattern[];
}

/** A skill as a routing file names it: by name or path. */
interface StatedSkill {
  readonly name: string;
  readonly line: number;
}

interface StatedRouting {
  readonly default: RouteTarget<StatedSkill>;
  readonly routes: readonly Rule<StatedSkill>[];
}

export type RoutingRule = Rule<SkillMetadata>;

export interface Routing {
  /** The file it comes from; `null` if there is none, or it may not be read. */
  readonly file: string | null;
  /** In the order in which they are tried. */
  readonly routes: readonly RoutingRule[];
  /** `null` if no file names one and the root skill does not exist. */
  readonly default: RouteTarget<SkillMetadata | null>;
  /** Skills of an untrusted project may not be proposed. */
  readonly accepts: (skill: SkillMetadata) => boolean;
  readonly notes: readonly string[];
}

const MAX_ROUTES = 500;
const MAX_PATTERNS = 200;
/** For all patterns together, so that every request is answered quickly. */
const MAX_TOTAL_SIZE = 6_000;
const MAX_PRIORITY = 1_000_000;
const ID = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]{0,63}$/u;

/** Or every problem with its line. */
export function readRouting(text: string, file: string): StatedRouting | readonly RoutingProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document) return [{ file, line: document.line ?? 1, message: document.message }];
  const problems: RoutingProblem[] = [];
  const report = ({ line, message }: YamlFault): void => void problems.push({ file, line, message });
  const top = new YamlMapping({ lineOf: document.lineOf, report }, document.data, [
    "version",
    "default",
    "routes",
  ]);
  if (top.value("version") !== 1) top.wrong("version", "1", top.value("version"));
  const fallback = readDefault(top);
  const ids = new Set<string>();
  const routes = top
    .mappings("routes", ["id", "role", "skill", "reason", "patterns", "priority"], { most: MAX_ROUTES })
    .flatMap((route) => readRoute(route, ids) ?? []);
  const size = routes.flatMap(({ patterns }) => patterns).reduce((sum, pattern) => sum + pattern.size, 0);
  if (size > MAX_TOTAL_SIZE) {
    const message = `The patterns have ${size} steps together, at most ${MAX_TOTAL_SIZE} are allowed (E_REGEX_UNSAFE).`;
    top.fail("routes", message);
  }
  return problems.length > 0 || !fallback ? problems : { default: fallback, routes };
}

function readDefault(top: YamlMapping): RouteTarget<StatedSkill> | undefined {
  if (!top.has("default")) {
    const next = "add role, skill and reason for requests that no rule matches.";
    return top.fail("default", `"default" is missing: ${next}`);
  }
  const fallback = top.mapping("default", ["role", "skill", "reason"]);
  return fallback && readTarget(fallback);
}

/** `ids`: of the routes before it. */
function readRoute(route: YamlMapping, ids: Set<string>): Rule<StatedSkill> | undefined {
  const id = readId(route, ids);
  const target = readTarget(route);
  const patterns = readPatterns(route);
  const isAllowed = (number: number): boolean => Math.abs(number) <= MAX_PRIORITY;
  const priority = route.wholeNumber("priority", `up to ${MAX_PRIORITY}`, isAllowed) ?? 0;
  return id !== undefined && target ? { ...target, id, priority, patterns } : undefined;
}

function readId(route: YamlMapping, ids: Set<string>): string | undefined {
  const id = route.text("id", { needed: true, most: 1_000 })?.normalize("NFC");
  if (id === undefined) return undefined;
  if (!ID.test(id)) return route.wrong("id", 'letters, digits, ".", "_" and "-", at most 64', id);
  if (ids.has(id)) return route.fail("id", `Two routes have the id ${quote(id)}; rename one.`);
  ids.add(id);
  return id;
}

function readTarget(map: YamlMapping): RouteTarget<StatedSkill> | undefined {
  const role = map.text("role", { needed: true, most: 64 });
  const isKnown = role !== undefined && isRole(role);
  if (role !== undefined && !isKnown)
    map.unknownName("role", "role", role, ROLES, `The roles are ${ROLES.join(", ")}.`);
  const name = map.text("skill", { needed: true, most: 4_096 });
  const reason = map.text("reason", { needed: true, most: 1_000 });
  if (!isKnown || name === undefined || reason === undefined) return undefined;
  return { role, skill: { name, line: map.lineOf("skill") }, reason };
}

function readPatterns(route: YamlMapping): RoutePattern[] {
  const given = route.value("patterns") ?? [];
  if (Array.isArray(given) && given.length === 0) {
    const name = route.nameOf("patterns");
    route.fail("patterns", `"${name}" is missing: a route without a pattern never matches.`);
  }
  return route.list("patterns", { most: MAX_PATTERNS }).flatMap((_, index) => {
    const at = ["patterns", index];
    const source = route.text(at, { needed: true });
    if (source === undefined) return [];
    const pattern = compilePattern(source);
    if (typeof pattern !== "string") return [pattern];
    route.fail(at, `"${route.nameOf(at)}" ${quote(source)} ${pattern}`);
    return [];
  });
}

const MAX_FILE_BYTES = 256 * 1024;

/** Where document 000 §8 has the rules. */
const ROUTING_OF_ROOT_SKILL = "skills/tao-of-coding/references/skill-routing.yaml";

/** If the default file does not exist, that of document 000. */
function routingFile({ config: { routing }, projectRoot }: Catalog): string {
  if (routing !== resolve(projectRoot, DEFAULT_CONFIG.routing) || existsSync(routing)) return routing;
  const other = resolve(projectRoot, ROUTING_OF_ROOT_SKILL);
  return existsSync(other) ? other : routing;
}

/** All problems become one `KnackError`; an untrusted project's file is not read. `typed`: names that a route may use too. */
export function loadRouting(catalog: Catalog, trusted: boolean, typed: readonly string[] = []): Routing {
  const accepts = (skill: SkillMetadata): boolean => trusted || skill.scope !== "repo";
  const file = routingFile(catalog);
  const isOfProject = [file, canonical(file)].some((path) => isInside(path, catalog.projectRoot));
  if (isOfProject && !trusted) {
    const note = `${file} is not read until you trust this project (knack trust); only your own skills are proposed.`;
    return withoutFile(catalog, accepts, existsSync(file) ? [note] : []);
  }
  const text = readText(file, catalog.projectRoot);
  if (text === undefined) return withoutFile(catalog, accepts, []);
  const stated = readRouting(text, file);
  if ("routes" in stated) return withSkills(stated, file, { catalog, typedSkills: typed }, accepts);
  throw new KnackError("CONFIG_INVALID", problemText(stated));
}

/** `undefined` if the default file does not exist. A configured file must exist. */
function readText(file: string, projectRoot: string): string | undefined {
  const content = readRegularFile(file, MAX_FILE_BYTES, true);
  if (!("fault" in content)) return content.bytes.toString("utf8");
  if (isAbsent(content) && file === resolve(projectRoot, DEFAULT_CONFIG.routing)) return undefined;
  const why = isAbsent(content)
    ? 'does not exist, but "routing" in the configuration names it; create it or change "routing"'
    : faultText(content, MAX_FILE_BYTES);
  throw new KnackError("CONFIG_INVALID", `${file} ${why}.`);
}

/** Without rules, the root skill gets every request that the search is not confident about. */
function withoutFile(catalog: Catalog, accepts: Routing["accepts"], notes: readonly string[]): Routing {
  const { root } = catalog.config.dispatch;
  const named = catalog.candidates(root).find(({ skill, status }) => status === "active" && accepts(skill));
  const skill = named?.skill ?? null;
  const reason = skill
    ? "There are no routing rules, so the root skill decides what to do next."
    : `There are no routing rules, and the root skill ${JSON.stringify(root)} does not exist.`;
  return { file: null, routes: [], default: { role: "explorer", skill, reason }, accepts, notes };
}

function withSkills(
  stated: StatedRouting,
  file: string,
  { catalog, typedSkills }: Skills,
  accepts: Routing["accepts"],
): Routing {
  const problems: RoutingProblem[] = [];
  const notes: string[] = [];
  /** The active skill, or why it is not; one that does not exist is a problem. */
  const find = ({ name, line }: StatedSkill): SkillMetadata | string | undefined => {
    try {
      const place = { includeInactive: true, cwd: catalog.projectRoot };
      const { skill, status, reason } = catalog.resolveEntry(name, place);
      return status === "active" ? skill : `${status}: ${reason}`;
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      const isUnknown = error.code === "NOT_FOUND";
      const typed = isUnknown ? typedNameOf(typedSkills, name) : undefined;
      if (typed !== undefined) return typedTarget(typed);
      const names = [...catalog.skills.map((skill) => skill.name), ...typedSkills];
      // Only the first problems are printed, and comparing with thousands of names is slow.
      const guess = isUnknown && problems.length < 5 ? nearest(name.slice(0, 64), names) : undefined;
      const hint = guess ? ` Did you mean ${JSON.stringify(guess)}?` : "";
      problems.push({ file, line, message: `${error.message.replaceAll("\n", " ")}${hint}` });
      return undefined;
    }
  };
  const fallback = find(stated.default.skill);
  if (typeof fallback === "string") {
    const { name, line } = stated.default.skill;
    const message = `The skill of "default", ${JSON.stringify(name)}, is ${fallback}.`;
    problems.push({ file, line, message });
  }
  const routes = stated.routes.flatMap((route): RoutingRule[] => {
    const { name, line } = route.skill;
    const skill = find(route.skill);
    const place = `${file}:${line}: route ${route.id}`;
    if (typeof skill === "string") notes.push(`${place} is skipped: ${name} is ${skill}.`);
    if (typeof skill !== "object") return [];
    if (route.patterns.some(({ matchesAll }) => matchesAll))
      notes.push(`${place} has a pattern that matches every request (W_ROUTE_CATCHALL).`);
    return [{ ...route, skill }];
  });
  if (problems.length > 0 || typeof fallback !== "object")
    throw new KnackError("CONFIG_INVALID", problemText(problems));
  // A stable sort: equal priorities keep the order of the file.
  const inOrder = routes.toSorted((a, b) => b.priority - a.priority);
  return { file, routes: inOrder, default: { ...stated.default, skill: fallback }, accepts, notes };
}
