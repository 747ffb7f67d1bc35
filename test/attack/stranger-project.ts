import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FileSpec, type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack, type Outcome, type RunOptions } from "../cli/run.ts";

/** What an untrusted project must never get; no program could guess it. */
const CANARY = "canary-5f1c0e9b7d2a4c68";
const SECRETS = {
  "home/.ssh/id_rsa": `-----BEGIN KEY-----\n${CANARY}-ssh\n`,
  "home/.aws/credentials": `${CANARY}_aws: [unclosed\n`,
  "outside/secret.md": `# ${CANARY} outside\n`,
};

/** A home with secrets, and beside it an untrusted project. */
export function makeStrangerProject(files: Readonly<Record<string, FileSpec>>): Folder {
  return makeFolder({ "repo/.git/": "", ...SECRETS, "repo/own.md": "# Own\n", ...files });
}

/** Runs the program, and checks its output and everything that it wrote. */
export function attack(folder: Folder, args: readonly string[], options: RunOptions = {}): Outcome {
  const outcome = knack(folder, args, options);
  const found = leaks(folder, outcome);
  if (found.length > 0) throw new Error(`knack ${args.join(" ")} leaked: ${found.join(", ")}`);
  return outcome;
}

/** Where a secret, or its digest, is now although it should not be. */
export function leaks(folder: Folder, outcome?: Pick<Outcome, "stdout" | "stderr">): string[] {
  const digests = Object.values(SECRETS).map((text) => createHash("sha256").update(text).digest("hex"));
  const marks = [CANARY, ...digests].flatMap((mark) => [Buffer.from(mark), Buffer.from(mark, "utf16le")]);
  const has = (bytes: Buffer): boolean => marks.some((mark) => bytes.includes(mark));
  const files = filesBelow(folder.path, "").filter(
    (path) => !(path in SECRETS) && has(readFileSync(folder.at(path))),
  );
  const texts = Object.entries(outcome ?? {}).filter(
    ([, text]) => typeof text === "string" && has(Buffer.from(text)),
  );
  return [...files, ...texts.map(([name]) => name)];
}

function filesBelow(root: string, below: string): string[] {
  return readdirSync(join(root, below)).flatMap((name) => {
    const path = join(below, name);
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) return filesBelow(root, path);
    return stats.isFile() ? [path] : [];
  });
}
