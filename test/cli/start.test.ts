import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { digestSources, isBuildFresh, stampBuild } from "../../scripts/build-stamp.ts";
import { environment } from "./run.ts";

const REPOSITORY = join(import.meta.dirname, "../..");

describe("npm start", () => {
  it.each([
    // A terminal sends it to every process of the group.
    ["Ctrl-C", (npm: number) => process.kill(-npm, "SIGINT")],
    ["a signal to npm alone", (npm: number) => process.kill(npm, "SIGTERM")],
  ])("serves this repository's skills without a second command, and ends with %s", async (_name, end) => {
    using folder = makeFolder({ "home/": "" });
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: REPOSITORY,
      env: environment(folder),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    try {
      let [stdout, stderr] = ["", ""];
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      for await (const text of child.stdout.setEncoding("utf8")) {
        stdout += text;
        if (/#token=\S+\n/.test(stdout)) break;
      }
      const [, origin = "", token = ""] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/.exec(stdout) ?? [];
      expect((await fetch(origin)).status).toBe(200);
      const answer = await fetch(`${origin}/api/skills`, { headers: { Authorization: `Bearer ${token}` } });
      const { skills } = (await answer.json()) as { skills: { name: string }[] };
      expect(skills.map(({ name }) => name)).toContain("release-notes");

      const exit = once(child, "exit");
      end(child.pid!);
      await exit;
      const answers = () =>
        fetch(origin).then(
          () => true,
          () => false,
        );
      await expect.poll(answers, { timeout: 10_000 }).toBe(false);
      expect(stderr).toContain("trusted for this process only");
      expect(stderr).not.toContain("npm error");
      expect(existsSync(folder.at("home/.knack/trust.json"))).toBe(false);
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
    }
  });

  it("builds again where the program is missing or older than a source", () => {
    using folder = makeFolder({
      "scripts/build.ts": "",
      "packages/core/src/deep/a.ts": "",
      "packages/core/src/deep/a.test.ts": "",
    });
    expect(isBuildFresh(folder.path)).toBe(false);
    folder.write({
      "packages/core/dist/index.js": "",
      "packages/engine/dist/index.js": "",
      "packages/knack/dist/main.js": "",
      "packages/knack/dist/web/index.html": "",
    });
    stampBuild(digestSources(folder.path), folder.path);
    expect(isBuildFresh(folder.path)).toBe(true);
    folder.write({ "packages/core/src/deep/a.test.ts": "changed" });
    expect(isBuildFresh(folder.path)).toBe(true);
    folder.write({ "packages/core/src/deep/a.ts": "changed" });
    expect(isBuildFresh(folder.path)).toBe(false);
  });
});
