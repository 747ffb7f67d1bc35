import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { builtGuest } from "./test/built-guest.ts";
import { LongestFirst } from "./test/longest-first.ts";

/**
 * Four projects; three by the name of a file:
 * `*.slow.test.ts` slow: kills, races, attacks, large inputs; only in `npm run test:full`.
 * `*.program.test.ts`, and all of `test/`: program: the built program, servers, terminals, commands.
 * All others are unit tests, which start no program.
 * The fourth, postgres, runs the tests of the engine again on a PostgreSQL server; only in `npm run test:full`.
 */
const SLOW = ["{packages/*/src,test}/**/*.slow.test.ts"];
const PROGRAM = ["packages/*/src/**/*.program.test.ts", "test/**/*.test.ts"];
const UNIT = ["packages/*/src/**/*.test.ts"];
const ON_POSTGRES = [
  ...[
    "open-engine.program",
    "open-engine.slow",
    "engine-tools",
    "run/input-kinds.program",
    "run/key-history.program",
    "run/lineage.program",
  ].map((name) => `packages/engine/src/${name}.test.ts`),
  "packages/engine/src/run/live-runs.program.test.ts",
  "test/engine/plan/*.test.ts",
];
const ALL = ["./test/fixed-cases.ts"];

// More than there are cores: many tests wait for a program, a browser or a moment, those of the full suite most.
const WORKERS = availableParallelism() + (process.env.KNACK_FUZZ_RUNS === "full" ? 5 : 1);

// Tests write to memory where the system has a folder for that: half of the time that programs spend in the kernel is files
// and syncs, and a busy disk makes a sync wait for seconds.
const MEMORY = "/dev/shm";
if (process.env.TMPDIR === undefined && hasRoom(MEMORY)) process.env.TMPDIR = MEMORY;

// Programs that tests start keep their compiled code here: without it each takes three times as long to start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "knack-tests-compiled");

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > (process.env.KNACK_FUZZ_RUNS === "full" ? 8 : 1) * 2 ** 30;
}

export default defineConfig({
  resolve: { conditions: ["knack-source"] },
  ssr: { resolve: { conditions: ["knack-source"], externalConditions: ["knack-source"] } },
  test: {
    reporters: ["default", "./test/summary-reporter.ts"],
    maxWorkers: WORKERS,
    // Of tests of one file that are written to run at once.
    maxConcurrency: 4,
    // A guard against tests that hang, not a bound on their time: the longest take half a minute alone, and a machine may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The same for what comes soon: a test waits for it, and names no time of its own.
    expect: { poll: { timeout: 100_000 } },
    sequence: { sequencer: LongestFirst },
    globalSetup: ["./test/services.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: UNIT,
          exclude: [...SLOW, ...PROGRAM],
          pool: "threads",
          isolate: false,
          setupFiles: [...ALL, "./test/restore-env.ts", "./test/no-programs.ts"],
          // They wait for nothing, and each thread loads all that they test: after the others, in fewer threads.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtGuest],
        test: {
          name: "program",
          include: PROGRAM,
          exclude: SLOW,
          // Commands run in the process of the test, which changes its folder for them: threads cannot.
          pool: "forks",
          isolate: false,
          setupFiles: [...ALL, "./test/restore-env.ts"],
          globalSetup: ["./test/fresh-build.ts"],
        },
      },
      {
        extends: true,
        plugins: [builtGuest],
        test: {
          name: "slow",
          include: SLOW,
          // Nothing checks these pictures: `npm run page:pictures` takes them.
          exclude: process.env.KNACK_SCREENSHOTS === undefined ? ["test/page/pictures.slow.test.ts"] : [],
          pool: "forks",
          isolate: false,
          setupFiles: [...ALL, "./test/restore-env.ts"],
          globalSetup: ["./test/fresh-build.ts"],
        },
      },
      {
        extends: true,
        plugins: [builtGuest],
        test: {
          name: "postgres",
          include: ON_POSTGRES,
          pool: "forks",
          isolate: false,
          setupFiles: [...ALL, "./test/restore-env.ts", "./test/on-postgres.ts"],
          globalSetup: ["./test/fresh-build.ts"],
        },
      },
    ],
  },
});
