import { describe, expect, it } from "vitest";
import { errorOf, HEAD, load, project, ROUTING, rule } from "../../../../test/routing/routing-project.ts";
import { readRouting } from "./read-routing.ts";

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
  ])("RT-02 refuses the pattern %.20s with its place and %s", async (pattern, code) => {
    const message = await errorOf(HEAD + rule("ok", "x") + rule("bad", `'${pattern}'`));
    expect(message).toContain(`:5: "routes[1].patterns[0]"`);
    expect(message).toContain(`(${code})`);
    expect(message.length).toBeLessThan(500);
  });

  it("RT-02 refuses patterns that are too much together", async () => {
    const many = Array.from({ length: 60 }, (_, i) => rule(`r${i}`, "'(a|b){0,60}c'")).join("");
    expect(await errorOf(HEAD + many)).toMatch(/steps together, at most 6000/);
  });

  it.each([".*", ".+", "^.", "\\S", "[^x]|x", "(?s).+", "x|", "[\\s\\S]+", "^"])(
    "RT-05 tells the pattern %j, which matches everything",
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

  it("RT-03 rules of equal priority are tried in the order of the file, in 1,000 shuffles", () => {
    const ids = ["a", "b", "c", "d", "e"];
    for (let shuffle = 0; shuffle < 1_000; shuffle++) {
      const order = ids.map((id, at) => ({ id, key: ((shuffle + 1) * (at + 7) * 7919) % 1009 }));
      order.sort((one, other) => one.key - other.key);
      const text = HEAD + order.map(({ id }) => rule(id, "x")).join("");
      const read = readRouting(text, "routing.yaml");
      expect("routes" in read && read.routes.map(({ id }) => id)).toEqual(order.map(({ id }) => id));
    }
  });

  it("says of a number where text is wanted that it needs quotes, and what infinity is", async () => {
    expect(await errorOf(HEAD + rule("n", "404"))).toContain(
      '"routes[0].patterns[0]" must be text, found 404; put it in quotes.',
    );
    expect(await errorOf(HEAD + rule("p", "x").replace("patterns", "priority: .inf, patterns"))).toContain(
      "found Infinity",
    );
  });

  it("TR-01 reads no byte of an untrusted project's file, however it is named", async () => {
    using folder = project("not: [yaml");
    const routing = await load(folder, false);
    expect(routing).toMatchObject({ file: null, routes: [], default: { skill: null } });
    expect(routing.notes).toEqual([expect.stringContaining("not read until you trust this project")]);
    folder.write({ "repo/.knack/config.yaml": "routing: evil.yaml\n", "repo/evil.yaml": "not: [yaml" });
    expect(await load(folder, false)).toMatchObject({ file: null, routes: [] });
  });

  it("RT-05 an untrusted project's configuration does not stand in for the user's rules", async () => {
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
