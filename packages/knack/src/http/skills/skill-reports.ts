import type { Catalog, SkillMetadata } from "@knack/core";
import { evaluateTriggers, readTriggerCases } from "@knack/core/check";
import { lockFolder, lockOf, lockPlaces } from "@knack/core/lock";
import type { Project } from "../../host/open-project.ts";
import { changesOf, type Difference, diffOf, folderOfPinned, readPins } from "../../host/pins.ts";

/** A stranger's update may have any number of files of any size. */
const MAX_CHANGES = 200;
const MAX_DIFF = 1_000_000;

/** Whether a skill is as it was locked, and if not, what differs: what `knack diff` says of it. */
export async function lockReport(catalog: Catalog, skill: SkillMetadata, { place }: Pick<Project, "place">) {
  const both = lockPlaces(catalog.projectRoot, place);
  const own = lockOf(skill, both);
  const folder = lockFolder(own, skill.dir);
  const { pinned } = await readPins([own]);
  const found = pinned.find((one) => folderOfPinned(one) === folder);
  if (!found || folder === undefined)
    return { state: "unlocked" as const, file: own.file, source: null, commit: null, changes: [], total: 0 };
  const all = await changesOf(found);
  const changes: Difference[] = [];
  let room = MAX_DIFF;
  for (const change of all.slice(0, MAX_CHANGES)) {
    const one: Difference = room > 0 ? await diffOf(found, change) : change;
    room -= one.diff?.length ?? 0;
    changes.push(one);
  }
  return {
    state: all.length === 0 ? ("same" as const) : ("changed" as const),
    file: found.npx ? "skills-lock.json" : own.file,
    source: found.locked?.source ?? null,
    commit: found.locked?.commit ?? null,
    changes: changes.map(({ path, kind, detail, diff }) => ({
      path,
      kind,
      detail: detail ?? null,
      diff: diff ?? null,
    })),
    total: all.length,
  };
}

/** Each case is a search, and the files are a stranger's. */
const MAX_CASES = 100;
const MAX_PROMPT = 1_000;

/** The trigger tests beside a skill, and whether they hold: what `knack eval` says of it. */
export async function triggerReport(catalog: Catalog, skill: SkillMetadata) {
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
