import { describe, expect, it } from "vitest";
import { createRuntime, type OpenCatalogOptions, openCatalog } from "../packages/core/src/index.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../packages/core/src/testing/files.ts";
import { knack } from "./cli/run.ts";

/** What the test suites of other skill programs ask of theirs, as files, a call and what comes of it. */
type Files = Readonly<Record<string, FileSpec>>;

const OWN = "repo/.agents/skills";
/** A client's folder is read leniently. */
const CLIENT = "home/.claude/skills";
const md = (frontmatter: string): string => `---\n${frontmatter}\n---\n# Text\n`;
const open = (folder: Folder, more: OpenCatalogOptions = {}) =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...more });

describe("004 §5.5: a sentence that calls a skill by its name finds it first", () => {
  const skills = {
    presentations: "Edits PPTX files.",
    "slides-helper": "Create a deck of slides for a presentation. Use to create decks.",
    image: "Draws.",
    "code-review": "Reads diffs.",
    "release-notes": "Writes what changed.",
    "tool_box:pdf_fill": "Completes forms.",
    test: "Runs what checks the code.",
  };
  const files: Files = Object.fromEntries(
    Object.entries(skills).map(([name, what], i) => [
      `${CLIENT}/s${i}/SKILL.md`,
      skillText(`"${name}"`, what),
    ]),
  );

  it.each([
    ["Use presentations to create a deck", "presentations"],
    ["Please use presentations for the deck of slides", "presentations"],
    ["Create a deck of slides. Use presentations.", "presentations"],
    ["Use code-review to create a deck of slides", "code-review"],
    ["Use code review to create a deck of slides", "code-review"],
    ["create a deck of slides with code-review and send it", "code-review"],
    ["could you run the code-review skill over this deck of slides?", "code-review"],
    ["run the image skill on the deck of slides", "image"],
    ["create a deck of slides, $image", "image"],
    ["/code-review the deck of slides", "code-review"],
    ["use `code-review` on the deck of slides", "code-review"],
    ["使用code-review技能 deck slides", "code-review"],
    ["Use tool_box:pdf_fill to create a deck of slides", "tool_box:pdf_fill"],
  ])("%j: %s", async (request, name) => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const [first] = (await open(folder)).search(request).results;
    expect(first).toMatchObject({ skill: { name }, reason: "exact_name", fits: true });
  });

  it.each([
    "test the deck of slides before you create it", // an ordinary word
    "Use image compression to create a deck of slides",
    "create a deck of slides with a test",
    "don't use code-review, create a deck of slides",
    "create a deck of slides without code-review",
    "create a deck of slides from src/code-review/image.md",
    "create a deck of slides for US$image",
    "The code-review skill is slow. Create a deck of slides",
  ])("%j calls none by its name", async (request) => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const { results } = (await open(folder)).search(request);
    expect(results.map(({ reason }) => reason)).not.toContain("exact_name");
  });

  it("only where the model may have it", async () => {
    using folder = makeFolder({ ...files, "repo/": "" });
    const accepts = ({ name }: { name: string }): boolean => name !== "code-review";
    const { results } = (await open(folder)).search("Use code-review to create a deck", { accepts });
    expect(results[0]?.skill.name).toBe("slides-helper");
  });
});

describe("agents/openai.yaml beside a skill", () => {
  const files = (yaml: FileSpec): Files => ({
    [`${OWN}/demo/SKILL.md`]: skillText("demo"),
    [`${OWN}/demo/agents/openai.yaml`]: yaml,
  });

  it.each([
    ["policy:\n  allow_implicit_invocation: false\n", { disableModelInvocation: true }],
    ["policy: {allow_implicit_invocation: false}\n", { disableModelInvocation: true }],
    ["policy:\n  allow_implicit_invocation: true\n", {}],
    [
      'interface:\n  display_name: "Demo Time"\n  short_description: Shows it\n  icon_small: ./a.svg\n',
      { displayName: "Demo Time", shortDescription: "Shows it" },
    ],
    ["# nothing yet\n", {}],
  ])("%j", async (yaml, expected) => {
    using folder = makeFolder(files(yaml));
    const { skills, warnings, errors } = await open(folder);
    const { disableModelInvocation, displayName, shortDescription } = skills[0] ?? {};
    expect({ disableModelInvocation, displayName, shortDescription }).toEqual(expected);
    expect([...errors, ...warnings]).toEqual([]);
  });

  it.each([
    ["bad YAML", "policy: [\n", "Not valid YAML"],
    ["no mapping", "- a\n", "found a list"],
    ["a wrong value", "interface:\n  display_name: [a]\n", "display_name"],
    ["a link", { link: "../SKILL.md" } as const, undefined],
    ["more than is read", `# ${"x".repeat(70_000)}\n`, "bytes"],
    ["bytes that are no text", Uint8Array.from([0xff, 0xfe]), "UTF-8"],
  ])("%s is a warning and leaves the skill", async (_, yaml, message) => {
    using folder = makeFolder(files(yaml));
    const { skills, warnings, errors } = await open(folder);
    expect(skills.map(({ name, disableModelInvocation }) => [name, disableModelInvocation])).toEqual([
      ["demo", undefined],
    ]);
    expect(errors).toEqual([]);
    if (message !== undefined)
      expect(warnings).toMatchObject([
        {
          code: "W_AGENT_FILE",
          path: folder.at(OWN, "demo/agents/openai.yaml"),
          message: expect.stringContaining(message),
        },
      ]);
  });

  it("is noticed when it comes, changes and goes, with an index too", async () => {
    using folder = makeFolder({
      [`${OWN}/demo/SKILL.md`]: skillText("demo"),
      [`${OWN}/demo/agents/x.md`]: "x",
    });
    const cache = folder.at("cache");
    const isHidden = async (): Promise<boolean> =>
      (await open(folder, { cache })).skills[0]?.disableModelInvocation ?? false;
    const live = await open(folder);
    expect(await isHidden()).toBe(false);
    for (const hides of [true, false, true]) {
      folder.write(files(`policy:\n  allow_implicit_invocation: ${!hides}\n`));
      expect(await isHidden()).toBe(hides);
      expect((await live.refresh()).skills[0]?.disableModelInvocation ?? false).toBe(hides);
    }
  });

  it("a model is not told of the skill, a person loads it", async () => {
    using folder = makeFolder(files("policy:\n  allow_implicit_invocation: false\n"));
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    const session = runtime.session();
    expect((await session.call("skill_load", { name: "demo" })).status).toBe("error");
    expect((await session.execute("/skill demo")).text).toContain("# demo");
    expect(knack(folder, ["load", "demo"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("# demo"),
    });
  });

  it("knack show has its title and its short text", () => {
    using folder = makeFolder(
      files("interface:\n  display_name: Demo Time\n  short_description: Shows it\n"),
    );
    const { stdout } = knack(folder, ["show", "demo"]);
    expect(stdout).toContain("Demo Time");
    expect(stdout).toContain("Shows it");
  });
});

describe("user-invocable: false", () => {
  it("is for models: no command, and models load it", async () => {
    using folder = makeFolder({
      [`${OWN}/demo/SKILL.md`]: skillText("demo", "Does it.", "user-invocable: false\ncommand: demo\n"),
      [`${OWN}/other/SKILL.md`]: skillText("other", "Does it.", "user-invocable: true\ncommand: other\n"),
    });
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    const { skills } = await open(folder);
    expect(skills.map(({ name, command, userInvocable }) => [name, command, userInvocable])).toEqual([
      ["demo", undefined, false],
      ["other", "other", undefined],
    ]);
    const session = runtime.session();
    expect((await session.execute("/demo")).status).toBe("error");
    expect((await session.call("skill_load", { name: "demo" })).text).toContain("# demo");
  });
});

describe("a quoted text that goes on at the margin", () => {
  it.each([
    ['description: "First.\nSecond: and more."', "First. Second: and more."],
    ["description: 'First.\nIt''s second.'\nlicense: MIT", "First. It's second."],
    ['description: "First.\n\nSecond \\"so\\".\n  Third."', 'First.\nSecond "so". Third.'],
    ['description: "One: two.\nkey: three."', "One: two. key: three."],
  ])("%j", async (yaml, description) => {
    for (const root of [OWN, CLIENT]) {
      using folder = makeFolder({ [`${root}/demo/SKILL.md`]: md(`name: demo\n${yaml}`), "repo/": "" });
      const { skills, errors, warnings } = await open(folder);
      expect(errors).toEqual([]);
      expect(skills).toMatchObject([{ name: "demo", description }]);
      expect(warnings).toMatchObject([
        { code: "W_YAML_REPAIRED", message: expect.stringContaining("indent") },
      ]);
      expect(knack(folder, ["load", "demo"]).code).toBe(0);
    }
  });

  it.each(['description: "First.\nSecond.', 'description: "First.\nname: other'])(
    "%j is never closed, and is left out",
    async (yaml) => {
      using folder = makeFolder({ [`${CLIENT}/demo/SKILL.md`]: md(`name: demo\n${yaml}`), "repo/": "" });
      expect((await open(folder)).errors).toMatchObject([
        { code: "E_YAML_SYNTAX", message: expect.stringContaining("never closed") },
      ]);
    },
  );
});

describe("a name with white space in a folder that is read leniently", () => {
  it.each([
    ["name: deploy  service", "deploy service"],
    ['name: "deploy\\tservice"', "deploy service"],
    ['name: " deploy service\\n"', "deploy service"],
    ["name: deploy\n  service", "deploy service"],
    ['name: "   "', "folder"],
    ['name: "\\t\\n"', "folder"],
  ])("%j is %s, and loads by that", async (yaml, name) => {
    using folder = makeFolder({
      [`${CLIENT}/folder/SKILL.md`]: md(`${yaml}\ndescription: Ships it.`),
      "repo/": "",
    });
    const { skills } = await open(folder);
    expect(skills.map((skill) => skill.name)).toEqual([name]);
    expect(knack(folder, ["load", name])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("# Text"),
    });
  });

  it.each(["deploy  service", " Deploy\tservice", "deploy\u00a0 service"])(
    "%j loads it too",
    async (written) => {
      using folder = makeFolder({
        [`${CLIENT}/folder/SKILL.md`]: md("name: deploy  service\ndescription: Ships it."),
        "repo/": "",
      });
      expect(knack(folder, ["load", written])).toMatchObject({ code: 0 });
      const place = { cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false } as const;
      const session = (await createRuntime(place)).session();
      expect(await session.call("skill_load", { name: written })).toMatchObject({ status: "success" });
    },
  );
});

describe("004 §3.1: a path decides which skill is meant", () => {
  const twice: Files = {
    [`${OWN}/demo/SKILL.md`]: skillText("demo", "The first."),
    "home/.agents/skills/demo/SKILL.md": skillText("demo", "The second."),
  };

  it("through a linked folder too", async () => {
    using folder = makeFolder({
      "elsewhere/demo/SKILL.md": skillText("demo"),
      "home/.agents/skills/demo": { link: "../../../elsewhere/demo" },
      "home/.agents/skills/group": { link: "../../../elsewhere" },
      "repo/": "",
    });
    const catalog = await open(folder);
    for (const place of ["demo", "demo/SKILL.md", "group/demo"]) {
      const text = `[$demo](${folder.at("home/.agents/skills", place)})`;
      expect(await catalog.mentions(text), place).toMatchObject([{ form: "link", skill: { name: "demo" } }]);
    }
  });

  it("for the same name without a path in the same text", async () => {
    using folder = makeFolder(twice);
    const path = folder.at(OWN, "demo/SKILL.md");
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    for (const text of [`$demo and [$demo](${path})`, `[$demo](${path}), then $demo`]) {
      const mentions = await (await open(folder)).mentions(text);
      expect(mentions).toMatchObject([{ skill: { path } }, { skill: { path } }]);
      const reaction = await runtime.session().input(text);
      expect(reaction).toMatchObject({ to: "model", text: expect.stringContaining(path) });
    }
    const both = `$demo [$demo](${path}) [$demo](${folder.at("home/.agents/skills/demo")})`;
    expect((await (await open(folder)).mentions(both))[0]).toHaveProperty("candidates");
  });
});

describe("004 §5.3: a linked folder is judged by a name that it has", () => {
  it.each([
    [
      "its own, where the link has another",
      { "shared/demo/SKILL.md": skillText("demo"), [`${OWN}/alias`]: { link: "../../../shared/demo" } },
    ],
    [
      "the link's, where the folder has another",
      { "shared/v1/SKILL.md": skillText("demo"), [`${OWN}/demo`]: { link: "../../../shared/v1" } },
    ],
    [
      "its own, beside a link to it",
      { [`${OWN}/demo/SKILL.md`]: skillText("demo"), [`${OWN}/alias`]: { link: "demo" } },
    ],
    [
      "its own, in a folder of links",
      { "repo/src/demo/SKILL.md": skillText("demo"), [`${OWN}/alias`]: { link: "../../src/demo" } },
    ],
  ])("%s", async (_, files) => {
    using folder = makeFolder(files as Files);
    const { skills, errors } = await open(folder, { trusted: true });
    expect(errors).toEqual([]);
    expect(skills.map(({ name }) => name)).toEqual(["demo"]);
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    expect((await runtime.session().call("skill_load", { name: "demo" })).status).toBe("success");
    const env = { KNACK_TRUST: "all" };
    expect(knack(folder, ["validate"], { env }).code).toBe(0);
    const dir = skills[0]?.dir ?? "";
    if (dir.endsWith("demo")) expect(knack(folder, ["validate", dir], { env }).code).toBe(0);
  });

  it("neither of which it has", async () => {
    using folder = makeFolder({
      "shared/v1/SKILL.md": skillText("demo"),
      [`${OWN}/alias`]: { link: "../../../shared/v1" },
    });
    const { errors } = await open(folder, { trusted: true });
    expect(errors).toMatchObject([{ code: "E_NAME_DIR_MISMATCH" }]);
  });
});
