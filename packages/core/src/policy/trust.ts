import { join } from "node:path";
import { knackHome } from "../config/load.ts";
import { SkillError } from "../errors.ts";
import { withLock } from "../lock.ts";
import { readRegularFile } from "../regular-file.ts";
import { writeWhole } from "../write-whole.ts";

/**
 * Which projects the user trusts: real paths, kept in the user's folder, so that nothing in a project can say it.
 * `KNACK_TRUST=all` trusts the project for one process, as in CI.
 */
export interface TrustPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

export function isTrusted(projectRoot: string, place: TrustPlace): boolean {
  return place.env.KNACK_TRUST === "all" || readTrusted(place).includes(projectRoot);
}

/** Trusts a project, or takes that back. Answers whether anything changed. */
export function setTrusted(projectRoot: string, trusted: boolean, place: TrustPlace): boolean {
  const file = trustFile(place);
  return withLock(file, () => {
    const before = readTrusted(place);
    if (before.includes(projectRoot) === trusted) return false;
    const projects = trusted
      ? [...before, projectRoot].sort()
      : before.filter((path) => path !== projectRoot);
    const failure = writeWhole(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
    if (failure) throw new SkillError("CONFIG_INVALID", `${file} cannot be written (${failure}).`);
    return true;
  });
}

function trustFile({ env, home }: TrustPlace): string {
  return join(knackHome(env, home), "trust.json");
}

/** Room for thousands of projects. */
const MAX_TRUST_BYTES = 1024 * 1024;

function readTrusted(place: TrustPlace): readonly string[] {
  const file = trustFile(place);
  const content = readRegularFile(file, MAX_TRUST_BYTES, true);
  if ("fault" in content) {
    if (content.detail === "ENOENT" || content.detail === "ENOTDIR") return [];
    throw new SkillError("CONFIG_INVALID", `${file} cannot be read (${content.detail}).`);
  }
  const projects = parseProjects(content.bytes.toString("utf8"));
  if (projects) return projects;
  // Trusting nothing would be safe, but silently forgetting what the user said is not kind.
  throw new SkillError(
    "CONFIG_INVALID",
    `${file} is not readable as a list of trusted projects; repair or delete it.`,
  );
}

function parseProjects(text: string): string[] | null {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== "object" || data === null || !("projects" in data) || !Array.isArray(data.projects))
      return null;
    return data.projects.every((path) => typeof path === "string") ? data.projects : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
