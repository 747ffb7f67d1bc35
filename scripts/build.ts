import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { digestSources, isBuildFresh, stampBuild } from "./build-stamp.ts";

/**
 * Builds every package: the libraries by the compiler, with their types; the program as one bundle that starts fast.
 * With --if-stale only where a source has changed since the last build.
 */

if (process.argv.includes("--if-stale") && isBuildFresh()) process.exit();
// Before anything is read: what changes while it is built makes the build stale.
const digest = digestSources();

const root = join(import.meta.dirname, "..");
const at = (...parts: string[]): string => join(root, "packages", ...parts);

/** Where a thread's code is a file of its own, beside the code that starts it. */
const WORKERS = {
  "walk-worker": at("core", "src", "catalog", "scan", "walk-worker.ts"),
  "edges-worker": at("core", "src", "graph", "edges-worker.ts"),
};

// In this order: the types of one are read from the built one before it.
for (const name of ["core", "engine"]) {
  rmSync(at(name, "dist"), { recursive: true, force: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const types = name === "core" ? ["--emitDeclarationOnly"] : [];
  execFileSync(process.execPath, [compiler, "-p", at(name, "tsconfig.build.json"), ...types], {
    stdio: "inherit",
  });
}

// Two hundred small files take longer to load than a large catalog takes to open, so they become a few.
await build({
  entryPoints: {
    index: at("core", "src", "index.ts"),
    internal: at("core", "src", "internal.ts"),
    "internal-engine": at("core", "src", "internal-engine.ts"),
    "testing/index": at("core", "src", "testing", "index.ts"),
    "skill/schema": at("core", "src", "skill", "schema.ts"),
    ...WORKERS,
  },
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node24",
  chunkNames: "[name]-[hash]",
  minifyWhitespace: true,
  outdir: at("core", "dist"),
  logLevel: "warning",
});

/** Ink can connect to the developer tools of React; the code for it stays out of the program. */
const withoutDevtools: Plugin = {
  name: "without-devtools",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer, path }) =>
      importer.includes("/ink/") ? { path, external: true } : undefined,
    ),
};

/** Bundles for Node, with everything inside. */
const BUNDLED: BuildOptions = {
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  conditions: ["knack-source"],
  // Its main file is in a form that cannot be bundled.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  chunkNames: "[name]-[hash]",
  // Less text is read and checked against the compile cache at every start.
  minify: true,
  legalComments: "linked",
  // Commander and others are CommonJS and ask for Node's modules by require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
};

// The process that parses files may read nothing but its own code: so that lies in one folder, packages included.
const guest = at("engine", "src", "isolate", "guest", "guest-process.ts");
await build({ ...BUNDLED, entryPoints: [guest], outdir: at("engine", "dist", "isolate", "guest") });

rmSync(at("knack", "dist"), { recursive: true, force: true });
await build({
  ...BUNDLED,
  entryPoints: [
    at("knack", "src", "main.ts"),
    at("knack", "src", "tui", "search", "search-worker.ts"),
    ...Object.values(WORKERS),
    guest,
  ],
  outdir: at("knack", "dist"),
  jsx: "automatic",
  // React and ink without what is for their developers.
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '""' },
  plugins: [withoutDevtools],
});

stampBuild(digest);
