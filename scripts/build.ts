import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "./build-page.ts";
import { digestSources, isBuildFresh, stampBuild } from "./build-stamp.ts";
import { bundle } from "./bundle.ts";
import { writeNotices } from "./third-party-notices.ts";

/**
 * Builds every package: the libraries with the compiler and their types; the program as one bundle that starts fast; the page that it serves. With
 * --if-stale only if a source changed since the last build; with --program only the program and its page, which need no library.
 */

if (process.argv.includes("--if-stale") && isBuildFresh()) process.exit();
// Before anything is read: a change during the build makes the build stale.
const digest = digestSources();

const root = join(import.meta.dirname, "..");
const at = (...parts: string[]): string => join(root, "packages", ...parts);

const NOTICES = "THIRD-PARTY-NOTICES.txt";

/** Threads whose code is a separate file, beside the code that starts them. */
const WORKERS = {
  "index-worker": at("core", "src", "search", "index", "index-worker.ts"),
  "read-worker": at("core", "src", "search", "index", "read-worker.ts"),
};

/** Read when a request is in another language, from beside the code. */
const GLOSSARIES = at("core", "src", "search", "glossary");

/** The entry points that the manifest of core lists: the name in `dist` and the source. */
function coreEntries(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(at("core", "package.json"), "utf8"));
  const sources = Object.values<{ "knack-source": string }>(exports).map((entry) => entry["knack-source"]);
  return Object.fromEntries(sources.map((path) => [path.replace(/^\.\/src\/|\.ts$/g, ""), at("core", path)]));
}

const GUEST = { "guest-process": at("engine", "src", "isolate", "guest", "guest-process.ts") };

async function buildLibraries(): Promise<void> {
  // In this order: each reads the built types of the ones before.
  for (const name of ["core", "engine"]) {
    rmSync(at(name, "dist"), { recursive: true, force: true });
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const types = name === "core" ? ["--emitDeclarationOnly"] : [];
    execFileSync(process.execPath, [compiler, "-p", at(name, "tsconfig.build.json"), ...types], {
      stdio: "inherit",
    });
  }

  // Loading two hundred small files takes longer than opening a large catalog, so bundle them into a few.
  const coreModules = await bundle({
    input: coreEntries(),
    threads: WORKERS,
    external: /^(?!yaml$|@oxc-project\/)[^./\0]/,
    start: [at("core", "src", "index.ts")],
    isLibrary: true,
    target: "node22",
    dir: at("core", "dist"),
  });
  writeNotices(coreModules, at("core", "dist", NOTICES));
  cpSync(GLOSSARIES, at("core", "dist", "glossary"), { recursive: true });

  // The process that parses files may only read its own code, so that is in one folder, packages included.
  const guestModules = await bundle({
    input: GUEST,
    target: "node22",
    dir: at("engine", "dist", "isolate", "guest"),
  });
  writeNotices(guestModules, at("engine", "dist", NOTICES));
}

const isProgramAlone = process.argv.includes("--program");
if (!isProgramAlone) await buildLibraries();

rmSync(at("knack", "dist"), { recursive: true, force: true });
const programModules = await bundle({
  input: { main: at("knack", "src", "main.ts") },
  threads: { ...WORKERS, ...GUEST },
  early: [at("knack", "src", "hook", "early.ts")],
  start: [at("knack", "src", "cli", "program.ts"), at("knack", "src", "cli", "skills.ts")],
  dir: at("knack", "dist"),
});
cpSync(GLOSSARIES, at("knack", "dist", "glossary"), { recursive: true });
const pageModules = await buildPage(at("web", "vite.config.ts"), at("knack", "dist", "web"));
writeNotices([...programModules, ...pageModules], at("knack", "dist", NOTICES));

if (!isProgramAlone) stampBuild(digest);
