import { readFile } from "node:fs/promises";
import { writeJson } from "./write-json.mjs";

export async function run({ inputs, artifactsDir }) {
  const text = await readFile(inputs[0].path, "utf8");
  return writeJson(artifactsDir, "count", { words: text.split(/\s+/).filter(Boolean).length });
}
