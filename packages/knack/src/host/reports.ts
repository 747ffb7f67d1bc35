import { relative } from "node:path";
import { type Catalog, type Edge, type Entry, edgesIn, readSkill, type SkillGraph } from "@knack/core";
import { type FileListing, listFiles } from "@knack/core/files";
import { type Diagnostic, toDiagnostic } from "@knack/core/text";
import { pluralize } from "../terminal/visible.ts";

/** All that is known of one skill without loading it: `knack show --json` and `/api/skills/{id}`. */
export async function reportSkill(catalog: Catalog, { skill, status, reason }: Entry) {
  const { frontmatter } = await readSkill(skill);
  const listing = listFiles(skill.dir, catalog.config.skills.files);
  const { edges, dangling } = await edgesIn(catalog, skill);
  const report = {
    skill: { ...skill, status, reason, frontmatter },
    files: listing.files,
    edges: edges.map(reportedEdge),
    diagnostics: [
      ...[...catalog.errors, ...catalog.warnings].filter(({ path }) => path === skill.path),
      ...listing.faults.map(({ path, fault }) => toDiagnostic(fault, path, "strict")),
      ...notListed(listing, skill.dir),
    ],
  };
  return { report, dangling };
}

export type SkillReport = Awaited<ReturnType<typeof reportSkill>>["report"];

export function graphReport({ nodes, edges, cycles, dangling }: SkillGraph) {
  return { nodes, edges: edges.map(reportedEdge), cycles, dangling };
}

/** An edge as programs rely on it: `from` and `to` are names. */
function reportedEdge({ from, to, type, alternative, line, text }: Edge) {
  return { from, to, type, alternative, line, text };
}

function notListed({ omitted, omittedCount }: FileListing, dir: string): Diagnostic[] {
  if (omittedCount === 0) return [];
  const largest = omitted
    .slice(0, 3)
    .map(({ path, size }) => `${relative(dir, path)} (${pluralize(size, "byte")})`);
  const rest = omittedCount > largest.length ? ", …" : "";
  const message = `${omittedCount} more are not listed (limit: skills.files): ${largest.join(", ")}${rest}.`;
  return [toDiagnostic({ fault: "FILES_LIMIT", message }, dir, "strict")];
}

/**
 * What is wrong with each file that is not in the catalog because of it, by path. An ineligible skill is in the catalog,
 * with its reason, and was not left out. A folder that is missing is no skill.
 */
export function leftOut({
  errors,
  entries,
}: Pick<Catalog, "errors" | "entries">): Map<string, Catalog["errors"][number][]> {
  if (errors.length === 0) return new Map();
  const known = new Set(entries.map(({ skill }) => skill.path));
  return Map.groupBy(
    errors.filter(({ path, code }) => !known.has(path) && code !== "E_ROOT_MISSING"),
    ({ path }) => path,
  );
}
