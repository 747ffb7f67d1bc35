import { relative } from "node:path";
import type { Catalog, Edge, Envelope, SkillMetadata } from "@knack/core";
import { evaluateTriggers, lintSkills, readTriggerCases } from "@knack/core/check";
import { decide } from "@knack/core/config";
import { lockFolder, lockOf, lockPlaces } from "@knack/core/lock";
import {
  envelopeSchema,
  skillFileSchema,
  skillLoadErrorSchema,
  skillMetadataSchema,
} from "@knack/core/schemas";
import { KnackError } from "@knack/core/text";
import * as z from "zod";
import type { Project } from "../../host/open-project.ts";
import { changesOf, type Difference, diffOf, folderOfPinned, readPins } from "../../host/pins.ts";
import { reportSkill } from "../../host/reports.ts";
import { notFound } from "../../options.ts";
import { type Api, route } from "../api/route.ts";
import { anything, count, decision, edge, lockedFileChange, skillStatus, text, yes } from "../api/schemas.ts";
import { json } from "../error-response.ts";
import { findEntry, findVerified } from "../find-entry.ts";
import { graphOf } from "../skills/placed-graph.ts";
import { skillState, stateOf } from "../skills/skill-list.ts";

/** A page must not wait for a skill with hundreds of large files: the rest is for `knack lint`. */
const MAX_LINTED = 2 * 1024 * 1024;
const MAX_FINDINGS = 500;

const explained = { id: text.nullable(), rules: z.array(text) };

/** Routes about one skill. Reading a skill is not logged. */
export const skillRoutes = [
  route("GET /api/skills/{id}", "reader", {
    summary:
      "One skill with its files, edges and diagnostics, as knack show --json prints it; loads nothing.",
    answer: z.strictObject({
      skill: skillMetadataSchema.extend({ status: skillStatus, reason: text, frontmatter: anything }),
      files: z.array(text),
      edges: z.array(edge),
      diagnostics: z.array(skillLoadErrorSchema),
    }),
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      return (await reportSkill(current, findVerified(current, params.id))).report;
    },
  }),
  route("GET /api/skills/{id}/load", "reader", {
    summary:
      "The text of the skill as a model gets it, in the envelope of skill_load; a deny applies here too, and a skill that calls a tool has none.",
    query: { args: text.default("").describe("Arguments, which replace $ARGUMENTS.") },
    // A refusal is no envelope here, but an answer with its status.
    answer: envelopeSchema.omit({ error: true }).extend({ status: z.enum(["success", "partial"]) }),
    handle: async ({ params, query }, api) => {
      const { path } = findEntry(await api.catalog(), params.id).skill;
      return json(await call(api, "skill_load", { path, args: query.args, force: true }));
    },
  }),
  route("GET /api/skills/{id}/files/{path}", "reader", {
    summary: "A text file in the skill's folder, up to skills.files.maxBytes.",
    answer: skillFileSchema.extend({ size_bytes: count }),
    failures: [422],
    handle: async ({ params }, api) => {
      const { path } = findEntry(await api.catalog(), params.id).skill;
      return json((await call(api, "skill_read_file", { path, file: params.path })).data);
    },
  }),
  route("GET /api/skills/{id}/edges", "reader", {
    summary: "Which skills this one needs, which need it, and the sentence and rules behind each edge.",
    answer: z.strictObject({
      out: z.array(edge.omit({ from: true }).extend(explained)),
      in: z.array(edge.omit({ to: true }).extend(explained)),
      dangling: z.array(z.strictObject({ name: text, line: count })),
    }),
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      return edgesOf(current, findEntry(current, params.id).skill);
    },
  }),
  route("GET /api/skills/{id}/findings", "reader", {
    summary: "What knack lint says of one skill.",
    answer: z.strictObject({
      findings: z.array(
        z.strictObject({
          rule: text,
          severity: z.enum(["error", "warning", "note"]),
          category: z.enum(["security", "quality"]),
          file: text,
          line: count.nullable(),
          message: text,
          suppressed: text.nullable(),
        }),
      ),
      total: count,
    }),
    handle: async ({ params }, { catalog }) => {
      const { skill } = findVerified(await catalog(), params.id);
      const all = lintSkills([skill.dir], MAX_LINTED);
      const findings = all
        .slice(0, MAX_FINDINGS)
        .map(({ rule, severity, category, path, line = null, message, suppressed = null }) => {
          return { rule, severity, category, file: relative(skill.dir, path), line, message, suppressed };
        });
      return { findings, total: all.length };
    },
  }),
  route("GET /api/skills/{id}/lock", "reader", {
    summary: "Whether a skill is as it was locked, and how it differs; what knack diff says.",
    answer: z.strictObject({
      state: z.enum(["unlocked", "same", "changed"]),
      file: text,
      source: text.nullable(),
      commit: text.nullable(),
      changes: z.array(
        z.strictObject({
          path: text,
          kind: lockedFileChange,
          detail: text.nullable(),
          diff: text.nullable(),
        }),
      ),
      total: count,
    }),
    handle: async ({ params }, { catalog, host }) => {
      const current = await catalog();
      return lockReport(current, findEntry(current, params.id).skill, host.project);
    },
  }),
  route("GET /api/skills/{id}/triggers", "reader", {
    summary: "The trigger tests beside a skill, and whether they hold; what knack eval says of it.",
    answer: z.strictObject({
      hit_at_1: z.number(),
      recall_at_k: z.number(),
      false_triggers: count,
      taken: count,
      positives: count,
      negatives: count,
      k: count,
      total: count,
      cases: z.array(
        z.strictObject({
          prompt: text,
          should_trigger: yes,
          rank: count.nullable(),
          ok: yes,
          source: text,
          first: text.nullable(),
        }),
      ),
      faults: z.array(z.strictObject({ path: text, message: text, line: count.exactOptional() })),
    }),
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      return triggerReport(current, findVerified(current, params.id).skill);
    },
  }),
  route("GET /api/skills/{id}/policy", "reader", {
    summary: "Whether a model may load this skill now, and the rule or default that decides.",
    answer: z.strictObject({
      decision,
      reason: text,
      enabled: yes,
      listed: z.strictObject({ state: skillState, reason: text }),
    }),
    handle: async ({ params }, { catalog, host }) => {
      const current = await catalog();
      const entry = findEntry(current, params.id);
      const { skill, status, reason } = entry;
      const { permissions } = (await host.live.config.current()).config;
      const decided = decide(permissions, { tool: "skill_load", skill, actor: "model", readsSkill: true });
      const refused = status === "unverified" ? { decision: "deny" as const, reason } : {};
      const listed = stateOf(current, permissions, entry);
      return { ...decided, ...refused, enabled: status !== "disabled", listed };
    },
  }),
];

/** Calls a tool as a person who looks: no confirmation is needed, deny rules apply, and no skill's tool is called. */
async function call({ host }: Api, tool: string, params: object): Promise<Envelope> {
  const session = host.runtime.session({ observe: async () => undefined });
  const envelope = await session.call(tool, params, { actor: "person", readsOnly: true });
  const { error, data } = envelope;
  if (error) throw new KnackError(error.code, error.message, { data });
  return envelope;
}

async function edgesOf(catalog: Catalog, { path, name }: SkillMetadata) {
  const { nodes, edges, dangling } = await graphOf(catalog);
  const ids = new Map<string | null, string>(nodes.map((node) => [node.path, node.id]));
  if (!ids.has(path)) throw notFound("Only active skills have edges; enable the skill first.");
  const facts = ({ type, alternative, line, text: sentence, reason }: Edge) => {
    return { type, alternative, line, text: sentence, rules: reason?.rules ?? [] };
  };
  return {
    out: edges
      .filter(({ fromPath }) => fromPath === path)
      .map((one) => ({ ...facts(one), to: one.to, id: ids.get(one.toPath) ?? null })),
    in: edges
      .filter(({ toPath }) => toPath === path)
      .map((one) => ({ ...facts(one), from: one.from, id: ids.get(one.fromPath) ?? null })),
    dangling: dangling
      .filter(({ from }) => from === name)
      .map(({ name: missing, line }) => ({ name: missing, line })),
  };
}

/** A stranger's update may have any number of files of any size. */
const MAX_CHANGES = 200;
const MAX_DIFF = 1_000_000;

async function lockReport(catalog: Catalog, skill: SkillMetadata, { place }: Pick<Project, "place">) {
  const own = lockOf(skill, lockPlaces(catalog.projectRoot, place));
  const folder = lockFolder(own, skill.dir);
  const { pinned } = await readPins([own], "accepted");
  const found = pinned.find((one) => folderOfPinned(one) === folder);
  if (!found || folder === undefined)
    return { state: "unlocked" as const, file: own.file, source: null, commit: null, changes: [], total: 0 };
  const all = await changesOf(found);
  const changes = [];
  let room = MAX_DIFF;
  for (const change of all.slice(0, MAX_CHANGES)) {
    const { path, kind, detail, diff }: Difference = room > 0 ? await diffOf(found, change) : change;
    room -= diff?.length ?? 0;
    changes.push({ path, kind, detail: detail ?? null, diff: diff ?? null });
  }
  return {
    state: all.length === 0 ? ("same" as const) : ("changed" as const),
    file: found.npx ? "skills-lock.json" : own.file,
    source: found.locked?.source ?? null,
    commit: found.locked?.commit ?? null,
    changes,
    total: all.length,
  };
}

/** Each case is a search, and the files are a stranger's. */
const MAX_CASES = 100;
const MAX_PROMPT = 1_000;

async function triggerReport(catalog: Catalog, skill: SkillMetadata) {
  const { cases, faults } = await readTriggerCases(skill);
  const { search: limits } = catalog.config.skills;
  const search = (prompt: string, limit: number) =>
    catalog.search(prompt, { limit }).results.filter(({ fits }) => fits);
  const k = Math.min(limits.defaultLimit, limits.maxLimit);
  const { cases: outcomes, ...score } = evaluateTriggers(
    cases.slice(0, MAX_CASES).map((one) => ({ ...one, prompt: one.prompt.slice(0, MAX_PROMPT) })),
    search,
    k,
  );
  return {
    ...score,
    total: cases.length,
    cases: outcomes.map(({ prompt, should_trigger, rank, ok, source, found }) => ({
      prompt,
      should_trigger,
      rank,
      ok,
      source,
      first: found[0]?.skill ?? null,
    })),
    faults,
  };
}
