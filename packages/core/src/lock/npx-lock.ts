import { createHash } from "node:crypto";
import { join } from "node:path";
import { KnackError } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { readOwnText } from "../shared/own-file.ts";
import { type DigestFault, FolderWalk } from "./digest-skill.ts";

/** A skill that `npx skills` has locked in `skills-lock.json`. */
export interface NpxLocked {
  readonly folder: string;
  readonly name: string;
  readonly source: string;
  readonly ref?: string;
  readonly hash: string;
}

const MAX_BYTES = 4 * 1024 * 1024;
const NEXT = 'Fix it, or write it again with "npx skills"; "knack lock" locks the skills without it.';

/** By name; empty where there is no lock. Throws `KnackError` where it is wrong. */
export function readNpxLock(projectRoot: string): readonly NpxLocked[] {
  const file = join(projectRoot, "skills-lock.json");
  const text = readOwnText(projectRoot, file, MAX_BYTES, NEXT);
  if (text === undefined) return [];
  const data = parseJson(text);
  if (!isRecord(data) || !isRecord(data.skills)) throw wrong(file, 'is not JSON with "skills" in it');
  const entries = Object.entries(data.skills).map(([name, entry]): NpxLocked => {
    const { source, ref, computedHash } = isRecord(entry) ? entry : {};
    if (typeof computedHash !== "string" || !/^[0-9a-f]{64}$/.test(computedHash))
      throw wrong(file, `has no SHA-256 in "computedHash" of ${JSON.stringify(name.slice(0, 100))}`);
    return {
      name,
      folder: `.agents/skills/${npxFolder(name)}`,
      source: typeof source === "string" ? source : "",
      ...(typeof ref === "string" ? { ref } : {}),
      hash: computedHash,
    };
  });
  return entries.sort((a, b) => compareText(a.name, b.name));
}

/** As `npx skills` names the folder. */
function npxFolder(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._]+/g, "-");
  return plain.replaceAll(/^[.-]+|[.-]+$/g, "").slice(0, 255) || "unnamed-skill";
}

/** As `npx skills` does: SHA-256 over path and content of each file, in the order of a collator. */
export async function npxDigest(
  dir: string,
): Promise<{ readonly hash: string } | { readonly fault: DigestFault }> {
  const walk = new FolderWalk(dir);
  walk.list((path) => /(?:^|\/)(?:\.git|node_modules)$/.test(path));
  const hash = createHash("sha256");
  for (const path of walk.paths.sort(new Intl.Collator("en").compare)) {
    hash.update(path);
    await walk.read(path, hash);
  }
  // That program sees neither links nor devices.
  const fault = walk.faults.find(({ kind }) => kind !== "link" && kind !== "special");
  return fault ? { fault } : { hash: hash.digest("hex") };
}

function wrong(file: string, why: string): KnackError {
  return new KnackError("CONFIG_INVALID", `${file} ${why}. ${NEXT}`);
}
