import { mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Of vitest.config.ts; a run of some files has fewer. */
const PROJECTS = 4;

/** Ends the output with one plain line that programs can parse. */
export default class SummaryReporter implements Reporter {
  readonly #started = Date.now();

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++;
      // If a file cannot be loaded or a hook fails, tests did not run although none has failed.
      for (const group of [module, ...module.children.allSuites()]) counts.failed += group.errors().length;
    }
    const { passed, failed, skipped } = counts;
    process.stdout.write(
      `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
    );
    const isWhole = new Set(modules.map(({ project }) => project.name)).size === PROJECTS;
    if (process.env.KNACK_FUZZ_RUNS === "full" && isWhole) this.#writeDuration(passed + failed + skipped);
  }

  /** For `npm run size`. */
  #writeDuration(tests: number): void {
    const folder = "node_modules/.cache";
    mkdirSync(folder, { recursive: true });
    const seconds = Math.round((Date.now() - this.#started) / 1000);
    writeFileSync(`${folder}/knack-full-tests.json`, JSON.stringify({ seconds, tests }));
  }
}
