import { describe, expect, it } from "vitest";
import {
  BASE,
  errorOf,
  HEAD,
  load,
  project,
  ROUTING,
  rule,
} from "../../../../test/routing/routing-project.ts";
import { skillText } from "../testing/index.ts";

describe("interfaces: .agents/routing.yaml", () => {
  it("reads version, default and routes", async () => {
    using folder = project(`\ufeff${HEAD}${rule("a", "x")}`.replaceAll("\n", "\r\n"));
    const { default: fallback, routes, notes, file } = await load(folder);
    expect(fallback).toMatchObject({ role: "explorer", reason: "else", skill: { name: "mine" } });
    expect(routes).toMatchObject([{ id: "a", role: "fixer", priority: 0, skill: { name: "debug" } }]);
    expect(notes).toEqual([]);
    expect(file).toBe(folder.at(ROUTING));
  });

  it("tries higher priorities first, equals in the order of the file", async () => {
    const rules =
      rule("a", "x") + rule("b", "x", ", priority: -1") + rule("c", "x", ", priority: 2") + rule("d", "x");
    using folder = project(HEAD + rules);
    expect((await load(folder)).routes.map(({ id }) => id)).toEqual(["c", "a", "d", "b"]);
  });

  it.each([
    ["no default", "version: 1\n", `/${ROUTING}:1: "default" is missing`],
    ["no version", BASE.replace("version: 1\n", ""), '"version" must be 1, found nothing.'],
    ["another version", BASE.replace("1", "2"), ':1: "version" must be 1, found 2.'],
    ["an unknown key", `${BASE}rules: []\n`, `:3: unknown key "rules"; did you mean "routes"?`],
    ["an unknown key of a route", HEAD + rule("a", "x", ", pattern: x"), 'did you mean "patterns"?'],
    [
      "an unknown role",
      BASE.replace("explorer", "explorr"),
      `:2: There is no role "explorr". Did you mean "explorer"?`,
    ],
    ["an unknown skill", HEAD + rule("a", "x").replace("debug", "debgu"), ':4: No skill is called "debgu".'],
    ["its nearest name", HEAD + rule("a", "x").replace("debug", "debgu"), 'Did you mean "debug"?'],
    ["a missing reason", BASE.replace(", reason: else", ""), '"default.reason" is missing'],
    ["a route without patterns", HEAD + rule("a", ""), '"routes[0].patterns" is missing'],
    [
      "a number for a pattern",
      HEAD + rule("a", "404"),
      '"routes[0].patterns[0]" must be text, found 404; put it in quotes.',
    ],
    ["one id twice", HEAD + rule("a", "x") + rule("a", "y"), ':5: Two routes have the id "a"'],
    [
      "a priority that is no number",
      HEAD + rule("a", "x", ", priority: high"),
      'whole number up to 1000000, found "high"',
    ],
    ["a list in place of the mapping", "- a\n", "found a list"],
    ["routes that are a mapping", `${BASE}routes: {}\n`, '"routes" must be a list, found a mapping.'],
    ["a key twice", `${BASE}version: 1\n`, "given twice"],
    ["an alias", `${BASE}routes: [*a]\n`, ":3:"],
    [
      "501 routes",
      HEAD + Array.from({ length: 501 }, (_, i) => rule(`r${i}`, "x")).join(""),
      "501 entries; at most 500",
    ],
    ["a file of 300 kB", `${BASE}#${"x".repeat(300_000)}\n`, "at most 262144 are read"],
  ])("refuses %s, with file and line", async (_what, text, message) => {
    expect(await errorOf(text)).toContain(message);
  });

  it("names every problem, not the first", async () => {
    const message = await errorOf(HEAD + rule("a", '"("') + rule("b", "x").replace("fixer", "fixr"));
    expect(message.split("\n")).toHaveLength(2);
  });

  it("an ambiguous skill is an error that a path in the project settles", async () => {
    const twice = { "home/.agents/skills/debug/SKILL.md": skillText("debug") };
    expect(await errorOf(HEAD + rule("a", "x"), twice)).toContain("2 skills are called");
    using folder = project(HEAD + rule("a", "x").replace("debug", ".agents/skills/debug"), twice);
    expect((await load(folder)).routes[0]?.skill.scope).toBe("repo");
  });

  it("a rule of a skill that is switched off is passed over with a note; a default of one is an error", async () => {
    const off = { "home/.knack/config.yaml": "skills: { disabled: [debug] }\n" };
    using folder = project(HEAD + rule("a", "x"), off);
    const { routes, notes } = await load(folder);
    expect(routes).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("route a is skipped: debug is disabled")]);
    expect(await errorOf(BASE.replace("mine", "debug"), off)).toContain(
      'The skill of "default", "debug", is disabled',
    );
  });

  it("without a file the root skill is the default, or nothing", async () => {
    using bare = project(undefined);
    expect((await load(bare)).default).toMatchObject({ role: "explorer", skill: null });
    using rooted = project(undefined, {
      "home/.agents/skills/tao-of-coding/SKILL.md": skillText("tao-of-coding"),
    });
    expect((await load(rooted)).default).toMatchObject({ skill: { name: "tao-of-coding" } });
  });

  it("a file that the configuration names and is not there is an error", async () => {
    using folder = project(undefined, { "repo/.knack/config.yaml": "routing: other.yaml\n" });
    await expect(load(folder)).rejects.toThrow(/other\.yaml does not exist/);
  });
});
