import { readFile } from "node:fs/promises";
import { writeJson } from "./write-json.mjs";

export async function run({ inputs, artifactsDir }) {
  let words = 0;
  for (const { path } of inputs) words += JSON.parse(await readFile(path, "utf8")).words;
  return writeJson(artifactsDir, "total", { texts: inputs.length, words });
}
