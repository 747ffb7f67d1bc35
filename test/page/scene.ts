import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { appendEvents } from "../../packages/engine/src/audit/chain.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import type { NewEvent } from "../../packages/engine/src/store/store.ts";
import { knack } from "../cli/run.ts";
import { stateOf } from "../cli/typed-skills.ts";

const ROOT = join(import.meta.dirname, "../..");
const TRUST = { env: { KNACK_TRUST: "all" } };

const PLAN = `version: 1
plan: quarterly-report
title: Quarterly report
tasks:
  - { id: hash, title: Fingerprint the sources, skill: file_fingerprint, inputs: [{ file: README.md }] }
  - { id: sign, title: Sign the report, depends_on: [hash], requirements: [{ name: sign_off, kind: CONFIRMATION, required: true }] }
  - { id: gather, title: Gather sources, requirements: [{ name: sources, kind: FILE, required: true, min_count: 2, allowed_types: [pdf, md] }] }
`;

/** The repository's own skills with a plan, a run, a locked skill that changed, one that is left out, and weeks of use. */
export async function makeScene(more: Parameters<typeof makeFolder>[0] = {}): Promise<Folder> {
  const folder = makeFolder({
    "repo/.git/": "",
    "repo/README.md": "# Shop\n",
    "repo/plan.yaml": PLAN,
    "repo/.agents/skills/Deploy/SKILL.md": skillText("Deploy", "Deploys the shop."),
    "repo/.agents/skills/careful/SKILL.md": skillText("careful", "Rotate the keys of the shop."),
    "home/.agents/skills/mine/SKILL.md": skillText("mine", "Write a stand-up note for the team."),
    "home/.knack/config.yaml": CONFIRMS,
    ...more,
  });
  cpSync(join(ROOT, "skills"), folder.at("repo/.agents/skills"), { recursive: true });
  cpSync(join(ROOT, ".agents/skills"), folder.at("repo/.agents/skills"), { recursive: true });
  for (const args of [
    ["plan", "apply", "plan.yaml"],
    ["run", "file_fingerprint", "--input", "README.md"],
    ["lock", "release-notes"],
  ])
    expect(knack(folder, args, TRUST).code, args.join(" ")).toBe(0);
  folder.write({ "repo/.agents/skills/release-notes/extra.md": "An extra file.\n" });
  await recordUse(folder);
  return folder;
}

/** Everything may be read but one skill, about which a person is asked. */
const CONFIRMS = `permissions:
  allow:
    - { tool: skill_search }
    - { tool: skill_load, skill_name: release-notes }
    - { tool: skill_load, skill_name: code-review }
  default: confirm
`;

const CLIENTS = ["mcp:claude-code", "mcp:codex", "cli"];
const SKILLS = ["release-notes", "code-review", "systematic-debugging"];
const DAYS = 24;

/** What agents did in the last weeks, as the log has it. */
async function recordUse(folder: Folder): Promise<void> {
  const db = await openSqlite(stateOf(folder));
  for (let back = DAYS; back > 0; back--) {
    const at = new Date(Date.now() - back * 86_400_000).toISOString();
    const count = 2 + ((back * 7) % 9);
    for (const [place, actor] of CLIENTS.entries()) {
      const events = Array.from({ length: Math.ceil(count / (place + 1)) }, (_, i) =>
        eventOf(folder, (i * 5 + back + place) % 4, SKILLS[(i + back) % SKILLS.length] ?? ""),
      );
      await db.transaction((tx) => appendEvents(tx, events, { actor, at }));
    }
  }
  await db.close();
}

function eventOf(folder: Folder, kind: number, name: string): NewEvent {
  const none = { planId: null, taskId: null, runId: null };
  const path = folder.at(`repo/.agents/skills/${name}/SKILL.md`);
  if (kind === 0) return { ...none, type: "SKILL_RUN", payload: { skill: "file_fingerprint", key: "k" } };
  if (kind === 1) return { ...none, type: "SKILL_LOADED", payload: { name, path, already_loaded: false } };
  return { ...none, type: "SKILL_SEARCHED", payload: { query: `about ${name}`, results: [name] } };
}
