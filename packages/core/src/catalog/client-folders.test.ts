import { rmSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_FOLDERS, CLIENT_IDS, type ClientFolders } from "../config/client-folders.ts";
import type { Catalog } from "../open-catalog.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../testing/index.ts";
import { names, openRepo as open } from "./testing/open-repo.ts";

/** Where a skill is, below the test's folder. */
const placesOf = (folder: Folder, catalog: Catalog, name: string): string[] | undefined =>
  catalog.resolve({ name }).places?.map((path) => relative(folder.path, path));

const ROWS = Object.entries(CLIENT_FOLDERS) as [string, ClientFolders][];

describe("interfaces: the folders of other agents are roots", () => {
  const ALL = ROWS.flatMap(([client, { project, user }]) => [
    ...project.map((path, i) => ({
      client,
      scope: "repo",
      name: `${client}-project-${i}`,
      path: `repo/${path}`,
    })),
    ...user.map((path, i) => ({ client, scope: "user", name: `${client}-user-${i}`, path: `home/${path}` })),
  ]);
  // A folder that several clients share belongs to the first of them.
  const EVERY = ALL.filter(({ path }, i) => ALL.findIndex((other) => other.path === path) === i);

  it("finds a skill in every folder of the table, with its client and scope", async () => {
    using folder = makeFolder(
      Object.fromEntries(EVERY.map(({ path, name }) => [`${path}/${name}/SKILL.md`, skillText(name)])),
    );
    const { skills, errors, warnings } = await open(folder);
    const found = skills.map(({ client, scope, name }) => ({ client, scope, name }));
    const expected = EVERY.map(({ client, scope, name }) => ({ client, scope, name }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect(found.sort(byName)).toEqual(expected.sort(byName));
    expect([...errors, ...warnings]).toEqual([]);
  });

  it.each(ROWS.filter(([, { moved }]) => moved))(
    "%s: its variable moves the user's folders",
    async (_, row) => {
      const { moved = { variable: "", replaces: "" } } = row;
      const user = row.user.filter((path) => path.startsWith(moved.replaces));
      using folder = makeFolder(
        Object.fromEntries(
          user.map((path, i) => [
            `moved/${path.slice(moved.replaces.length)}/skill-${i}/SKILL.md`,
            skillText(`skill-${i}`),
          ]),
        ),
      );
      const catalog = await open(folder, { env: { [moved.variable]: folder.at("moved") } });
      expect(names(catalog).sort()).toEqual(user.map((_path, i) => `skill-${i}`));
      expect(names(await open(folder, { env: { [moved.variable]: "moved" } }))).toEqual([]);
    },
  );

  it("looks from the root of the project down to the working directory", async () => {
    using folder = makeFolder({
      "repo/.claude/skills/top/SKILL.md": skillText("top"),
      "repo/packages/.claude/skills/middle/SKILL.md": skillText("middle"),
      "repo/packages/app/.cursor/skills/low/SKILL.md": skillText("low"),
      "repo/packages/other/.claude/skills/beside/SKILL.md": skillText("beside"),
    });
    expect(names(await open(folder, { cwd: folder.at("repo/packages/app") }))).toEqual([
      "top",
      "middle",
      "low",
    ]);
  });

  it("lists Knack's own folders first, then the clients' in the project, then those of the user", async () => {
    using folder = makeFolder({
      "home/.claude/skills/a/SKILL.md": skillText("a"),
      "repo/.gemini/skills/b/SKILL.md": skillText("b"),
      "home/.agents/skills/c/SKILL.md": skillText("c"),
      "repo/skills/d/SKILL.md": skillText("d"),
      "repo/.claude/skills/e/SKILL.md": skillText("e"),
    });
    expect(names(await open(folder))).toEqual(["d", "c", "e", "b", "a"]);
  });

  it("leaves out a project's folders for a model until the project is trusted", async () => {
    using folder = makeFolder({
      "repo/.claude/skills/theirs/SKILL.md": skillText("theirs"),
      "home/.claude/skills/mine/SKILL.md": skillText("mine"),
    });
    const catalog = await open(folder, { trusted: false, withoutProject: true });
    expect(names(catalog)).toEqual(["mine"]);
    expect(catalog.waitingForTrust).toBe(1);
  });

  it("does not follow a project's link out of it before that", async () => {
    using folder = makeFolder({
      "outside/x/SKILL.md": skillText("x"),
      "repo/.claude/skills": { link: "../../outside" },
      "repo/.codex/skills/x": { link: "../../../outside/x" },
    });
    const { skills, errors } = await open(folder, { trusted: false });
    expect([skills, errors.map(({ code }) => code)]).toEqual([[], ["E_PATH_ESCAPE", "E_PATH_ESCAPE"]]);
  });

  it("sees a folder that comes later", async () => {
    using folder = makeFolder({ "home/.agents/skills/a/SKILL.md": skillText("a") });
    const before = await open(folder);
    expect(before.hasSameUnwatchedInputs()).toBe(true);
    folder.write({ "home/.codex/skills/b/SKILL.md": skillText("b") });
    expect(before.hasSameUnwatchedInputs()).toBe(false);
    expect(names(await before.update())).toEqual(["a", "b"]);
  });
});

describe("interfaces: clients' folders are validated leniently", () => {
  it("loads another name than the folder's with a warning, which .agents/skills refuses", async () => {
    using folder = makeFolder({
      "home/.claude/skills/folder/SKILL.md": skillText("Other_Name"),
      "home/.agents/skills/folder/SKILL.md": skillText("Other_Name"),
    });
    const { skills, errors, warnings } = await open(folder);
    expect(skills.map(({ name, client }) => [name, client])).toEqual([["Other_Name", "claude"]]);
    expect(new Set(errors.map(({ path }) => relative(folder.path, path)))).toEqual(
      new Set(["home/.agents/skills/folder/SKILL.md"]),
    );
    expect(warnings.map(({ code }) => code)).toContain("W_NAME_DIR_MISMATCH");
  });

  it("leaves a skill without a description out, with the reason", async () => {
    using folder = makeFolder({ "home/.claude/skills/bare/SKILL.md": "---\nname: bare\n---\n# Bare\n" });
    const { skills, errors } = await open(folder);
    expect(skills).toEqual([]);
    expect(errors.map(({ code }) => code)).toEqual(["E_DESC_INVALID"]);
  });
});

describe("interfaces: the same skill in several folders is one skill with places", () => {
  const script = { "scripts/run.sh": "echo 1\n", "references/a.md": "# A\n" };
  const copy = (dir: string, more: Readonly<Record<string, FileSpec>> = script): Record<string, FileSpec> =>
    Object.fromEntries(
      Object.entries({ "SKILL.md": skillText("pdf"), ...more }).map(([file, text]) => [
        `${dir}/${file}`,
        text,
      ]),
    );

  it("of one real folder: links to a skill, as installers make them", async () => {
    using folder = makeFolder({
      ...copy("repo/.agents/skills/pdf"),
      "repo/.claude/skills/pdf": { link: "../../.agents/skills/pdf" },
      "repo/.gemini/skills/pdf": { link: "../../.agents/skills/pdf" },
    });
    for (const trusted of [true, false]) {
      const catalog = await open(folder, { trusted });
      expect(names(catalog)).toEqual(["pdf"]);
      expect(placesOf(folder, catalog, "pdf")).toEqual([
        "repo/.agents/skills/pdf/SKILL.md",
        "repo/.claude/skills/pdf/SKILL.md",
        "repo/.gemini/skills/pdf/SKILL.md",
      ]);
      expect([...catalog.errors, ...catalog.warnings]).toEqual([]);
    }
  });

  it("of one real folder outside all roots: its links are its places", async () => {
    using folder = makeFolder({
      ...copy("home/store/pdf"),
      "home/.claude/skills/pdf": { link: "../../store/pdf" },
      "home/.codex/skills/pdf": { link: "../../store/pdf" },
    });
    const catalog = await open(folder);
    expect(placesOf(folder, catalog, "pdf")).toEqual([
      "home/store/pdf/SKILL.md",
      "home/.claude/skills/pdf/SKILL.md",
      "home/.codex/skills/pdf/SKILL.md",
    ]);
    expect(catalog.resolve({ name: "pdf" }).client).toBe("claude");
  });

  it("of a link to a whole folder of skills", async () => {
    using folder = makeFolder({
      ...copy("repo/.agents/skills/pdf"),
      "repo/.claude/skills": { link: "../.agents/skills" },
    });
    const catalog = await open(folder);
    expect(placesOf(folder, catalog, "pdf")).toEqual([
      "repo/.agents/skills/pdf/SKILL.md",
      "repo/.claude/skills/pdf/SKILL.md",
    ]);
  });

  it("of the same bytes in all files", async () => {
    using folder = makeFolder({
      ...copy("home/.agents/skills/pdf"),
      ...copy("home/.claude/skills/pdf"),
      ...copy("repo/.cursor/skills/group/pdf"),
      "home/.claude/skills/pdf/.git/HEAD": "ref: refs/heads/main\n",
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["pdf"]);
    expect(placesOf(folder, catalog, "pdf")).toEqual([
      "home/.agents/skills/pdf/SKILL.md",
      "home/.claude/skills/pdf/SKILL.md",
      "repo/.cursor/skills/group/pdf/SKILL.md",
    ]);
    const { path } = catalog.resolve({ name: "pdf" });
    for (const place of [folder.at("home/.claude/skills/pdf"), "~/.claude/skills/pdf/SKILL.md"])
      expect(catalog.resolve({ path: place }).path).toBe(path);
  });

  it.each([
    ["another file", { ...script, "more.md": "x" }],
    ["a missing file", { "scripts/run.sh": "echo 1\n" }],
    ["other bytes in a file", { ...script, "scripts/run.sh": "echo 2\n" }],
    ["a link in place of a file", { ...script, "references/a.md": { link: "../SKILL.md" } }],
  ])("but not with %s: then the name is ambiguous among clients", async (_, files) => {
    using folder = makeFolder({
      ...copy("home/.claude/skills/pdf"),
      ...copy("home/.codex/skills/pdf", files),
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ client }) => client)).toEqual(["claude", "codex"]);
    expect(() => catalog.resolve({ name: "pdf" })).toThrow(expect.objectContaining({ code: "AMBIGUOUS" }));
  });

  it("becomes two when a copy changes, and one when it changes back", async () => {
    using folder = makeFolder({ ...copy("home/.claude/skills/pdf"), ...copy("home/.codex/skills/pdf") });
    let catalog = await open(folder);
    expect(catalog.skills).toHaveLength(1);
    folder.write({ "home/.codex/skills/pdf/notes.md": "mine" });
    catalog = await catalog.update();
    expect(catalog.skills).toHaveLength(2);
    rmSync(folder.at("home/.codex/skills/pdf/notes.md"));
    catalog = await catalog.update();
    expect(catalog.skills).toHaveLength(1);
    expect(placesOf(folder, catalog, "pdf")).toHaveLength(2);
  });

  it("is switched off by the path of any of its places", async () => {
    using folder = makeFolder({
      ...copy("home/.agents/skills/pdf"),
      ...copy("home/.claude/skills/pdf"),
      "home/.knack/config.yaml": "skills: { disabled: [~/.claude/skills/pdf] }\n",
    });
    expect(names(await open(folder))).toEqual([]);
  });
});

describe("interfaces: other content of the same name", () => {
  const own = { "repo/.agents/skills/pdf/SKILL.md": skillText("pdf", "Mine.") };

  it("a skill of a client's folder never wins over one of Knack's own roots, and is named", async () => {
    using folder = makeFolder({ ...own, "home/.claude/skills/pdf/SKILL.md": skillText("pdf", "Theirs.") });
    const catalog = await open(folder);
    expect(catalog.resolve({ name: "pdf" }).description).toBe("Mine.");
    expect(catalog.entries.map(({ status, reason }) => [status, reason])).toEqual([
      ["active", ""],
      ["shadowed", expect.stringContaining(folder.at("repo/.agents/skills/pdf/SKILL.md"))],
    ]);
    expect(catalog.warnings).toEqual([
      expect.objectContaining({
        code: "W_SHADOWED",
        message: expect.stringContaining(folder.at("home/.claude/skills/pdf/SKILL.md")),
      }),
    ]);
  });

  it("an untrusted project does not shadow what the user has in a client's folder", async () => {
    using folder = makeFolder({ ...own, "home/.claude/skills/pdf/SKILL.md": skillText("pdf", "Theirs.") });
    const catalog = await open(folder, { trusted: false });
    expect(() => catalog.resolve({ name: "pdf" })).toThrow(expect.objectContaining({ code: "AMBIGUOUS" }));
  });

  it("among clients it is ambiguous, and with duplicates: nearest the order of the table decides", async () => {
    using folder = makeFolder({
      "home/.codex/skills/pdf/SKILL.md": skillText("pdf", "Codex."),
      "home/.claude/skills/pdf/SKILL.md": skillText("pdf", "Claude."),
      "repo/.gemini/skills/doc/SKILL.md": skillText("doc", "Near."),
      "home/.claude/skills/doc/SKILL.md": skillText("doc", "Far."),
    });
    const catalog = await open(folder);
    expect(() => catalog.resolve({ name: "pdf" })).toThrow(expect.objectContaining({ code: "AMBIGUOUS" }));
    folder.write({ "home/.knack/config.yaml": "skills: { duplicates: nearest }\n" });
    const nearest = await catalog.reload();
    expect(nearest.resolve({ name: "pdf" }).description).toBe("Claude.");
    expect(nearest.resolve({ name: "doc" }).description).toBe("Near.");
  });
});

describe("interfaces: skills.clients and skills.roots", () => {
  const files = {
    "home/.claude/skills/a/SKILL.md": skillText("a"),
    "repo/.codex/skills/b/SKILL.md": skillText("b"),
  };
  const USER = "home/.knack/config.yaml";

  it.each([
    ["all", ["b", "a"]],
    ["none", []],
    ["[claude]", ["a"]],
    ["[codex, claude]", ["b", "a"]],
    ["[]", []],
  ])("clients: %s", async (clients, expected) => {
    using folder = makeFolder({ ...files, [USER]: `skills: { clients: ${clients} }\n` });
    expect(names(await open(folder))).toEqual(expected);
  });

  it("an untrusted project's file takes clients away and adds none", async () => {
    using folder = makeFolder({
      ...files,
      [USER]: "skills: { clients: [claude] }\n",
      "repo/.knack/config.yaml": "skills: { clients: all }\n",
    });
    expect(names(await open(folder, { trusted: false }))).toEqual(["a"]);
    expect(names(await open(folder, { trusted: true }))).toEqual(["b", "a"]);
    folder.write({ "repo/.knack/config.yaml": "skills: { clients: [codex] }\n" });
    expect(names(await open(folder, { trusted: false }))).toEqual([]);
  });

  it.each([
    [
      "skills: { clients: [clade] }",
      "skills.clients[0]",
      `${CLIENT_IDS.join(" or ")}, found "clade". Did you mean "claude"?`,
    ],
    ["skills: { clients: some }", "skills.clients", "must be all, none"],
    ["skills: { roots: [{ project: ../x }] }", "roots[0].project", "inside the project"],
    ["skills: { roots: [{ project: /x }] }", "roots[0].project", "inside the project"],
    ["skills: { roots: [{ project: ~/x }] }", "roots[0].project", "inside the project"],
    ["skills: { roots: [{ project: x, path: y }] }", "roots[0].project", "beside path"],
    ["skills: { roots: [{ project: x, scope: user }] }", "roots[0].scope", "repo"],
    ["skills: { roots: [{ pth: x }] }", "roots[0].pth", "path"],
    ["skills: { roots: [''] }", "roots[0].path", "empty"],
  ])("refuses %s", async (text, where, why) => {
    using folder = makeFolder({ [USER]: `${text}\n` });
    const error = await open(folder).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(String(error)).toContain(where);
    expect(String(error)).toContain(why);
  });

  it("a plain string is a root, and a project folder is one in every project that has it", async () => {
    using folder = makeFolder({
      "home/more/x/SKILL.md": skillText("x"),
      "repo/.tool/skills/y/SKILL.md": skillText("y"),
      [USER]: "skills: { roots: [more, { project: .tool/skills }, { project: .absent/skills }] }\n",
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([
      ["x", "user"],
      ["y", "repo"],
    ]);
    expect(catalog.errors).toEqual([]);
    const model = await open(folder, { trusted: false, withoutProject: true });
    expect(names(model)).toEqual(["x"]);
  });

  it("a named root that is a client's folder is read as the user says: strictly", async () => {
    using folder = makeFolder({
      "home/.claude/skills/folder/SKILL.md": skillText("another"),
      [USER]: "skills: { roots: [~/.claude/skills] }\n",
    });
    const { skills, errors } = await open(folder);
    expect(skills).toEqual([]);
    expect(errors.map(({ code }) => code)).toEqual(["E_NAME_DIR_MISMATCH"]);
  });
});

describe("interfaces: plugins of Claude Code, those that are installed and on", () => {
  const CLAUDE = "home/.claude";
  const installed = (
    folder: Folder,
    ...entries: [key: string, install: object][]
  ): Record<string, string> => ({
    [`${CLAUDE}/plugins/installed_plugins.json`]: JSON.stringify({
      version: 2,
      plugins: Object.fromEntries(
        entries.map(([key, install]) => {
          const [plugin] = key.split("@");
          const installPath = folder.at(CLAUDE, "plugins/cache/market", plugin ?? "", "1.0.0");
          return [key, [{ scope: "user", installPath, version: "1.0.0", ...install }]];
        }),
      ),
    }),
  });
  const settings = (enabledPlugins: object): string => JSON.stringify({ enabledPlugins });
  const skill = (plugin: string, name: string): Record<string, string> => ({
    [`${CLAUDE}/plugins/cache/market/${plugin}/1.0.0/skills/${name}/SKILL.md`]: skillText(name),
  });

  it("as plugin:name; what is not installed, switched off or left in the cache is not there", async () => {
    using folder = makeFolder();
    folder.write({
      ...skill("docs", "pdf"),
      ...skill("off", "a"),
      ...skill("unset", "b"),
      ...skill("removed", "c"),
      ...installed(folder, ["docs@market", {}], ["off@market", {}], ["unset@market", {}]),
      [`${CLAUDE}/settings.json`]: settings({
        "docs@market": true,
        "off@market": false,
        "removed@market": true,
      }),
      [`${CLAUDE}/skills/pdf/SKILL.md`]: skillText("pdf"),
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ name, scope, client }) => [name, scope, client])).toEqual([
      ["pdf", "user", "claude"],
      ["docs:pdf", "user", "claude"],
    ]);
    expect(catalog.resolve("docs:pdf").path).toContain("plugins/cache/market/docs/1.0.0/skills/pdf");
    expect(catalog.search("docs:pdf").results[0]?.skill.name).toBe("docs:pdf");
  });

  it("a project's settings switch them once the project is trusted, for plugins of this project", async () => {
    using folder = makeFolder();
    folder.write({
      ...skill("docs", "pdf"),
      ...skill("other", "x"),
      ...installed(
        folder,
        ["docs@market", { scope: "project", projectPath: folder.at("repo") }],
        ["other@market", { scope: "project", projectPath: folder.at("elsewhere") }],
      ),
      "repo/.claude/settings.json": settings({ "docs@market": false, "other@market": true }),
      "repo/.claude/settings.local.json": settings({ "docs@market": true }),
    });
    expect(names(await open(folder))).toEqual(["docs:pdf"]);
    expect(names(await open(folder, { trusted: false }))).toEqual([]);
  });

  it("takes the folders that a manifest adds, and none outside of the plugin", async () => {
    using folder = makeFolder();
    const root = `${CLAUDE}/plugins/cache/market/docs/1.0.0`;
    folder.write({
      ...skill("docs", "pdf"),
      [`${root}/.claude-plugin/plugin.json`]: JSON.stringify({
        skills: ["./more/", "./single", "../../../.."],
      }),
      [`${root}/more/word/SKILL.md`]: skillText("word"),
      [`${root}/single/SKILL.md`]: skillText("single"),
      ...installed(folder, ["docs@market", {}]),
      [`${CLAUDE}/settings.json`]: settings({ "docs@market": true }),
    });
    expect(names(await open(folder))).toEqual(["docs:pdf", "docs:word", "docs:single"]);
  });

  it("reads a marketplace that is a folder where it is", async () => {
    using folder = makeFolder();
    folder.write({
      ...skill("docs", "old"),
      "market/plugins/docs/skills/new/SKILL.md": skillText("new"),
      "market/.claude-plugin/marketplace.json": JSON.stringify({
        plugins: [{ name: "docs", source: "./plugins/docs" }],
      }),
      [`${CLAUDE}/plugins/known_marketplaces.json`]: JSON.stringify({
        market: { source: { source: "directory", path: folder.at("market") } },
      }),
      ...installed(folder, ["docs@market", {}]),
      [`${CLAUDE}/settings.json`]: settings({ "docs@market": true }),
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["docs:new"]);
    folder.write({ [`${CLAUDE}/settings.json`]: settings({ "docs@market": false }) });
    expect(catalog.hasSameUnwatchedInputs()).toBe(false);
    expect(names(await catalog.update())).toEqual([]);
  });

  it.each(["{", "[]", "null", '{"plugins":{"a@b":null}}', '{"plugins":{"../x@b":[{"installPath":"/"}]}}'])(
    "finds no plugins where their file is %s",
    async (text) => {
      using folder = makeFolder({
        [`${CLAUDE}/plugins/installed_plugins.json`]: text,
        [`${CLAUDE}/settings.json`]: settings({ "a@b": true, "../x@b": true }),
        [`${CLAUDE}/skills/pdf/SKILL.md`]: skillText("pdf"),
      });
      expect(names(await open(folder))).toEqual(["pdf"]);
    },
  );
});

describe("interfaces: plugins of Codex and GitHub Copilot, those that are on", () => {
  const CODEX = "home/.codex";
  const COPILOT = "home/.copilot";

  it("Codex: as its configuration says, in the newest version, where the manifest says", async () => {
    using folder = makeFolder({
      [`${CODEX}/config.toml`]: [
        'model = "x"',
        '[plugins."docs@market"]',
        "enabled = true",
        '[plugins."off@market"]',
        "enabled = false",
        '[plugins."../../up@.."]',
        "enabled = true",
        "[other]",
        "enabled = true",
      ].join("\n"),
      [`${CODEX}/plugins/cache/market/docs/1.0.0/skills/old/SKILL.md`]: skillText("old"),
      [`${CODEX}/plugins/cache/market/docs/1.1.0/.codex-plugin/plugin.json`]: '{"skills":"./more"}',
      [`${CODEX}/plugins/cache/market/docs/1.1.0/more/new/SKILL.md`]: skillText("new"),
      [`${CODEX}/plugins/cache/market/docs/1.1.0/skills/replaced/SKILL.md`]: skillText("replaced"),
      [`${CODEX}/plugins/cache/market/off/1.0.0/skills/a/SKILL.md`]: skillText("a"),
    });
    const { skills } = await open(folder);
    expect(skills.map(({ name, client }) => [name, client])).toEqual([["docs:new", "codex"]]);
  });

  it.each([
    ["1.9.0", "1.10.0"],
    ["2.0.0-beta.2", "2.0.0-beta.10"],
    ["2.0.0-rc.1", "2.0.0"],
    ["abc", "1.0.0"],
  ])("Codex: of the versions %s and %s it takes the second", async (older, newer) => {
    const cache = `${CODEX}/plugins/cache/market/docs`;
    using folder = makeFolder({
      [`${CODEX}/config.toml`]: '[plugins."docs@market"]\nenabled = true\n',
      [`${cache}/${older}/skills/old/SKILL.md`]: skillText("old"),
      [`${cache}/${newer}/skills/new/SKILL.md`]: skillText("new"),
    });
    expect(names(await open(folder))).toEqual(["docs:new"]);
  });

  it("Codex: its own skills are about Codex and are not the user's", async () => {
    using folder = makeFolder({
      [`${CODEX}/skills/mine/SKILL.md`]: skillText("mine"),
      [`${CODEX}/skills/.system/skill-creator/SKILL.md`]: skillText("skill-creator"),
    });
    expect(names(await open(folder))).toEqual(["mine"]);
  });

  it("Copilot: installed, or in a marketplace that is a folder", async () => {
    using folder = makeFolder({
      "market/.claude-plugin/marketplace.json": '{"plugins":[{"name":"live","source":"./live"}]}',
      "market/live/skills/b/SKILL.md": skillText("b"),
      "cache/docs/skills/a/SKILL.md": skillText("a"),
      "cache/off/skills/c/SKILL.md": skillText("c"),
    });
    folder.write({
      [`${COPILOT}/settings.json`]: JSON.stringify({
        enabledPlugins: { "docs@m": true, "live@folder": true, "off@m": false, "gone@m": true },
        extraKnownMarketplaces: { folder: { source: { source: "directory", path: folder.at("market") } } },
      }),
      [`${COPILOT}/config.json`]: `// Written by Copilot.\n${JSON.stringify({
        installedPlugins: ["docs", "off"].map((name) => ({
          name,
          marketplace: "m",
          cache_path: folder.at("cache", name),
        })),
      })}`,
    });
    const { skills } = await open(folder);
    expect(skills.map(({ name, client }) => [name, client])).toEqual([
      ["docs:a", "copilot"],
      ["live:b", "copilot"],
    ]);
  });
});

describe("interfaces: extensions of Gemini CLI and Qwen Code, those that are on here", () => {
  const extension = (name: string): Record<string, string> => ({
    [`home/.gemini/extensions/${name}/gemini-extension.json`]: JSON.stringify({ name, version: "1.0.0" }),
    [`home/.gemini/extensions/${name}/skills/${name}-skill/SKILL.md`]: skillText(`${name}-skill`),
  });

  it("finds their skills; not those of a folder without a manifest", async () => {
    using folder = makeFolder({
      ...extension("one"),
      "home/.gemini/extensions/stray/skills/stray/SKILL.md": skillText("stray"),
      "home/.qwen/extensions/two/qwen-extension.json": '{"name":"two"}',
      "home/.qwen/extensions/two/skills/two-skill/SKILL.md": skillText("two-skill"),
    });
    const { skills } = await open(folder);
    expect(skills.map(({ name, client }) => [name, client])).toEqual([
      ["one-skill", "gemini"],
      ["two-skill", "qwen"],
    ]);
  });

  it.each([
    [["!/*"], []],
    [["!HOME/*"], []],
    [["!HOME/*", "HOME/repo/"], ["one-skill"]],
    [["!HOME/repo/"], []],
    [["!HOME/repo/sub/*"], ["one-skill"]],
    [["HOME/*", "!HOME/other/*"], ["one-skill"]],
  ])("the last rule that fits the working directory decides: %j", async (rules, expected) => {
    using folder = makeFolder(extension("one"));
    const overrides = rules.map((rule) => rule.replace("HOME", folder.path));
    folder.write({
      "home/.gemini/extensions/extension-enablement.json": JSON.stringify({ one: { overrides } }),
    });
    expect(names(await open(folder))).toEqual(expected);
  });

  it("follows an extension that is linked to where its author works", async () => {
    using folder = makeFolder({
      "work/gemini-extension.json": '{"name":"mine"}',
      "work/skills/wip/SKILL.md": skillText("wip"),
    });
    folder.write({
      "home/.gemini/extensions/mine/.gemini-extension-install.json": JSON.stringify({
        source: folder.at("work"),
        type: "link",
      }),
    });
    expect(names(await open(folder))).toEqual(["wip"]);
  });
});
