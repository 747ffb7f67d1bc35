import { isAbsolute, normalize } from "node:path";
import * as z from "zod";
import { type Problem, schemaProblems } from "../config/check.ts";
import { problemText } from "../config/load.ts";
import { KnackError } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { parseJson } from "../shared/json.ts";
import { quote } from "../shared/quote.ts";
import { parseYamlFile, type YamlLimits } from "../skill/yaml/yaml-profile.ts";
import { digestOf, MAX_KEY, pathFault } from "./digest-skill.ts";
import type { LockPlace } from "./lock-place.ts";
import { defaultFolder, keyFault, type LockedSkill, lockText, type SkillLock } from "./skill-lock.ts";

const text = z.string().min(1).max(2_000);
const digest = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits in lower case");
const entrySchema = z.strictObject({
  commit: text.optional(),
  files: z.record(z.string(), digest),
  folder: text.optional(),
  path: text.optional(),
  ref: text.optional(),
  sha256: digest,
  source: text.optional(),
});
const lockSchema = z.strictObject({ version: z.literal(1), skills: z.record(z.string(), entrySchema) });

const LIMITS: YamlLimits = { keys: 20_000, keyLength: MAX_KEY, values: 200_000 };
const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?: |$)/m;

/** Throws `KnackError` with every problem and its line. */
export function parseLock(content: string, place: LockPlace): SkillLock {
  const fail = (problems: readonly { line?: number; message: string }[]): never => {
    const told = problems.map(({ line = 1, message }) => ({ file: place.file, line, message }));
    throw new KnackError("CONFIG_INVALID", problemText(told));
  };
  const conflict = CONFLICT.exec(content);
  if (conflict) {
    const line = content.slice(0, conflict.index).split("\n").length;
    fail([{ line, message: 'A merge conflict; resolve it, or run "knack lock" after you have looked.' }]);
  }
  const data = parseJson(content);
  if (data instanceof SyntaxError) {
    const line = Number(/\(line (\d+)/.exec(data.message)?.[1] ?? 1);
    const why = data.message.split("\n")[0];
    fail([{ line, message: `Not valid JSON: ${why}. Fix it, or write it again with "knack lock".` }]);
  }
  const { lock, problems } = readData(data, place);
  if (problems.length === 0 && lockText(lock) === content) return lock;
  // JSON is YAML, whose reader knows lines and duplicate keys.
  const document = parseYamlFile(content, LIMITS);
  if ("fault" in document) return fail([document]);
  if (problems.length === 0) return lock;
  return fail(problems.map(({ path, message }) => ({ line: document.lineOf(path), message })));
}

function readData(data: unknown, place: LockPlace): { lock: SkillLock; problems: Problem[] } {
  const problems: Problem[] = [];
  const lock = new Map<string, LockedSkill>();
  const result = lockSchema.safeParse(data);
  if (!result.success)
    return { lock, problems: schemaProblems(result.error, lockSchema, data).map(withHint) };
  const folders = new Map<string, string>();
  for (const [key, { files: stated, ...entry }] of Object.entries(result.data.skills)) {
    const fail = (message: string, ...at: string[]): void =>
      void problems.push({ path: ["skills", key, ...at], message });
    const check = (path: string, ...at: string[]): void => {
      const fault = pathFault(path);
      if (fault !== undefined) fail(`The path ${quote(path)} ${fault}.`, ...at);
    };
    const folder = entry.folder ?? defaultFolder(key);
    // Only Knack writes the user's own lock.
    const isOfUser = place.scope === "user" && isAbsolute(folder) && normalize(folder) === folder;
    if (entry.folder !== undefined && !isOfUser) check(folder, "folder");
    if (entry.folder === undefined && keyFault(key) !== undefined)
      fail(`The key ${quote(key)} ${keyFault(key)}, so it needs a "folder".`);
    if (entry.path !== undefined && entry.path !== ".") check(entry.path, "path");
    const files = new Map(Object.entries(stated).sort(([a], [b]) => compareText(a, b)));
    for (const path of files.keys()) check(path, "files", path);
    if (digestOf(files) !== entry.sha256)
      fail(
        `"sha256" of ${quote(key)} is not the digest of its files; run "knack lock ${key}" after you have looked.`,
        "sha256",
      );
    const other = folders.get(folder);
    if (other !== undefined) fail(`It has the same folder as ${quote(other)}; keep one.`);
    folders.set(folder, key);
    lock.set(key, { ...entry, folder, files });
  }
  return { lock, problems };
}

function withHint({ path, message }: Problem): Problem {
  const isVersion = path.length === 1 && path[0] === "version";
  return { path, message: isVersion ? `${message} A newer Knack may have written it.` : message };
}
