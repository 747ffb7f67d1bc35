import { createHash } from "node:crypto";
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { SkillError, systemCode } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { readOwn } from "../shared/own-file.ts";

/** A skill that `npx skills` has locked in `skills-lock.json`. */
export interface NpxLocked {
  /** From the project root, with slashes. */
  readonly folder: string;
  readonly name: string;
  readonly source: string;
  readonly ref?: string;
  readonly hash: string;
}

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 10_000;
const MAX_TOTAL = 512 * 1024 * 1024;

/** The `skills-lock.json` of a project, by name; empty where there is none. Throws `SkillError` where it is wrong. */
export function readNpxLock(projectRoot: string): readonly NpxLocked[] {
  const file = join(projectRoot, "skills-lock.json");
  const content = readOwn(projectRoot, file, MAX_BYTES);
  if ("fault" in content) {
    if (content.detail === "ENOENT" || content.detail === "ENOTDIR") return [];
    throw wrong(file, `cannot be read (${content.detail})`);
  }
  const data = parseJson(content.bytes.toString("utf8"));
  if (!isRecord(data) || !isRecord(data.skills)) throw wrong(file, 'is not JSON with "skills" in it');
  const entries = Object.entries(data.skills).map(([name, entry]): NpxLocked => {
    const { source, ref, computedHash } = isRecord(entry) ? entry : {};
    if (typeof computedHash !== "string" || !/^[0-9a-f]{64}$/.test(computedHash))
      throw wrong(file, `has no SHA-256 in "computedHash" of ${JSON.stringify(name.slice(0, 100))}`);
    return {
      name,
      folder: `.agents/skills/${npxFolder(name)}`,
      source: typeof source === "string" ? source : "",
      ...(typeof ref === "string" ? { ref } : {}),
      hash: computedHash,
    };
  });
  return entries.sort((a, b) => compareText(a.name, b.name));
}

/** The folder that `npx skills` puts a skill of this name into: lower case, one hyphen for all that is not plain. */
function npxFolder(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._]+/g, "-");
  return plain.replaceAll(/^[.-]+|[.-]+$/g, "").slice(0, 255) || "unnamed-skill";
}

/**
 * The digest by which `npx skills` knows a skill: SHA-256 over path and content of each regular file, ordered by the rules of
 * language. Answers why there is none where a file cannot be read.
 */
export function npxDigest(dir: string): { readonly hash: string } | { readonly fault: string } {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(64 * 1024);
  let total = 0;
  try {
    const files = filesBelow(dir, "", []);
    const { compare } = new Intl.Collator("en");
    for (const path of files.sort(compare)) {
      hash.update(path);
      const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
      const descriptor = openSync(join(dir, path), flags);
      try {
        if (!fstatSync(descriptor).isFile()) return { fault: `${path} is not a regular file` };
        for (let read = -1; read !== 0; total += read) {
          if (total > MAX_TOTAL) return { fault: `more than ${MAX_TOTAL} bytes` };
          read = readSync(descriptor, chunk, 0, chunk.length, null);
          hash.update(chunk.subarray(0, read));
        }
      } finally {
        closeSync(descriptor);
      }
    }
  } catch (error) {
    if (error instanceof SkillError) return { fault: error.message };
    return { fault: systemCode(error) };
  }
  return { hash: hash.digest("hex") };
}

/** Regular files alone: that program does not see links. */
function filesBelow(dir: string, path: string, files: string[]): string[] {
  const entries: Dirent[] = readdirSync(join(dir, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== ".git" && entry.name !== "node_modules") filesBelow(dir, below, files);
    } else if (entry.isFile()) files.push(below);
    if (files.length > MAX_FILES) throw new SkillError("INVALID_PARAM", `more than ${MAX_FILES} files`);
  }
  return files;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(file: string, why: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `${file} ${why}. Fix it, or write it again with "npx skills"; "knack lock" locks the skills without it.`,
  );
}
