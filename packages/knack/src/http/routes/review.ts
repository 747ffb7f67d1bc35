import { relative } from "node:path";
import type { Catalog, Entry, SkillMetadata } from "@knack/core";
import { listFiles, readContained } from "@knack/core/files";
import { isBinary, loadSkill } from "@knack/core/session";
import { KnackError } from "@knack/core/text";
import * as z from "zod";
import { type Api, route } from "../api/route.ts";
import { count, text, yes } from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { stateOf } from "../skills/skill-list.ts";

const MAX_LISTED = 500;

const reviewed = z.strictObject({ id: text, name: text, description: text, path: text });

/**
 * Routes for the owner, who decides about skills and so reads also those that models are kept from. Whoever gives texts to a
 * model takes them from /load, where trust, denies and locks hold.
 */
export const reviewRoutes = [
  route("GET /api/review", "owner", {
    summary: "The project's skills that wait for trust: to be read before it is given.",
    answer: z.strictObject({ count, skills: z.array(reviewed) }),
    handle: async (_asked, api) => {
      const waiting = await waitingSkills(api);
      return { count: waiting.length, skills: waiting.slice(0, MAX_LISTED).map(plain) };
    },
  }),
  route("GET /api/review/{id}", "owner", {
    summary: "The text of a skill and its files, whatever keeps it from models, and what that is.",
    answer: z.strictObject({
      skill: reviewed,
      why: text,
      content: text,
      files: z.array(text),
    }),
    handle: async ({ params }, api) => {
      const { catalog, entry, why } = await findToReview(api, params.id);
      const { skill } = entry;
      const loaded = await loadSkill(catalog, skill, "", { except: new Set() });
      // A text that cannot be had as a skill is still one that can be read.
      const content = "refusal" in loaded ? read(catalog, skill, "SKILL.md").content : loaded.content;
      const { files } = listFiles(skill.dir, catalog.config.skills.files);
      return { skill: plain(skill), why, content, files: files.map((file) => relative(skill.dir, file)) };
    },
  }),
  route("GET /api/review/{id}/files/{path}", "owner", {
    summary: "A text file of such a skill, up to skills.files.maxBytes.",
    answer: z.strictObject({ content: text, size_bytes: count, truncated: yes }),
    failures: [422],
    handle: async ({ params }, api) => {
      const { catalog, entry } = await findToReview(api, params.id);
      return read(catalog, entry.skill, params.path);
    },
  }),
];

const plain = ({ id, name, description, path }: SkillMetadata) => ({ id, name, description, path });

async function waitingSkills({ allSkills, host }: Pick<Api, "allSkills" | "host">) {
  if (host.project.isTrusted) return [];
  return (await allSkills()).entries.map(({ skill }) => skill).filter(({ scope }) => scope === "repo");
}

async function findToReview(
  { catalog, allSkills, host }: Pick<Api, "catalog" | "allSkills" | "host">,
  id: string,
): Promise<{ readonly catalog: Catalog; readonly entry: Entry; readonly why: string }> {
  const current = await catalog();
  if (!host.project.isTrusted && current.candidates(id).length === 0) {
    const all = await allSkills();
    const why =
      'You have not trusted this project, so no agent gets its skills. "knack trust" there asks you.';
    return { catalog: all, entry: findEntry(all, id), why };
  }
  const entry = findEntry(current, id);
  const { permissions } = (await host.live.config.current()).config;
  return { catalog: current, entry, why: stateOf(current, permissions, entry).reason };
}

function read(catalog: Catalog, skill: SkillMetadata, file: string) {
  const { maxBytes } = catalog.config.skills.files;
  const found = readContained(skill.dir, file, { maxBytes, validation: catalog.validationOf(skill) });
  if ("refusal" in found) {
    const { refusal, message } = found;
    throw new KnackError(refusal === "NOT_REGULAR" ? "ACCESS_DENIED" : refusal, message);
  }
  const { bytes, size, truncated } = found;
  if (isBinary(bytes)) throw new KnackError("BINARY_FILE", `This file is not text (${size} bytes).`);
  return { content: bytes.toString("utf8"), size_bytes: size, truncated };
}
