import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { hostileDatabase } from "./hostile-database.ts";

/** Bytes that must not appear in any output or file of the clone. */
export const CANARY = "CANARY-7f3a9c-private-key";

/** Knack's own paths in a project, and those that a project gives it to read. */
const PATHS = [
  ".knack",
  ".knack/config.yaml",
  ".knack/state.db",
  ".knack/state.db-wal",
  ".knack/state.db-shm",
  ".knack/state.db-journal",
  "workspace",
  "workspace/artifacts",
  "workspace/artifacts/adhoc",
  "workspace/inputs",
  "workspace/inputs/sources",
  "workspace/inputs/a.md",
  "skills.lock",
  ".agents",
  ".agents/skills",
  ".agents/skills/good",
  ".agents/skills/good/SKILL.md",
  ".agents/skills/made-here",
  ".agents/routing.yaml",
  ".agents/roles",
  "skills",
  "skills/registry.yaml",
  "plan.yaml",
  "evals",
] as const;

const KINDS = [
  "link to a file outside",
  "link to a folder outside",
  "link to nothing outside",
  "link to itself",
  "link to a device",
  "folder",
  "pipe",
  "unreadable",
  "empty",
  "garbage",
  "huge and sparse",
] as const;

type Change =
  | { readonly at: (typeof PATHS)[number]; readonly kind: (typeof KINDS)[number] }
  | { readonly at: ".knack/state.db"; readonly kind: "hostile database" | "cut database" };

export interface CloneSpec {
  readonly changes: readonly Change[];
  readonly trusted: boolean;
  /** Which commands run first. */
  readonly turn: number;
}

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ at: fc.constantFrom(...PATHS), kind: fc.constantFrom(...KINDS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.constant(".knack/state.db" as const),
      kind: fc.constantFrom("hostile database" as const, "cut database" as const),
    }),
  },
);

export const cloneSpec: fc.Arbitrary<CloneSpec> = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  trusted: fc.boolean(),
  turn: fc.nat({ max: 1000 }),
});

const PLAN = `version: 1
plan: p
title: "ssh-rsa AAAA attacker"
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: a.md }] }
  - id: sign
    requirements:
      - { name: sign_off, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, allowed_types: [md] }
`;

/** A clone in `repo/`, beside a home and another folder with secrets. */
export function makeClone({ changes }: CloneSpec, files: Parameters<typeof makeFolder>[0] = {}): Folder {
  const folder = makeFolder({
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/.agents/skills/good/SKILL.md": skillText("good", "Does good work. Use when asked for good work."),
    "repo/plan.yaml": PLAN,
    "repo/a.md": "# A\n",
    "repo/workspace/inputs/a.md": "# Input\n",
    "home/.ssh/id_rsa": `${CANARY}\n`,
    "home/.profile": "# mine\n",
    "outside/secret.md": `---\nname: secret\ndescription: ${CANARY}\n---\n${CANARY}: [\n`,
    "outside/secret.yaml": `${CANARY}: { a: [\n`,
    ...files,
  });
  for (const one of changes) apply(folder, one);
  return folder;
}

function apply(folder: Folder, { at, kind }: Change): void {
  const path = folder.at("repo", at);
  // A change below a link would be outside the clone.
  const parts = at.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const stats = lstatSync(folder.at("repo", ...parts.slice(0, depth)), { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) return;
    if (!stats) break;
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  MAKERS[kind](path, folder);
}

const MAKERS: Readonly<Record<Change["kind"], (path: string, folder: Folder) => void>> = {
  "link to a file outside": (path, folder) =>
    symlinkSync(folder.at("outside", path.endsWith("yaml") ? "secret.yaml" : "secret.md"), path),
  "link to a folder outside": (path, folder) => symlinkSync(folder.at("home/.ssh"), path),
  "link to nothing outside": (path, folder) => symlinkSync(folder.at("home/.ssh/authorized_keys"), path),
  "link to itself": (path) => symlinkSync(path, path),
  "link to a device": (path) => symlinkSync("/dev/zero", path),
  folder: (path) => void mkdirSync(path),
  pipe: (path) => void spawnSync("mkfifo", [path]),
  unreadable: (path) => {
    writeFileSync(path, "x");
    chmodSync(path, 0);
  },
  empty: (path) => writeFileSync(path, ""),
  garbage: (path) => writeFileSync(path, Buffer.from("SQLite format 3\0\xff\xfe{[: garbage", "latin1")),
  "huge and sparse": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
  },
  "hostile database": (path) => hostileDatabase(path),
  "cut database": (path) => {
    hostileDatabase(path);
    truncateSync(path, 5000);
  },
};

/** Every path below a folder, in order, without following links. */
function walk(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => [join(folder, name), ...walk(join(folder, name))]);
}

/** Everything outside the clone and the user's Knack folders. */
export function outsideOf(folder: Folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of [...walk(folder.at("home")), ...walk(folder.at("outside"))]) {
    const name = relative(folder.path, path);
    if (/^home\/\.(?:knack|cache)(?:$|\/)/.test(name)) continue;
    const stats = lstatSync(path);
    const link = stats.isSymbolicLink() ? readlinkSync(path) : "folder";
    found[name] = `${stats.mode} ${stats.isFile() ? readFileSync(path, "utf8") : link}`;
  }
  return found;
}

/** The files of the clone, and of the user's Knack folder, that contain the canary. */
export function leaksIn(folder: Folder): string[] {
  return [...walk(folder.at("repo")), ...walk(folder.at("home/.knack"))].filter((path) => {
    const stats = lstatSync(path);
    const isSmall = stats.isFile() && stats.size < 2 ** 24 && (stats.mode & 0o400) !== 0;
    return isSmall && readFileSync(path, "latin1").includes(CANARY);
  });
}
