import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/index.ts";

const WORDS = [
  "release",
  "review",
  "deploy",
  "invoice",
  "translate",
  "chart",
  "test",
  "backup",
  "design",
  "report",
];

const entry = (name: string, more = "") =>
  `  - { name: ${name}, description: "A skill of the soak.", implementation: "impl/${name}.mjs:run", inputs: [{ kind: FILE }], outputs: { artifacts: [{ name: out, format: txt, path_template: "workspace/artifacts/{task_id}/${name}_{input_sha256}.txt" }], evidences: [] }, params: { schema: { type: object } }, idempotency: { cache: true }${more} }\n`;

const code = (before: string) => `
import { createHash } from "node:crypto"; import fs from "node:fs"; import { join } from "node:path";
export async function run({ inputs, artifactsDir }) {
  ${before}
  const text = fs.readFileSync(inputs[0].path, "utf8").toUpperCase();
  fs.writeFileSync(join(artifactsDir, "o"), text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { status: "SUCCEEDED", artifacts: [{ name: "out", path: "o", sha256, format: "txt" }], evidences: [], error: null };
}
`;

export const skillName = (number: number): string => `${WORDS[number % WORDS.length]}-${number}`;

/** A skill as the soak writes and edits it. */
export function soakSkill(number: number, edition = 0): string {
  const [first, second] = [WORDS[number % WORDS.length], WORDS[(number * 7 + edition) % WORDS.length]];
  const text = skillText(
    skillName(number),
    `Use to ${first} and ${second} things, part ${number}, edition ${edition}.`,
  );
  return `${text}\n${`Steps to ${first} the ${second} of ${number}.\n`.repeat(20)}`;
}

/** About 300 skills, and typed skills that work, fail and are slow; the user has allowed them. */
export function makeSoakProject(): Folder {
  const skills = Array.from({ length: 300 }, (_, number) => [
    `repo/.agents/skills/${skillName(number)}/SKILL.md`,
    soakSkill(number),
  ]);
  return makeFolder({
    ...Object.fromEntries(skills),
    "repo/.git/": "",
    "repo/skills/registry.yaml": `version: 1\nskills:\n${["works", "fails", "slow"].map((name) => entry(name)).join("")}`,
    "repo/impl/works.mjs": code(""),
    "repo/impl/fails.mjs": code('throw new Error("it fails on purpose");'),
    "repo/impl/slow.mjs": code("await new Promise((done) => setTimeout(done, 3000));"),
    "repo/inputs/first.txt": "text\n",
    "home/.knack/config.yaml":
      "permissions: { allow: [{ tool: works }, { tool: fails }, { tool: slow }, { tool: text_extract }, { tool: file_fingerprint }] }\n",
  });
}
