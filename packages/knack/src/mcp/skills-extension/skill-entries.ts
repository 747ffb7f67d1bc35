import type { Catalog, SkillMetadata } from "@knack/core";
import { compareText, fewOf, isInside, isValidName, listFiles, readContained } from "@knack/core/internal";
import {
  SKILL_LIMITS,
  type Skill,
  SkillCatalogError,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import type { Warnings } from "../server/warnings.ts";
import { type FileDigest, FileDigests } from "./file-digests.ts";
import { skillUri } from "./skill-uri.ts";

/** A skill as the extension serves it: its entry, and its files by their paths in its folder. */
export interface Served {
  readonly skill: SkillMetadata;
  readonly entry: Skill;
  readonly files: ReadonlyMap<string, FileDigest>;
}

const MAX_KNOWN = 20_000;
/** Above this, a total comes first, because not all are reported one by one. */
const MANY = 10;
const STAYS = "Tools and its prompt still serve it.";

/** Skills as entries of the protocol's extension. Made when they are asked for; made again when a file is another. */
export class SkillEntries {
  readonly #digests = new FileDigests();
  readonly #known = new Map<
    string,
    { readonly sha256: string; readonly frontmatter: Skill["frontmatter"] }
  >();
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
    const paths = ["SKILL.md", ...listing.files.map((path) => path.slice(skill.dir.length + 1))];
    const files = new Map<string, FileDigest>();
    let bytes = 0;
    for (const file of paths) {
      const digest = this.#digests.of(skill.dir, file, validation, SKILL_LIMITS.bytes);
      if (digest) files.set(file, digest);
      bytes += digest?.size ?? 0;
    }
    const own = files.get("SKILL.md");
    if (!own) return this.#refuse(skill.path, "its SKILL.md cannot be served from its folder");
    if (listing.truncated || bytes > SKILL_LIMITS.bytes)
      return this.#refuse(skill.path, "it has more than 512 files or 16 MiB");
    const frontmatter = await this.#frontmatter(skill, own, validation);
    if (!frontmatter) return undefined;
    const resources = [...files].map(([file, { sha256, size }]) => ({
      uri: skillUri(skill.name, file),
      digest: `sha256:${sha256}`,
      size,
    }));
    resources.sort((a, b) => compareText(a.uri, b.uri));
    return { skill, entry: { uri: skillUri(skill.name), frontmatter, resources }, files };
  }

  /** As the file says it, word for word; read by the protocol's own rules, which are stricter than ours. */
  async #frontmatter(
    { name, path, dir }: SkillMetadata,
    { sha256 }: FileDigest,
    validation: "strict" | "lenient",
  ): Promise<Skill["frontmatter"] | undefined> {
    const before = this.#known.get(path);
    if (before?.sha256 === sha256) return before.frontmatter;
    const content = readContained(dir, "SKILL.md", { maxBytes: SKILL_LIMITS.bytes, validation });
    if ("refusal" in content || content.sha256 !== sha256)
      return this.#refuse(path, "its SKILL.md is being changed");
    try {
      const { frontmatter } = await skillEntry(name, { "SKILL.md": content.bytes });
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(path, { sha256, frontmatter });
      return frontmatter;
    } catch (error) {
      if (!(error instanceof SkillCatalogError)) throw error;
      return this.#refuse(
        path,
        fewOf(
          error.problems.map(({ message }) => message),
          { separator: "; " },
        ),
      );
    }
  }

  #refuse(path: string, reason: string): undefined {
    this.#warnings.tell(`${path}: not served by the skills extension: ${reason}. ${STAYS}`);
    return undefined;
  }
}
