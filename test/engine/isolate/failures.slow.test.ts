import { describe, expect, it } from "vitest";
import { makeSkill } from "./make-skill.ts";

describe.concurrent("the load limit", () => {
  it("ends a load that is still busy after five seconds", async () => {
    using skill = makeSkill(
      "setInterval(() => {}, 1000); await new Promise(() => {}); export const run = () => 1;",
    );
    expect(await skill.run()).toMatchObject({
      ok: false,
      code: "SKILL_FAILED",
      message: "run: could not be loaded within 5 s",
    });
  });
});
