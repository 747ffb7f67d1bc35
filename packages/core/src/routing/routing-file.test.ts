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
    ["a priority without end", HEAD + rule("a", "x", ", priority: .inf"), "found Infinity"],
    ["a list in place of the mapping", "- a\n", "found a list"],
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

describe("hostile cases: routing", () => {
  it.each([
    ["(", "E_REGEX"],
    ["[z-a]", "E_REGEX"],
    ["a**b", "E_REGEX"],
    ["(?<=a)b", "E_REGEX_UNSAFE"],
    ["(?=a)b", "E_REGEX_UNSAFE"],
    ["(a)\\1", "E_REGEX_UNSAFE"],
    ["(a{100}){10}", "E_REGEX_UNSAFE"],
    [".{1000}", "E_REGEX_UNSAFE"],
    ["a".repeat(1_000_000 / 8), "E_REGEX_UNSAFE"],
  ])("refuses the pattern %.20s with its place and %s", async (pattern, code) => {
    const message = await errorOf(HEAD + rule("ok", "x") + rule("bad", `'${pattern}'`));
    expect(message).toContain(`:5: "routes[1].patterns[0]"`);
    expect(message).toContain(`(${code})`);
    expect(message.length).toBeLessThan(500);
  });

  it("refuses patterns that are too much together", async () => {
    const many = Array.from({ length: 60 }, (_, i) => rule(`r${i}`, "'(a|b){0,60}c'")).join("");
    expect(await errorOf(HEAD + many)).toMatch(/steps together, at most 6000/);
  });

  it.each([".*", ".+", "^.", "\\S", "[^x]|x", "(?s).+", "x|", "[\\s\\S]+", "^"])(
    "tells the pattern %j, which matches everything",
    async (pattern) => {
      using folder = project(HEAD + rule("all", `'${pattern}'`));
      expect((await load(folder)).notes).toEqual([expect.stringMatching(/:4: route all .*W_ROUTE_CATCHALL/)]);
    },
  );

  it.each(["debug", "^.$", "^$", "\\w+", "[a-z]+", "\\p{Han}", "[?]"])(
    "%j matches not everything",
    async (pattern) => {
      using folder = project(HEAD + rule("some", `'${pattern}'`));
      expect((await load(folder)).notes).toEqual([]);
    },
  );

  it("reads no byte of an untrusted project's file, however it is named", async () => {
    using folder = project("not: [yaml");
    const routing = await load(folder, false);
    expect(routing).toMatchObject({ file: null, routes: [], default: { skill: null } });
    expect(routing.notes).toEqual([expect.stringContaining("not read until you trust this project")]);
    folder.write({ "repo/.knack/config.yaml": "routing: evil.yaml\n", "repo/evil.yaml": "not: [yaml" });
    expect(await load(folder, false)).toMatchObject({ file: null, routes: [] });
  });

  it("an untrusted project's configuration does not stand in for the user's rules", async () => {
    using folder = project(HEAD + rule("theirs", "x"), {
      "repo/.knack/config.yaml": "routing: .agents/routing.yaml\n",
      "home/.knack/config.yaml": "routing: ~/my-routes.yaml\n",
      "home/my-routes.yaml": HEAD + rule("my-own", "x").replace("debug", "mine"),
    });
    expect((await load(folder, false)).routes.map(({ id }) => id)).toEqual(["my-own"]);
    // Nor does a link of the user's into the project.
    using linked = project("not: [yaml", { "home/.knack/config.yaml": "routing: ~/r.yaml\n" });
    linked.write({ "home/r.yaml": { link: linked.at(ROUTING) } });
    expect((await load(linked, false)).file).toBeNull();
  });

  it.each([
    '"a b"',
    '"a\\nb"',
    '"\\e[31m"',
    '""',
    '"-x"',
    '"../../x"',
    `"${"x".repeat(65)}"`,
    "[]",
    "{}",
    "1",
    "null",
    '"\\u202ea"',
  ])("refuses the id %s", async (id) => {
    expect(await errorOf(HEAD + rule(id, "x"))).toMatch(/"routes\[0\]\.id"/);
  });

  it.each(["__proto__", "constructor", "toString", "審查", "レビュー", "é"])(
    "takes the id %s as data",
    async (id) => {
      using folder = project(HEAD + rule(id, "x"));
      expect((await load(folder)).routes.map((route) => route.id)).toEqual([id]);
    },
  );
});
