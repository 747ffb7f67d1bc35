import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import type { Catalog, SkillMetadata } from "@knack/core";
import { isValidName } from "@knack/core/catalog";
import { isInside, listFiles, readContained, StampCache } from "@knack/core/files";
import { compareText, fewOf } from "@knack/core/text";
import {
  SKILL_LIMITS,
  type Skill,
  SkillCatalogError,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import type { Warnings } from "./errors.ts";

/** A skill as the extension serves it: its entry, and its files by their paths in its folder. */
export interface Served {
  readonly skill: SkillMetadata;
  readonly entry: Skill;
  readonly files: ReadonlyMap<string, FileDigest>;
}

/** Above this, a total comes first, because not all are reported one by one. */
const MANY = 10;
const STAYS = "Tools and its prompt still serve it.";

/** Skills as entries of the protocol's extension. Made when they are asked for; made again when a file is another. */
export class SkillEntries {
  readonly #digests = new StampCache<FileDigest | undefined>();
  readonly #heads = new StampCache<Promise<Head | undefined>>();
  readonly #warnings: Warnings;

  constructor(warnings: Warnings) {
    this.#warnings = warnings;
  }

  /** The skills whose name can be an address, sorted. The others are reported once. */
  addressable(skills: readonly SkillMetadata[]): Map<string, SkillMetadata> {
    const named = new Map<string, SkillMetadata>();
    const odd: SkillMetadata[] = [];
    const twice = new Set<string>();
    for (const skill of skills.toSorted((a, b) => compareText(a.name, b.name))) {
      if (!isValidName(skill.name)) odd.push(skill);
      else if (named.has(skill.name)) twice.add(skill.name);
      else named.set(skill.name, skill);
    }
    const left = skills.length - named.size + twice.size;
    if (left > MANY)
      this.#warnings.tell(`${left} of ${skills.length} skills are not served by the skills extension.`);
    for (const { name, path } of odd)
      this.#refuse(path, `the name ${JSON.stringify(name)} does not follow the standard`);
    for (const name of twice) {
      this.#refuse(named.get(name)?.path ?? name, `several skills are called ${JSON.stringify(name)}`);
      named.delete(name);
    }
    return named;
  }

  /** Undefined if the skill cannot be served; the reason is reported once. */
  async of(skill: SkillMetadata, catalog: Catalog, hidden: readonly string[]): Promise<Served | undefined> {
    const validation = catalog.validationOf(skill);
    const listing = listFiles(skill.dir, {
      maxFiles: SKILL_LIMITS.files - 1,
      maxBytes: SKILL_LIMITS.bytes,
      except: new Set(hidden.filter((dir) => isInside(dir, skill.dir))),
    });
    const head = await this.#head(skill, validation);
    if (!head) return undefined;
    const files = new Map<string, FileDigest>([["SKILL.md", head]]);
    for (const path of listing.files) {
      const file = path.slice(skill.dir.length + 1);
      const digest = this.#digests.get(path, () => digestOf(read(skill.dir, file, validation)), validation);
      if (digest) files.set(file, digest);
    }
    const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    if (listing.truncated || bytes > SKILL_LIMITS.bytes)
      return this.#refuse(skill.path, "it has more than 512 files or 16 MiB");
    const resources = [...files].map(([file, { sha256, size }]) => ({
      uri: skillUri(skill.name, file),
      digest: `sha256:${sha256}`,
      size,
    }));
    resources.sort((a, b) => compareText(a.uri, b.uri));
    const { frontmatter } = head;
    return { skill, entry: { uri: skillUri(skill.name), frontmatter, resources }, files };
  }

  /** The frontmatter word for word, read by the protocol's own rules, which are stricter than ours. */
  #head({ name, path, dir }: SkillMetadata, validation: Validation): Promise<Head | undefined> {
    const make = async (): Promise<Head | undefined> => {
      const content = read(dir, "SKILL.md", validation);
      const digest = digestOf(content);
      if (!content || !digest) return this.#refuse(path, "its SKILL.md cannot be served from its folder");
      try {
        const { frontmatter } = await skillEntry(name, { "SKILL.md": content.bytes });
        return { ...digest, frontmatter };
      } catch (error) {
        if (!(error instanceof SkillCatalogError)) throw error;
        const problems = error.problems.map(({ message }) => message);
        return this.#refuse(path, fewOf(problems, { separator: "; " }));
      }
    };
    return this.#heads.get(`${dir}/SKILL.md`, make, validation);
  }

  #refuse(path: string, reason: string): undefined {
    this.#warnings.tell(`${path}: not served by the skills extension: ${reason}. ${STAYS}`);
    return undefined;
  }
}

type Validation = "strict" | "lenient";

interface FileDigest {
  readonly sha256: string;
  readonly size: number;
}

interface Head extends FileDigest {
  readonly frontmatter: Skill["frontmatter"];
}

/** Undefined where the file is not served. */
function read(dir: string, file: string, validation: Validation) {
  const content = readContained(dir, file, { maxBytes: SKILL_LIMITS.bytes, validation });
  return "refusal" in content ? undefined : content;
}

/** Without the bytes, which would stay in memory. */
function digestOf(content: ReturnType<typeof read>): FileDigest | undefined {
  return content?.sha256 === undefined ? undefined : { sha256: content.sha256, size: content.size };
}

/** Text where nothing is lost by calling it so. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** `skill://<name>/<file>`: the name stands in the place of the host, so a skill is found by it alone. */

const SCHEME = "skill://";

export interface SkillUri {
  readonly name: string;
  /** Relative to the skill's folder; empty for the folder itself. */
  readonly file: string;
}

export function skillUri(name: string, file = "SKILL.md"): string {
  const path = file.split("/").map(encodeURIComponent);
  return file === "" ? `${SCHEME}${name}` : `${SCHEME}${name}/${path.join("/")}`;
}

/**
 * What a URI names. Only as it is given out: no empty segment, no slash at the end, no dots, nothing encoded in another way.
 * Else one file would have many addresses, and a client that compares them would take them for many files.
 */
export function parseSkillUri(text: string): SkillUri | undefined {
  const [name = "", ...segments] = text.startsWith(SCHEME) ? text.slice(SCHEME.length).split("/") : [];
  // A host of its own kind only: no user, no port.
  if (!/^[^\s/?#@:%[\]\\]+$/.test(name)) return undefined;
  try {
    const decoded = segments.map(decodeURIComponent);
    if (decoded.some((part) => /[/\0]/.test(part) || /^\.{0,2}$/.test(part))) return undefined;
    const file = decoded.join("/");
    return skillUri(name, file) === text ? { name, file } : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".txt": "text/plain",
  ".json": "application/json",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".py": "text/x-python",
  ".sh": "application/x-sh",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".ts": "text/typescript",
  ".html": "text/html",
  ".css": "text/css",
  ".csv": "text/csv",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

/** By the file's name, as clients expect; a type is a hint and decides nothing here. */
export function mediaType(file: string): string {
  const extension = extname(file).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension)
    ? (BY_EXTENSION[extension] as string)
    : "application/octet-stream";
}
