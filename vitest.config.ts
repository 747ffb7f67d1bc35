import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["knack-source"] },
  ssr: { resolve: { conditions: ["knack-source"], externalConditions: ["knack-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", "./test/summary-reporter.ts"],
    maxWorkers: Math.max(2, availableParallelism()),
    // The longest take half a minute alone; a machine that has other work may need a multiple of that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
