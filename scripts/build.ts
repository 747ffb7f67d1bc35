import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/** Builds every package: the libraries by the compiler, with their types; the program as one bundle that starts fast. */

const root = join(import.meta.dirname, "..");
const at = (...parts: string[]): string => join(root, "packages", ...parts);

// In this order: the types of one are read from the built one before it.
for (const name of ["core", "engine"]) {
  rmSync(at(name, "dist"), { recursive: true, force: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", at(name, "tsconfig.build.json")], { stdio: "inherit" });
}

/** Ink can connect to the developer tools of React; the code for it stays out of the program. */
const withoutDevtools: Plugin = {
  name: "without-devtools",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer, path }) =>
      importer.includes("/ink/") ? { path, external: true } : undefined,
    ),
};

rmSync(at("knack", "dist"), { recursive: true, force: true });
await build({
  // A thread's code is a file of its own, beside the code that starts it.
  entryPoints: [
    at("knack", "src", "main.ts"),
    at("core", "src", "catalog", "divide-worker.ts"),
    at("knack", "src", "tui", "search-worker.ts"),
    at("core", "src", "dispatch", "edges-worker.ts"),
  ],
  outdir: at("knack", "dist"),
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  conditions: ["knack-source"],
  chunkNames: "[name]-[hash]",
  // Less text is read and checked against the compile cache at every start.
  minify: true,
  legalComments: "linked",
  jsx: "automatic",
  // React and ink without what is for their developers.
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '""' },
  plugins: [withoutDevtools],
  // Commander is CommonJS and asks for Node's modules by require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
