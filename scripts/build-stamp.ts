import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Checks whether the build matches the sources: a program test of an old build would test nothing. */

const REPOSITORY = join(import.meta.dirname, "..");
const STAMP = join("dist", "built-from");

/** The inputs of the build. */
const SOURCES = [
  "packages/*/src/**/*.{ts,tsx,json,css,txt}",
  "packages/web/{index.html,vite.config.ts}",
  "packages/web/public/*",
  "packages/*/{package,tsconfig,tsconfig.build}.json",
  "scripts/{build,build-page,bundle,third-party-notices}.ts",
  "tsconfig.json",
  "package-lock.json",
];

const BUILT = [
  "core/dist/index.js",
  "engine/dist/index.js",
  "knack/dist/main.js",
  "knack/dist/web/index.html",
];

/** By content, because times differ after each checkout. */
export function digestSources(root = REPOSITORY): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => path.endsWith(".test.ts") });
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

export function isBuildFresh(root = REPOSITORY): boolean {
  return (
    BUILT.every((file) => existsSync(join(root, "packages", file))) &&
    existsSync(join(root, STAMP)) &&
    readFileSync(join(root, STAMP), "utf8") === digestSources(root)
  );
}

export function stampBuild(digest: string, root = REPOSITORY): void {
  const stamp = join(root, STAMP);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}
