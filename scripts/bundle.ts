import { join } from "node:path";
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";

interface Bundle {
  readonly input: Readonly<Record<string, string>>;
  /** Entry points that run in a separate thread or process. */
  readonly threads?: Readonly<Record<string, string>>;
  readonly dir: string;
  /** What stays outside the bundle. */
  readonly external?: RegExp;
  /** Modules that are loaded before anything else, and often alone. */
  readonly early?: readonly string[];
  /** Modules that load what nearly every start needs. */
  readonly start?: readonly string[];
  /** Keeps names and lines, for readable stack traces. */
  readonly isLibrary?: boolean;
  /** The oldest Node that runs it; the program brings its own. */
  readonly target?: "node22" | "node24";
}

/** Commander can start a program for a subcommand, which Knack does not use; the module is slow to load. */
const withoutSubprograms: Plugin = {
  name: "without-subprograms",
  resolveId: (id, importer) =>
    id === "node:child_process" && importer?.includes("/commander/") ? "\0no-subprograms" : undefined,
  load: (id) => (id === "\0no-subprograms" ? "module.exports = {};" : undefined),
};

/** What Node gets of it is CommonJS, which a program that is bundled again cannot load. */
const YAML = join(import.meta.dirname, "../node_modules/yaml/browser/index.js");

/** An older Node would fail somewhere, with an error that nobody understands. */
const NODE_CHECK = `if (Number.parseInt(globalThis.process?.versions?.node ?? "22", 10) < 22)
  throw new Error(\`Knack needs Node 22 or later; this is Node \${process.versions.node}.\`);`;

/** Bundles for Node; a module that several entry points need is included once. Returns the files that went in. */
export async function bundle({
  input,
  threads = {},
  dir,
  external,
  early = [],
  start,
  isLibrary,
  target = "node24",
}: Bundle): Promise<readonly string[]> {
  const options: InputOptions = {
    input: { ...input, ...threads },
    external: external ?? [],
    platform: "node",
    resolve: {
      conditionNames: ["knack-source", "node"],
      // Its main file is in a form that cannot be bundled.
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js", ...(isLibrary && { yaml: YAML }) },
    },
    transform: {
      target,
      define: { "process.env.NODE_ENV": '"production"' },
    },
    plugins: [withoutSubprograms],
    preserveEntrySignatures: "allow-extension",
    // One entry point may load a module late, another early.
    checks: { ineffectiveDynamicImport: false },
  };
  const output: OutputOptions = {
    dir,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // The program: less text to read and to check against the compile cache at every start. A library keeps its lines,
    // because Node prints the line of an error that nobody catches.
    minify: !isLibrary,
    ...(isLibrary && { banner: NODE_CHECK }),
  };
  const codeSplitting = start
    ? {
        includeDependenciesRecursively: false,
        groups: await startGroups(options, output, { early, start, threads: Object.values(threads) }),
      }
    : true;
  const build = await rolldown(options);
  const { output: written } = await build.write({ ...output, codeSplitting });
  await build.close();
  return written.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
}

/**
 * Every file that Node loads takes half a millisecond, and by default a command needs fifty: one per set of commands that
 * share a module. So what nearly every start loads is two files: what threads and other processes load too, and the rest. What is
 * loaded before them is a file of its own.
 */
async function startGroups(
  options: InputOptions,
  output: OutputOptions,
  { early, start, threads }: Readonly<Record<"early" | "start" | "threads", readonly string[]>>,
): Promise<{ name: string; priority: number; test: (id: string) => boolean }[]> {
  const build = await rolldown(options);
  const chunks = (await build.generate(output)).output.filter((one) => one.type === "chunk");
  await build.close();
  const loadedBy = (modules: readonly string[]): Set<string> =>
    modulesOf(
      chunks.filter(({ facadeModuleId: id }) => id !== null && modules.includes(id)),
      chunks,
    );
  const alone = loadedBy(early);
  const first = loadedBy(start);
  const elsewhere = loadedBy(threads);
  // An entry point may await a command, so a command must not await the entry point.
  for (const { isEntry, facadeModuleId } of chunks) if (isEntry) first.delete(facadeModuleId ?? "");
  return [
    { name: "early", priority: 2, test: (id) => alone.has(id) },
    { name: "shared", priority: 1, test: (id) => first.has(id) && elsewhere.has(id) },
    { name: "start", priority: 0, test: (id) => first.has(id) && !elsewhere.has(id) },
  ];
}

/** The modules that are loaded with these chunks. */
function modulesOf(first: readonly OutputChunk[], all: readonly OutputChunk[]): Set<string> {
  const byName = new Map(all.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set(first);
  for (const { imports } of loaded)
    for (const name of imports) {
      const chunk = byName.get(name);
      if (chunk) loaded.add(chunk);
    }
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds));
}
