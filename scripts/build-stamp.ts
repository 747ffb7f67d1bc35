import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Says whether the built packages are those of the sources: a program test of an old build would test nothing. */

const root = join(import.meta.dirname, "..");
const STAMP = join(root, "dist", "built-from");

/** What the build reads. */
const SOURCES = [
  "packages/*/src/**/*.{ts,tsx,json}",
  "packages/*/{package,tsconfig,tsconfig.build}.json",
  "scripts/build.ts",
  "tsconfig.json",
  "package-lock.json",
];

const BUILT = ["core/dist/index.js", "engine/dist/index.js", "knack/dist/main.js"];

/** By content: times differ after each checkout. */
export function digestSources(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => path.endsWith(".test.ts") });
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

export function isBuildFresh(): boolean {
  return (
    BUILT.every((file) => existsSync(join(root, "packages", file))) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, "utf8") === digestSources()
  );
}

export function stampBuild(digest: string): void {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, digest);
}
