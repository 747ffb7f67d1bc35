import { describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import type { PermissionRule } from "../config/rules.ts";
import { type Decision, decide, type PermissionRequest } from "./permissions.ts";

type Permissions = Partial<Config["permissions"]>;

function decision(permissions: Permissions, request: Partial<PermissionRequest>): Decision["decision"] {
  return answer(permissions, request).decision;
}

function answer(permissions: Permissions, request: Partial<PermissionRequest>): Decision {
  const load: PermissionRequest = {
    tool: "skill_load",
    skill: { name: "x" },
    actor: "model",
    readsSkill: true,
  };
  return decide({ allow: [], deny: [], default: null, ...permissions }, { ...load, ...request });
}

const load = (skill?: string): PermissionRule =>
  skill === undefined ? { tool: "skill_load" } : { tool: "skill_load", skill_name: skill };

describe("004 §8.1 deny before allow before confirm", () => {
  it("deny wins over allow, in any order and however general", () => {
    expect(decision({ allow: [load("x")], deny: [load("x")] }, {})).toBe("deny");
    expect(decision({ allow: [load("x")], deny: [load()] }, {})).toBe("deny");
    expect(decision({ allow: [load()], deny: [load("x")] }, {})).toBe("deny");
  });

  it("allow wins over the default", () => {
    expect(decision({ allow: [load("x")], default: "confirm" }, {})).toBe("allow");
    expect(decision({ allow: [load("y")], default: "confirm" }, {})).toBe("confirm");
  });

  it("a rule without skill_name is for all skills, one with it for one", () => {
    for (const name of ["x", "y"]) expect(decision({ deny: [load()] }, { skill: { name } })).toBe("deny");
    expect(decision({ deny: [load("y")] }, {})).toBe("allow");
  });

  it.each([
    [null, false, "allow"],
    [null, true, "confirm"],
    ["allow", false, "allow"],
    ["allow", true, "allow"],
    ["confirm", false, "confirm"],
    ["confirm", true, "confirm"],
  ] as const)("the default %s, where it executes: %s, is %s", (fallback, executes, expected) => {
    expect(decision({ default: fallback }, { executes })).toBe(expected);
  });
});

describe("004 §8.1 a skill_load rule covers every way to a skill's text", () => {
  it.each(["Skill", "skill_read_file", "skill_dispatch", "prompt"])("also by %s", (tool) => {
    expect(decision({ deny: [load("x")] }, { tool })).toBe("deny");
    expect(decision({ allow: [load("x")], default: "confirm" }, { tool })).toBe("allow");
    expect(decision({ deny: [load("x")] }, { tool, readsSkill: false })).toBe("allow");
  });

  it("but leave to read a skill is none to run something with it", () => {
    const dispatch = { tool: "skill_dispatch", executes: true };
    expect(decision({ allow: [load("x")] }, dispatch)).toBe("confirm");
    expect(decision({ allow: [{ tool: "skill_dispatch", skill_name: "x" }] }, dispatch)).toBe("allow");
    expect(decision({ deny: [load("x")] }, dispatch)).toBe("deny");
  });

  it("a rule for another tool is for that tool alone", () => {
    expect(decision({ deny: [{ tool: "Skill", skill_name: "x" }] }, {})).toBe("allow");
    expect(decision({ deny: [{ tool: "Skill", skill_name: "x" }] }, { tool: "Skill" })).toBe("deny");
  });

  it("a typed skill's own rule lets it run without a question", () => {
    const typed = { tool: "compile", executes: true, readsSkill: false };
    const request: PermissionRequest = { actor: "model", ...typed };
    expect(decide({ allow: [], deny: [], default: null }, request).decision).toBe("confirm");
    expect(decide({ allow: [{ tool: "compile" }], deny: [], default: null }, request).decision).toBe("allow");
  });

  it("a rule that names a skill is not for a tool about no one skill", () => {
    const request: PermissionRequest = { tool: "skill_search", actor: "model" };
    const rules = { allow: [], deny: [{ tool: "skill_search", skill_name: "x" }], default: null };
    expect(decide(rules, request).decision).toBe("allow");
  });
});

describe("skill_name against the resolved skill's name", () => {
  it.each(["X", "re\u0301sume\u0301-x", "ΟΔΟΣ"])("allow %j is exact", (name) => {
    expect(
      decision({ allow: [load(name)], default: "confirm" }, { skill: { name: name.toLowerCase() } }),
    ).toBe(name === name.toLowerCase() ? "allow" : "confirm");
  });

  it("the same name composed otherwise is the same", () => {
    const rule = load("re\u0301sume\u0301");
    expect(decision({ deny: [rule] }, { skill: { name: "r\u00e9sum\u00e9" } })).toBe("deny");
    expect(decision({ allow: [rule], default: "confirm" }, { skill: { name: "r\u00e9sum\u00e9" } })).toBe(
      "allow",
    );
  });

  it.each([
    ["Release-Notes", "release-notes"],
    ["release-notes", "Release-Notes"],
    ["ÜBER", "über"],
    ["οδος", "ΟΔΟΣ"],
    ["ſkill", "skill"],
  ])("deny %j catches %j: case does not count", (name, skill) => {
    expect(decision({ deny: [load(name)] }, { skill: { name: skill } })).toBe("deny");
  });

  it("is never a part of a name or a pattern", () => {
    for (const name of ["release", "release-notes-2", "release.notes", ".*"])
      expect(decision({ deny: [load(name)] }, { skill: { name: "release-notes" } })).toBe("allow");
  });
});

describe("a person's own word is consent", () => {
  it("whatever the default and whether it executes", () => {
    for (const fallback of [null, "confirm"] as const)
      for (const executes of [true, false])
        expect(decision({ default: fallback }, { actor: "person", executes })).toBe("allow");
  });

  it("but not against a deny", () => {
    expect(decision({ deny: [load("x")] }, { actor: "person" })).toBe("deny");
    expect(decision({ deny: [load()], allow: [load("x")] }, { actor: "person" })).toBe("deny");
  });
});

describe("the reason", () => {
  it("names the rule, or the default", () => {
    expect(answer({ deny: [load("X")] }, {}).reason).toBe(
      'The rule permissions.deny { tool: skill_load, skill_name: "X" } forbids it.',
    );
    expect(answer({ allow: [load()] }, {}).reason).toBe(
      "The rule permissions.allow { tool: skill_load } allows it.",
    );
    expect(answer({ default: "confirm" }, {}).reason).toContain("permissions.default is confirm");
    expect(answer({}, { executes: true }).reason).toContain("by default");
    expect(answer({}, { actor: "person" }).reason).toBe("A person asked for it.");
  });
});
