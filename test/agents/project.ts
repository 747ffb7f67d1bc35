import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { HOSTILE_BODY, HOSTILE_DESCRIPTION, longText } from "./texts.ts";

export const PROGRAM = join(import.meta.dirname, "../../packages/knack/bin/knack.js");

export const skill = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}\n`;

/** Bodies by the skill's name. */
export const BODIES = {
  "release-notes": "# Release notes\nNORMAL-1 Read the commits.\nNORMAL-2 Then fill in references/style.md.",
  "middle-guide": longText("MIDDLE", 53_000),
  "long-guide": longText("LONG", 100_000),
  hostile: HOSTILE_BODY,
} as const;

export type SkillName = keyof typeof BODIES;

/** A file of `release-notes`, which fits in no client's limit as a whole. */
export const FILE = longText("FILE", 45_000);

const REGISTRY = `version: 1
skills:
  - { name: count_lines, implementation: "impl/count.mjs:run", inputs: [{ kind: FILE, role: in, required: false }], outputs: { artifacts: [], evidences: [{ kind: COUNTED, schema: { fields: [lines] } }] }, params: { schema: { type: object, properties: { text: { type: string } } } }, idempotency: { cache: false } }
`;
const COUNT =
  "export const run = () => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'COUNTED', data: { lines: 3 } }] });\n";

/**
 * A trusted project. Its skills are in `skills/`, which no client reads by itself: what the model gets comes from Knack.
 * `count_lines` runs code, so Knack asks first.
 */
export function makeProject(): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    "home/": "",
    "repo/skills/release-notes/SKILL.md": skill(
      "release-notes",
      "Draft release notes from commits. Use before a release.",
      BODIES["release-notes"],
    ),
    "repo/skills/release-notes/references/style.md": FILE,
    "repo/skills/middle-guide/SKILL.md": skill(
      "middle-guide",
      "A guide of middle size.",
      BODIES["middle-guide"],
    ),
    "repo/skills/long-guide/SKILL.md": skill("long-guide", "A guide of great size.", BODIES["long-guide"]),
    "repo/skills/half-guide/SKILL.md": skill("half-guide", "A guide in two parts.", longText("HALF", 30_000)),
    "repo/skills/short-guide/SKILL.md": skill("short-guide", "A guide of one line.", "SHORT-1 Read it."),
    "repo/skills/hostile/SKILL.md": skill("hostile", HOSTILE_DESCRIPTION, BODIES.hostile),
    "repo/skills/registry.yaml": REGISTRY,
    "repo/impl/count.mjs": COUNT,
  });
  knack(folder, ["trust", "--yes"]);
  return folder;
}

/** Runs a command of Knack in the project, with the home folder that the clients have. */
export function knack(folder: Folder, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: homeEnv(folder),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`knack ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Nothing of the user's; Node beside the clients, which start Knack with it. */
export function homeEnv(folder: Folder): Record<string, string> {
  return {
    PATH: `${join(process.execPath, "..")}:${process.env.PATH ?? ""}`,
    HOME: folder.at("home"),
    XDG_CACHE_HOME: folder.at("cache"),
    XDG_CONFIG_HOME: folder.at("home/.config"),
    XDG_DATA_HOME: folder.at("home/.local/share"),
    XDG_STATE_HOME: folder.at("home/.local/state"),
    USERPROFILE: folder.at("home"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "1",
  };
}
