import { describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import type { PermissionRule } from "../config/rules.ts";
import { type Decision, decide, type PermissionRequest } from "./permissions.ts";

/** What a model that loads the skill `x` is answered, unless the request says otherwise. */
function answer(permissions: Partial<Config["permissions"]>, request: Partial<PermissionRequest>): Decision {
  const load = { tool: "skill_load", skill: { name: "x" }, actor: "model", readsSkill: true } as const;
  return decide({ allow: [], deny: [], default: null, ...permissions }, { ...load, ...request });
}

const load = (skill?: string): PermissionRule =>
  skill === undefined ? { tool: "skill_load" } : { tool: "skill_load", skill_name: skill };
const own = (tool: string): PermissionRule => ({ tool, skill_name: "x" });
const called = (name: string): Partial<PermissionRequest> => ({ skill: { name } });
const dispatch = { tool: "skill_dispatch", executes: true };
const typed = { tool: "compile", executes: true, readsSkill: false };
const person = { actor: "person" } as const;

type Case = [Decision["decision"], Parameters<typeof answer>[0], Parameters<typeof answer>[1]];

describe.each<[string, Case[]]>([
  [
    "004 §8.1 deny before allow before confirm, in any order and however general",
    [
      ["deny", { allow: [load("x")], deny: [load("x")] }, {}],
      ["deny", { allow: [load("x")], deny: [load()] }, {}],
      ["deny", { allow: [load()], deny: [load("x")] }, {}],
      ["allow", { allow: [load("x")], default: "confirm" }, {}],
      ["confirm", { allow: [load("y")], default: "confirm" }, {}],
      ["deny", { deny: [load()] }, called("y")],
      ["allow", { deny: [load("y")] }, {}],
    ],
  ],
  [
    "004 §8.1 the default, for what only reads and for what executes",
    [
      ["allow", {}, {}],
      ["confirm", {}, { executes: true }],
      ["allow", { default: "allow" }, { executes: true }],
      ["confirm", { default: "confirm" }, {}],
      ["confirm", { default: "confirm" }, { executes: true }],
    ],
  ],
  [
    "004 §8.1 a skill_load rule covers every way to a skill's text",
    ["Skill", "skill_read_file", "skill_dispatch", "prompt"].flatMap((tool): Case[] => [
      ["deny", { deny: [load("x")] }, { tool }],
      ["allow", { allow: [load("x")], default: "confirm" }, { tool }],
      ["allow", { deny: [load("x")] }, { tool, readsSkill: false }],
    ]),
  ],
  [
    "leave to read a skill is none to run something with it",
    [
      ["confirm", { allow: [load("x")] }, dispatch],
      ["allow", { allow: [own("skill_dispatch")] }, dispatch],
      ["deny", { deny: [load("x")] }, dispatch],
    ],
  ],
  [
    "a rule is for its tool and its skill alone",
    [
      ["allow", { deny: [own("Skill")] }, {}],
      ["deny", { deny: [own("Skill")] }, { tool: "Skill" }],
      ["confirm", {}, { ...typed, skill: undefined as never }],
      ["allow", { allow: [{ tool: "compile" }] }, { ...typed, skill: undefined as never }],
      ["allow", { deny: [own("skill_search")] }, { tool: "skill_search", skill: undefined as never }],
    ],
  ],
  [
    "allow takes a name as it is spelled, deny in any case, and both however it is composed",
    [
      ["confirm", { allow: [load("X")], default: "confirm" }, {}],
      ["confirm", { allow: [load("ΟΔΟΣ")], default: "confirm" }, called("οδος")],
      ["allow", { allow: [load("re\u0301sume\u0301")], default: "confirm" }, called("r\u00e9sum\u00e9")],
      ["deny", { deny: [load("re\u0301sume\u0301")] }, called("r\u00e9sum\u00e9")],
      ["deny", { deny: [load("Release-Notes")] }, called("release-notes")],
      ["deny", { deny: [load("release-notes")] }, called("Release-Notes")],
      ["deny", { deny: [load("ÜBER")] }, called("über")],
      ["deny", { deny: [load("οδος")] }, called("ΟΔΟΣ")],
      ["deny", { deny: [load("ſkill")] }, called("skill")],
    ],
  ],
  [
    "a name is never a part of a name or a pattern",
    ["release", "release-notes-2", "release.notes", ".*"].map((name): Case => {
      return ["allow", { deny: [load(name)] }, called("release-notes")];
    }),
  ],
  [
    "a person's own word is consent, but not against a deny",
    [
      ["allow", {}, { ...person, executes: true }],
      ["allow", { default: "confirm" }, person],
      ["allow", { default: "confirm" }, { ...person, executes: true }],
      ["deny", { deny: [load("x")] }, person],
      ["deny", { deny: [load()], allow: [load("x")] }, person],
    ],
  ],
])("%s", (_rule, cases) => {
  it.each(cases)("%s: %j %j", (decision, permissions, request) => {
    expect(answer(permissions, request).decision).toBe(decision);
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
    expect(answer({}, person).reason).toBe("A person asked for it.");
  });
});
