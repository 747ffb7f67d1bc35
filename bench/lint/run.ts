/**
 * How well the lint tells harmful skills from harmless ones, on the labelled skills of `test/lint/fixtures`, and what it says
 * of real ones:
 *
 *   npm run bench:lint -- [--errors] [--held-out] [--skills <folder of skills>] [--sample <rule> --severity error --count 20]
 *
 * `--errors` names what was judged wrongly in the part that rules are written with; `--held-out` also counts the others.
 */
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openCatalog } from "@knack/core";
import { lintSkills } from "../../packages/core/src/lint/lint-skills.ts";
import { readFixtures } from "../../test/lint/fixtures.ts";
import { judgeFixtures, scoresOf } from "../../test/lint/measure.ts";

const { values } = parseArgs({
  options: {
    errors: { type: "boolean" },
    "held-out": { type: "boolean" },
    skills: { type: "string" },
    sample: { type: "string" },
    severity: { type: "string", default: "error" },
    count: { type: "string", default: "20" },
  },
});

const judged = judgeFixtures(readFixtures());
const parts = values["held-out"] ? ["written with", "held out", "all"] : ["written with"];
for (const [name, part] of [
  ["written with", judged.filter(({ isHeldOut }) => !isHeldOut)],
  ["held out", judged.filter(({ isHeldOut }) => isHeldOut)],
  ["all", judged],
] as const) {
  if (!parts.includes(name)) continue;
  const { harmful, harmless, precision, recall } = scoresOf(part);
  console.log(
    `${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${harmful} harmful, ${harmless} harmless)`,
  );
  if (!values.errors || name !== "written with") continue;
  for (const { id, isHarmful, isFlagged, rules, findings } of part) {
    const found = findings
      .filter(({ category }) => category === "security")
      .map((one) => `${one.severity} ${one.rule}:${one.line}`);
    if (isHarmful !== isFlagged)
      console.log(`  ${isHarmful ? "missed" : "wrong"} ${id} ${rules.join(" ")} [${found.join(", ")}]`);
  }
}

if (values.skills) await lintFolder(resolve(values.skills));

async function lintFolder(folder: string): Promise<void> {
  const catalog = await openCatalog({
    roots: [{ path: folder, scope: "user", dialect: "agentskills" }],
    validation: "lenient",
    cache: false,
  });
  const start = performance.now();
  const dirs = catalog.files.map((file) => dirname(file));
  const findings = lintSkills(dirs);
  const seconds = (performance.now() - start) / 1000;
  const skillOf = new Map(dirs.map((dir) => [dir, dir]));
  const owner = (path: string): string => {
    let dir = dirname(path);
    while (!skillOf.has(dir) && dir !== dirname(dir)) dir = dirname(dir);
    return dir;
  };
  const share = (some: typeof findings): string => {
    const skills = new Set(some.map(({ path }) => owner(path))).size;
    return `${skills} skills, ${((100 * skills) / dirs.length).toFixed(2)} %`;
  };
  console.log(`${dirs.length} skills in ${seconds.toFixed(1)} s`);
  for (const severity of ["error", "warning", "note"])
    console.log(`  ${severity}: ${share(findings.filter((one) => one.severity === severity))}`);
  const security = findings.filter(
    ({ category, severity }) => category === "security" && severity !== "note",
  );
  console.log(`  security, error or warning: ${share(security)}`);
  for (const [key, some] of [...Map.groupBy(findings, ({ rule, severity }) => `${rule} ${severity}`)].sort())
    console.log(`    ${key}: ${share(some)}`);
  if (!values.sample) return;
  const some = findings.filter(
    ({ rule, severity }) => rule === values.sample && severity === values.severity,
  );
  const step = Math.max(1, Math.floor(some.length / Number(values.count)));
  for (const { path, line, message } of some.filter((_, at) => at % step === 0)) {
    const text = readFileSync(path, "utf8").split("\n")[(line ?? 1) - 1]?.trim().slice(0, 260);
    console.log(`${relative(folder, path)}:${line} ${message}\n      ${JSON.stringify(text)}`);
  }
}
