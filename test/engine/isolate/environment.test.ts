import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { LEVELS, makeSkill, outputOf, PYTHON_LEVELS, python } from "./make-skill.ts";

process.env.KNACK_TEST_SECRET = "not for skills";

describe.each(LEVELS)("quality 11: the environment (%s)", (level) => {
  it("is what was listed and the few that a runtime needs", async () => {
    using skill = makeSkill("export const run = () => ({ ...process.env });");
    const found = outputOf(await skill.run({ level, env: { API_KEY: "k", LANG: "de_DE.UTF-8" } }));
    const { KNACK_RUN_MARK, PWD, ...names } = found as Record<string, string>;
    expect(Object.keys(names).sort()).toEqual(["API_KEY", "HOME", "LANG", "PATH", "TMPDIR"]);
    expect(names).toMatchObject({ API_KEY: "k", LANG: "de_DE.UTF-8" });
    expect(names.HOME).not.toBe(homedir());
    expect(KNACK_RUN_MARK === undefined).toBe(level === "bubblewrap");
  });

  it("has no variable that loads code, listed or not", async () => {
    using skill = makeSkill("export const run = () => 1;");
    expect(await skill.run({ level, env: { NODE_OPTIONS: "--require=/evil.js" } })).toMatchObject({
      ok: false,
      code: "ACCESS_DENIED",
      isolation: level,
      message:
        "run: the variable NODE_OPTIONS cannot be passed on: it can load other code; remove it from the entry's env",
    });
  });
});

describe.each(LEVELS)("what is around a project (%s)", (level) => {
  it("does not keep its code from being loaded: a package.json above it", async () => {
    using skill = makeSkill("export const run = (): number => 1;", "ts");
    rmSync(skill.folder.at("project/package.json"));
    skill.folder.write({ "package.json": '{"type":"module"}' });
    expect(outputOf(await skill.run({ level }))).toBe(1);
  });

  it("is there as far as a runtime asks for it when it starts and is asked about the machine", async () => {
    using skill = makeSkill(`
      import os from "node:os"; import { createHash, randomBytes } from "node:crypto";
      export const run = () => [process.memoryUsage().rss > 0, os.cpus().length > 0, os.totalmem() > 0, os.loadavg().length, randomBytes(4).length,
        createHash("sha256").update("").digest("hex").length, new Date(0).toLocaleString("en", { timeZone: "Asia/Tokyo" }).includes("9:00")];`);
    const result = await skill.run({ level });
    expect(outputOf(result)).toEqual([true, true, true, 3, 4, 64, true]);
    expect(result.log).toBe("");
  });
});

describe.skipIf(!python.found).each(PYTHON_LEVELS)(
  "what Python's library asks for (%s, needs python3)",
  (level) => {
    it("is there, or seems not to be", async () => {
      using skill = makeSkill(
        `import locale, mimetypes, os, random, ssl, tempfile, time, zoneinfo
def run(ctx):
    with tempfile.TemporaryFile() as file: file.write(b"x")
    return [mimetypes.guess_type("a.png")[0], time.localtime(0).tm_year > 1960, len(os.urandom(3)), os.cpu_count() > 0]`,
        "py",
      );
      const result = await skill.run({ level });
      expect(outputOf(result)).toEqual(["image/png", true, 3, true]);
      expect(result.log).toBe("");
    });
  },
);
