import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["knack-source"] },
  ssr: { resolve: { conditions: ["knack-source"], externalConditions: ["knack-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", "./test/summary-reporter.ts"],
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
