import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes an artifact and reports the success that it belongs to. */
export async function writeJson(artifactsDir, name, data) {
  const json = `${JSON.stringify(data)}\n`;
  const path = `${name}.json`;
  await writeFile(join(artifactsDir, path), json);
  const sha256 = createHash("sha256").update(json).digest("hex");
  return {
    status: "SUCCEEDED",
    artifacts: [{ name, path, sha256, format: "json" }],
    evidences: [],
    error: null,
  };
}
