import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LEVELS, makeSkill } from "./make-skill.ts";

const source = join(import.meta.dirname, "../../../packages/engine/src/isolate/execute.ts");

describe.each(LEVELS)("a host that is killed (%s)", (level) => {
  it("leaves no skill running", async () => {
    using skill = makeSkill(`
      import { writeFileSync } from "node:fs";
      export const run = () => new Promise(() => {
        writeFileSync("started", "");
        setInterval(() => writeFileSync("alive", String(Date.now())), 20);
      });`);
    const at = (...parts: string[]): string => skill.folder.at(...parts);
    const execution = JSON.stringify(skill.executionOf({ level }));
    skill.folder.write({
      "host.mjs": `import { execute } from ${JSON.stringify(source)}; await execute(${execution});`,
    });
    const host = spawn(process.execPath, [at("host.mjs")], {
      stdio: "ignore",
      env: { ...process.env, TMPDIR: at(".") },
    });
    await expect.poll(() => existsSync(at("artifacts/alive"))).toBe(true);
    expect(existsSync(at("artifacts/started"))).toBe(true);
    host.kill("SIGKILL");
    const isStill = async (): Promise<boolean> => {
      const last = readFileSync(at("artifacts/alive"), "utf8");
      await wait(1_000);
      return readFileSync(at("artifacts/alive"), "utf8") === last;
    };
    await expect.poll(isStill).toBe(true);
  });
});
