import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { LEVELS, makeSkill, outputOf } from "./make-skill.ts";

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
