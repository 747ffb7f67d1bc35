import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Builds the packages if they are older than their sources, before tests that start the built program. */
export default function freshBuild(project: TestProject): void {
  const build = (): void => {
    const script = join(import.meta.dirname, "..", "scripts", "build.ts");
    execFileSync(process.execPath, [script, "--if-stale"], { stdio: "inherit" });
  };
  build();
  project.onTestsRerun(async () => build());
}
