import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SkillContext, SkillOutput } from "@knack/engine";

/** A skill of the project's own: it sees copies of its inputs and one folder to write into. */
export async function run({ inputs, artifactsDir }: SkillContext): Promise<SkillOutput> {
  const texts: Record<string, string> = {};
  for (const { role, path } of inputs) texts[role] = await readFile(path, "utf8");
  const json = JSON.stringify(texts);
  await writeFile(join(artifactsDir, "facts.json"), json);
  const sha256 = createHash("sha256").update(json).digest("hex");
  const artifacts = [{ name: "facts", path: "facts.json", sha256, format: "json" }];
  return { status: "SUCCEEDED", artifacts, evidences: [], error: null };
}
