import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Skills } from "../access/find-target.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import { DEFAULT_CONFIG } from "../config/config.ts";
import { tellProblems } from "../config/load.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { Catalog } from "../open-catalog.ts";
import { typedNameOf } from "../resolve/typed-name.ts";
import { SkillError } from "../shared/errors.ts";
import { nearest } from "../shared/nearest.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Pattern } from "./pattern.ts";
import { type RoutingProblem, readRouting, type StatedRouting, type StatedTarget } from "./read-routing.ts";

/** Where a request goes. */
interface RouteTarget {
  readonly role: Role;
  readonly skill: SkillMetadata;
  readonly reason: string;
}

export interface Route extends RouteTarget {
  readonly id: string;
  readonly priority: number;
  readonly patterns: readonly Pattern[];
}

export interface Routing {
  /** The file it comes from; `null` if there is none, or it may not be read. */
  readonly file: string | null;
  /** In the order in which they are tried. */
  readonly routes: readonly Route[];
  /** Its skill is `null` only if no file names one and the root skill does not exist. */
  readonly default: Omit<RouteTarget, "skill"> & { readonly skill: SkillMetadata | null };
  /** Whether a skill may be proposed: skills of an untrusted project may not. */
  readonly accepts: (skill: SkillMetadata) => boolean;
  /** Notes for a person, one sentence each. */
  readonly notes: readonly string[];
}

const MAX_FILE_BYTES = 256 * 1024;

/**
 * Loads the routing file that the configuration names (`.agents/routing.yaml`). All its problems become one `SkillError`.
 * The file of an untrusted project is not read at all. `typed` are the names of typed skills, which a route may name too.
 */
export function loadRouting(catalog: Catalog, trusted: boolean, typed: readonly string[] = []): Routing {
  const accepts = (skill: SkillMetadata): boolean => trusted || skill.scope !== "repo";
  const file = catalog.config.routing;
  const isOfProject = [file, canonical(file)].some((path) => isInside(path, catalog.projectRoot));
  if (isOfProject && !trusted) {
    const note = `${file} is not read until you trust this project (knack trust); only your own skills are proposed.`;
    return withoutFile(catalog, accepts, existsSync(file) ? [note] : []);
  }
  const text = readText(file, catalog.projectRoot);
  if (text === undefined) return withoutFile(catalog, accepts, []);
  const stated = readRouting(text, file);
  if ("routes" in stated) return withSkills(stated, file, { catalog, typedSkills: typed }, accepts);
  throw new SkillError("CONFIG_INVALID", tellProblems(stated));
}

/** `undefined` if the default file does not exist. A configured file must exist. */
function readText(file: string, projectRoot: string): string | undefined {
  const content = readRegularFile(file, MAX_FILE_BYTES, true);
  if (!("fault" in content)) return content.bytes.toString("utf8");
  const { fault, detail } = content;
  const isAbsent = detail === "ENOENT" || detail === "ENOTDIR";
  if (isAbsent && file === resolve(projectRoot, DEFAULT_CONFIG.routing)) return undefined;
  if (isAbsent)
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} does not exist, but "routing" in the configuration names it; create it or change "routing".`,
    );
  const why =
    fault === "TOO_LARGE"
      ? `has ${detail} bytes; at most ${MAX_FILE_BYTES} are read`
      : `cannot be read (${detail})`;
  throw new SkillError("CONFIG_INVALID", `${file} ${why}.`);
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
  /** The active skill, or why it is not active. A skill that does not exist is a problem. */
  const find = ({ skill: name, line }: StatedTarget): SkillMetadata | string | undefined => {
    try {
      const { skill, status, reason } = catalog.resolveEntry(name, {
        includeInactive: true,
        cwd: catalog.projectRoot,
      });
      return status === "active" ? skill : `${status}: ${reason}`;
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      const typed = error.code === "NOT_FOUND" ? typedNameOf(typedSkills, name) : undefined;
      if (typed !== undefined) return typedTarget(typed);
      const names = [...catalog.skills.map((skill) => skill.name), ...typedSkills];
      // Only the first problems are printed, and comparing with thousands of names is slow.
      const guess =
        problems.length < 5 && error.code === "NOT_FOUND" ? nearest(name.slice(0, 64), names) : undefined;
      const hint = guess ? ` Did you mean ${JSON.stringify(guess)}?` : "";
      problems.push({ file, line, message: `${error.message.replaceAll("\n", " ")}${hint}` });
      return undefined;
    }
  };
  const fallback = find(stated.default);
  if (typeof fallback === "string") {
    const message = `The skill of "default", ${JSON.stringify(stated.default.skill)}, is ${fallback}.`;
    problems.push({ file, line: stated.default.line, message });
  }
  const routes = stated.routes.flatMap((route): Route[] => {
    const { line, ...rest } = route;
    const skill = find(route);
    if (typeof skill === "string")
      notes.push(`${file}:${line}: route ${route.id} is skipped: ${route.skill} is ${skill}.`);
    if (skill === undefined || typeof skill === "string") return [];
    if (route.patterns.some(({ matchesAll }) => matchesAll))
      notes.push(
        `${file}:${line}: route ${route.id} has a pattern that matches every request (W_ROUTE_CATCHALL).`,
      );
    return [{ ...rest, skill }];
  });
  if (problems.length > 0 || typeof fallback !== "object")
    throw new SkillError("CONFIG_INVALID", tellProblems(problems));
  const { role, reason } = stated.default;
  return {
    file,
    // A stable sort: equal priorities keep the order of the file.
    routes: routes.toSorted((a, b) => b.priority - a.priority),
    default: { role, reason, skill: fallback },
    accepts,
    notes,
  };
}
