import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../testing/files.ts";
import { checkConfig, configSchema } from "./check.ts";
import { DEFAULT_CONFIG } from "./config.ts";
import { type LoadedConfig, loadConfig } from "./load.ts";

const USER = "home/.knack/config.yaml";
const PROJECT = "repo/.knack/config.yaml";

function load(folder: Folder, trusted = true, env: NodeJS.ProcessEnv = {}): Promise<LoadedConfig> {
  return loadConfig({ projectRoot: folder.at("repo"), home: folder.at("home"), env, trusted });
}

/** The message with which a project's configuration is refused, its file's path cut off. */
async function refusal(text: string): Promise<string> {
  using folder = makeFolder({ [PROJECT]: text });
  const error: unknown = await load(folder).then(
    () => new Error("It was accepted."),
    (reason) => reason,
  );
  expect(error).toMatchObject({ name: "KnackError", code: "CONFIG_INVALID" });
  return (error as Error).message.replaceAll(`${folder.at(PROJECT)}:`, "");
}

describe("004 §9 defaults", () => {
  it("are those that the documentation shows, key by key", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/configuration.md"), "utf8");
    const [, documented = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    expect(checkConfig(documented, "docs/configuration.md")).toEqual(DEFAULT_CONFIG);
  });

  it("are values that the schema accepts", () => {
    expect(configSchema.parse(DEFAULT_CONFIG)).toEqual(DEFAULT_CONFIG);
  });

  const empty = ["", "\n", "# only a comment\n", "{}\n", "\ufeffskills: {}\n", "---\nskills: {}\n"];
  it.each([...empty, "skills:\r\n  enabled: true\r\n"])("hold for the file %j", async (text) => {
    using folder = makeFolder({ [PROJECT]: text });
    expect((await load(folder)).config.skills).toEqual(DEFAULT_CONFIG.skills);
  });
});

describe("a wrong configuration names file, line and remedy", () => {
  it("begins each problem with the file and its line", async () => {
    using folder = makeFolder({ [PROJECT]: "skills:\n  enabled: yes please\n\nsomething: 1\n" });
    const error = await load(folder).catch((reason: Error) => reason);
    const lines = (error as Error).message.split("\n");
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual(expect.stringMatching(/:2: .*skills\.enabled/));
    expect(lines).toContainEqual(expect.stringMatching(/:4: .*something/));
    for (const line of lines) expect(line.startsWith(`${folder.at(PROJECT)}:`)).toBe(true);
  });

  it.each([
    ["skills:\n  validaton: x\n", '2: unknown key "skills.validaton"; did you mean "validation"?'],
    ["skills: { search: { max_limit: 3 } }\n", '"skills.search.max_limit"; did you mean "maxLimit"?'],
    ["skills:\n  roots:\n    - path: x\n      dialekt: y\n", '4: unknown key "skills.roots[0].dialekt"; did'],
    ["permissions: { deny: [{ tool: x, skill: y }] }\n", "the keys here are tool, skill_name."],
    ["store:\n  xyzzyplugh: 1\n", '2: unknown key "store.xyzzyplugh"; the keys here are url.'],
    ["skills:\n  validation: stict\n", 'must be strict or lenient, found "stict". Did you mean "strict"?'],
    ["skills:\n  duplicates: 7\n", '2: "skills.duplicates" must be ambiguous or nearest, found 7.'],
    [
      "skills: { roots: [{ path: x, scope: y }] }\n",
      '"skills.roots[0].scope" must be repo or user or bundled',
    ],
    ["permissions: { default: deny }\n", '1: "permissions.default" must be allow or confirm, found "deny".'],
    ["skills:\n  search:\n    maxLimit: 0\n", '3: "skills.search.maxLimit" must be at least 1, found 0.'],
    ["dispatch:\n  maxDepth: -1\n", '2: "dispatch.maxDepth" must be at least 0, found -1.'],
    ['routing: ""\n', '1: "routing" must not be empty'],
    ["skills:\n  clients:\n    - codex\n    - cluade\n", '4: "skills.clients[1]" must be claude or codex'],
    ["skills:\n  clients: [cluade]\n", 'found "cluade". Did you mean "claude"?'],
    ["skills:\n  clients: [[a]]\n", '2: "skills.clients[0]" must be claude or'],
    ["skills:\n  clients: nobody\n", '2: "skills.clients" must be all, none, or a list of claude'],
    ["mcp: { tools: [''] }\n", '1: "mcp.tools[0]" must not be empty'],
    ["mcp: { tools: most }\n", '1: "mcp.tools" must be core, all, or a list'],
    ["skills: [a]\n", '1: "skills" must be a mapping, found a list.'],
    ["skills:\n  enabled: 'true'\n", '2: "skills.enabled" must be true or false, found "true".'],
    ["skills: { initial: { maxBytes: many } }\n", 'must be a number, found "many".'],
    ["skills: { initial: { maxBytes: 1.5 } }\n", "must be a whole number, found 1.5."],
    ["skills:\n  roots: x\n", '2: "skills.roots" must be a list, found "x".'],
    ["skills:\n  roots:\n    - scope: user\n", '3: "skills.roots[0].path" is missing.'],
    ["skills:\n  disabled:\n    - a\n    - [b]\n", '4: "skills.disabled[1]" must be text, found a list.'],
    ["permissions: { allow: [x] }\n", '"permissions.allow[0]" must be a mapping, found "x".'],
    ["runners:\n  codex: codex exec\n", '2: "runners.codex" must be a mapping, found "codex exec".'],
    ["runners:\n  codex:\n    command: []\n", '3: "runners.codex.command" must be at least 1'],
  ])("an unknown key, a wrong value or a wrong type: %j", async (text, message) => {
    expect(await refusal(text)).toContain(message);
  });

  it.each([
    ["skills:\n  enabled: [\n", /^\d+: Not valid YAML/],
    ["skills: {}\nskills: {}\n", /^2: .*twice/],
    ["just text\n", /^1: /],
  ])("YAML that cannot be read: %j", async (text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  it.each([
    ["{ tool: skil_load }", 'is not a Knack tool, found "skil_load". Did you mean "skill_load"?'],
    ["{ tool: skill-load }", 'Did you mean "skill_load"?'],
    ["{ tool: Skill_Load }", 'Did you mean "skill_load"?'],
    ["{ tool: skill_laod }", 'Did you mean "skill_load"?'],
    ["{ tool: skill }", 'Did you mean "Skill"?'],
    ["{ tool: Skills }", 'Did you mean "Skill"?'],
    ["{ tool: skillreadfile }", 'Did you mean "skill_read_file"?'],
    ["{ tool: skill_serch }", 'Did you mean "skill_search"?'],
    ["{ tool: skill_dispach }", 'Did you mean "skill_dispatch"?'],
    ['{ tool: "" }', 'permissions.deny[0].tool" must not be empty'],
    ["{ tool: 7 }", 'permissions.deny[0].tool" must be text, found 7'],
    ["{ tool: ~ }", 'permissions.deny[0].tool" must be text, found null'],
    ["{ skill_name: x }", 'permissions.deny[0].tool" is missing'],
    ['{ tool: "*" }', "patterns (*, ?) are not supported"],
    ['{ tool: " skill_load" }', "must not begin or end with a space"],
    ["{ tool: skill_load, skill_name: }", 'permissions.deny[0].skill_name" must be text, found null'],
    ['{ tool: skill_load, skill_name: "" }', 'permissions.deny[0].skill_name" must not be empty'],
    ["{ tool: skill_load, skill_name: [a] }", 'permissions.deny[0].skill_name" must be text'],
    ['{ tool: skill_load, skill_name: "x " }', "must not begin or end with a space"],
    ['{ tool: skill_load, skill_name: "a\\nb" }', "must not have control characters"],
    ["{ tool: skill_load, skill_name: 'a\\b' }", "has a backslash"],
    ["{ tool: skill_load, skill_name: git-* }", "patterns (*, ?) are not supported"],
    ["{ tool: skill_load, skill_name: git-? }", "patterns (*, ?) are not supported"],
    ["{ tool: skill_search, skill_name: x }", "cannot be used with skill_search"],
  ])("a permission rule that would never apply: %s", async (rule, message) => {
    const told = await refusal(`permissions:\n  deny:\n    - ${rule}\n`);
    expect(told).toMatch(/^3: /);
    expect(told).toContain(message);
    expect(await refusal(`permissions: { allow: [${rule}] }\n`)).toMatch(/^1: /);
  });

  const hosts = [
    "shell",
    "kill",
    "read",
    "skill_read",
    "skill_lint",
    "skill_lock",
    "compile_plan",
    "mcp__x__skill",
  ];
  it.each(hosts)("but the tool %s may be one of the host or a typed skill", async (tool) => {
    using folder = makeFolder({ [PROJECT]: `permissions: { deny: [{ tool: ${tool} }] }\n` });
    expect((await load(folder)).config.permissions.deny).toEqual([{ tool }]);
  });

  it("a file that cannot be read", async () => {
    using folder = makeFolder();
    mkdirSync(folder.at(PROJECT), { recursive: true });
    await expect(load(folder)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(folder.at(PROJECT)),
    });
  });
});

describe("the user's file and the project's", () => {
  it("add up in lists of roots, switches and rules; single values of the project replace the user's", async () => {
    using folder = makeFolder({
      [USER]: `
skills: { validation: lenient, disabled: [a], roots: [{ path: u }], search: { defaultLimit: 5, maxLimit: 20 } }
permissions: { deny: [{ tool: Skill }], default: confirm }
runners: { default: one, one: { command: [one] } }
dispatch: { root: mine }
`,
      [PROJECT]: `
skills: { validation: strict, disabled: [b], roots: [{ path: p }], search: { maxLimit: 10 } }
permissions: { deny: [{ tool: skill_load, skill_name: x }] }
runners: { two: { command: [two, --flag] } }
tools: { available: [read] }
`,
    });
    const { config, notes, files } = await load(folder);
    expect(files).toEqual([folder.at(USER), folder.at(PROJECT)]);
    expect(notes).toEqual([]);
    expect(config.skills).toMatchObject({
      validation: "strict",
      disabled: ["a", "b"],
      search: { defaultLimit: 5, maxLimit: 10 },
      roots: [
        { path: folder.at("home/u"), scope: "user", dialect: "agentskills" },
        { path: folder.at("repo/p"), scope: "repo", dialect: "agentskills" },
      ],
    });
    const deny = [{ tool: "Skill" }, { tool: "skill_load", skill_name: "x" }];
    expect(config.permissions).toEqual({ allow: [], deny, default: "confirm" });
    const two = { command: ["two", "--flag"] };
    expect(config.runners).toEqual({ default: "one", one: { command: ["one"] }, two });
    expect(config.dispatch).toMatchObject({ root: "mine", maxDepth: 3 });
    expect(config.tools.available).toEqual(["read"]);
  });

  it("isolation is the user's alone: no project speaks for its own code, trusted or not", async () => {
    using folder = makeFolder({
      [USER]: "isolation: { allowNone: [mine] }",
      [PROJECT]: "isolation: { allowNone: [theirs] }",
    });
    for (const trusted of [true, false]) {
      const { config, notes } = await load(folder, trusted);
      expect(config.isolation).toEqual({ allowNone: ["mine"] });
      expect(notes).toEqual([
        `"isolation" in ${folder.at(PROJECT)} is ignored: only your own ${folder.at(USER)} can allow that.`,
      ]);
    }
    folder.write({ [PROJECT]: "isolation: { allowNone: [] }" });
    expect(await load(folder)).toMatchObject({ config: { isolation: { allowNone: ["mine"] } }, notes: [] });
  });

  it("are one file, the user's, where the project is the home folder", async () => {
    using folder = makeFolder({
      [USER]: "skills: { disabled: [a] }\npermissions: { allow: [{ tool: Skill }] }\n",
      linked: { link: "home" },
    });
    for (const home of [folder.at("home"), folder.at("linked")]) {
      const loaded = await loadConfig({ projectRoot: folder.at("home"), home, env: {}, trusted: false });
      expect(loaded.notes).toEqual([]);
      expect(loaded.config.skills.disabled).toEqual(["a"]);
      expect(loaded.config.permissions.allow).toEqual([{ tool: "Skill" }]);
    }
  });

  it("KNACK_HOME moves the user's, and its paths with it", async () => {
    using folder = makeFolder({
      [USER]: "skills: { disabled: [not-this] }\n",
      "moved/knack/config.yaml": "skills: { disabled: [./x] }\n",
    });
    const { config } = await load(folder, true, { KNACK_HOME: folder.at("moved/knack") });
    expect(config.skills.disabled).toEqual([folder.at("moved/x")]);
  });
});

describe("paths in a configuration", () => {
  const text = `
skills:
  roots: [{ path: ../shared }, { path: ~/pack }, { path: "~" }, { path: /srv/skills }, { path: a~b }]
  disabled: [name, ./x, group/y, ~/z, /abs/SKILL.md]
routing: ~/routes.yaml
registry: [r.yaml, /etc/r.yaml]
store: { url: "sqlite:db/state.db" }
`;

  it("are relative to the folder that holds .knack/, and ~ is the home folder", async () => {
    using folder = makeFolder({ [PROJECT]: text });
    const { config } = await load(folder);
    const roots = [folder.at("shared"), folder.at("home/pack"), folder.at("home")];
    expect(config.skills.roots.map(({ path }) => path)).toEqual([
      ...roots,
      "/srv/skills",
      folder.at("repo/a~b"),
    ]);
    const own = [folder.at("repo/x"), folder.at("repo/group/y"), folder.at("home/z")];
    expect(config.skills.disabled).toEqual(["name", ...own, "/abs/SKILL.md"]);
    expect(config.routing).toBe(folder.at("home/routes.yaml"));
    expect(config.registry).toEqual([folder.at("repo/r.yaml"), "/etc/r.yaml"]);
    expect(config.store.url).toBe(null);
  });

  it("of the user's file are relative to the home folder", async () => {
    using folder = makeFolder({ [USER]: text });
    const { config } = await load(folder);
    expect(config.skills.roots[0]?.path).toBe(folder.at("shared"));
    expect(config.registry[0]).toBe(folder.at("home/r.yaml"));
    expect(config.store.url).toBe(`sqlite:${folder.at("home/db/state.db")}`);
    folder.write({ [USER]: 'store: { url: "sqlite:~/knack.db" }\n' });
    expect((await load(folder)).config.store.url).toBe(`sqlite:${folder.at("home/knack.db")}`);
  });

  it("a file for the state is named by the user's own configuration alone, also in a trusted project", async () => {
    using folder = makeFolder({ [PROJECT]: text });
    const { config, notes } = await load(folder);
    expect(config.store.url).toBe(null);
    expect(notes.join()).toContain('"store.url" in');
    using server = makeFolder({ [PROJECT]: "store: { url: postgres://db/knack }\n" });
    expect((await load(server)).config.store.url).toBe("postgres://db/knack");
  });
});

describe("artifacts.url", () => {
  it.each(["postgres", "s3://team-artifacts", "s3://team.artifacts/knack/a_b"])(
    "can be %s, in the user's file and in a trusted project's",
    async (url) => {
      for (const file of [USER, PROJECT]) {
        using folder = makeFolder({ [file]: `artifacts: { url: "${url}" }\n` });
        expect((await load(folder)).config.artifacts.url).toBe(url);
      }
    },
  );

  it.each([
    ...[
      "",
      "sqlite",
      "postgres://user:secret@host/db",
      "file:///srv/artifacts",
      "https://bucket.s3.amazonaws.com",
    ],
    ...["s3://", "s3://X", "s3://key:secret@bucket", "s3://bucket?x=1"],
  ])("cannot be %j, and the message does not repeat it", async (url) => {
    using folder = makeFolder({ [USER]: `artifacts: { url: "${url}" }\n` });
    const message = await load(folder).then(String, (error: Error) => error.message);
    expect(message).toContain('"artifacts.url" must be postgres or s3://bucket/prefix');
    expect(message).not.toContain("secret");
  });
});

describe("null switches off what the user's file has", () => {
  it.each([
    ["artifacts", "s3://team-artifacts"],
    ["store", "postgres://team/knack"],
  ] as const)("%s.url, in a trusted project alone", async (group, url) => {
    using folder = makeFolder({
      [USER]: `${group}: { url: "${url}" }\n`,
      [PROJECT]: `${group}: { url: null }\n`,
    });
    expect((await load(folder)).config[group].url).toBeNull();
    const { config, notes } = await load(folder, false);
    expect(config[group].url).toBe(url);
    expect(notes.join()).toContain(`${group}.url`);
  });
});

describe("an untrusted project's configuration can only narrow", () => {
  const untrusted = async (text: string, user = "") => {
    const link = { "outside/": "", "repo/link": { link: "../outside" } };
    using folder = makeFolder({ [PROJECT]: text, [USER]: user, ...link });
    const { config, notes } = await load(folder, false);
    return { config, notes: notes.join("\n"), folder };
  };
  const { dispatch } = DEFAULT_CONFIG;
  const mine = { default: "mine", mine: { command: ["mine"] } };
  const team = "artifacts: { url: s3://team-artifacts }";

  type Row = [text: string, user: string, expected: object, note?: string];
  const rows: Row[] = [
    ["dispatch: { forbidRootReload: false, allowReentry: true }", "", { dispatch }],
    ["dispatch: { maxDepth: 99 }", "", { dispatch }],
    ["dispatch: { maxDepth: 1 }", "", { dispatch: { ...dispatch, maxDepth: 1 } }],
    [
      "skills: { initial: { maxEntries: 5, maxBytes: 1000000 }, search: { maxLimit: 1000, defaultLimit: 2 } }",
      "",
      { skills: { initial: { maxEntries: 5, maxBytes: 32_768 }, search: { maxLimit: 50, defaultLimit: 2 } } },
    ],
    [
      "skills: { files: { maxFiles: 1, maxBytes: 100000000 } }",
      "skills: { files: { maxBytes: 1000 } }",
      { skills: { files: { maxFiles: 1, maxBytes: 1000 } } },
    ],
    [
      "permissions: { allow: [{ tool: Skill }], deny: [{ tool: skill_load }] }",
      "permissions: { allow: [{ tool: skill_search }] }",
      { permissions: { allow: [{ tool: "skill_search" }], deny: [{ tool: "skill_load" }] } },
      "allow rules",
    ],
    ...["allow | confirm", "null | confirm", "confirm | allow"].map((both): Row => {
      const [own, user] = both.split(" | ").map((one) => `permissions: { default: ${one} }`) as [
        string,
        string,
      ];
      return [own, user, { permissions: { default: "confirm" } }];
    }),
    [
      "runners: { default: evil, evil: { command: [sh] }, mine: { command: [sh] } }",
      "runners: { default: mine, mine: { command: [mine] } }",
      { runners: mine },
      "runners",
    ],
    ...["sqlite:../outside/x.db", "sqlite:/tmp/x.db", "sqlite:link/x.db", "postgres://evil/db"].map(
      (url): Row => [`store: { url: "${url}" }`, "", { store: { url: null } }, "store"],
    ),
    ...["postgres", "s3://evil-bucket/x"].map(
      (url): Row => [`artifacts: { url: "${url}" }`, "", { artifacts: { url: null } }, "artifacts.url"],
    ),
    [team, team, { artifacts: { url: "s3://team-artifacts" } }, ""],
    ["skills: { enabled: false }", "", { skills: { enabled: false } }],
    ["skills: { enabled: true }", "skills: { enabled: false }", { skills: { enabled: false } }],
    ["skills: { disabled: [x] }", "skills: { disabled: [y] }", { skills: { disabled: ["y", "x"] } }],
    [
      "skills: { validation: lenient, duplicates: nearest }\ntools: { available: [teleport] }",
      "",
      { skills: { validation: "lenient", duplicates: "nearest" }, tools: { available: ["teleport"] } },
      "",
    ],
  ];
  it.each<Row>(rows)("%s, beside the user's %j", async (text, user, expected, note) => {
    const { config, notes } = await untrusted(`${text}\n`, user);
    expect(config).toMatchObject(expected);
    if (note === "") expect(notes).toBe("");
    else if (note) expect(notes).toContain(note);
  });

  it("a wrong one is ignored with a note that names the line", async () => {
    const { config, notes } = await untrusted("skills:\n  validation: stict\n  disabled: [x]\n");
    expect(config.skills).toEqual(DEFAULT_CONFIG.skills);
    expect(notes).toMatch(/untrusted.*ignored.*config\.yaml:2: /);
  });

  it("the user's own stays an error", async () => {
    await expect(untrusted("", "skils: {}\n")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("home/.knack/config.yaml:1: "),
    });
  });

  it("roots outside the project are ignored, by any way that leads out", async () => {
    const text =
      "skills: { roots: [{ path: in }, { path: ../outside }, { path: /etc }, { path: ~/x }, { path: link }, { path: ../repo-evil }] }\n";
    const { config, notes, folder } = await untrusted(text);
    expect(config.skills.roots.map(({ path }) => path)).toEqual([folder.at("repo/in")]);
    for (const path of ["outside", "repo/link", "repo-evil"]) expect(notes).toContain(folder.at(path));
    expect(notes).toContain("knack trust");
  });

  it("a root of its own is the project's, whatever scope it claims", async () => {
    const { config } = await untrusted(
      "skills: { roots: [{ path: in, scope: user }, { path: b, scope: bundled }] }\n",
    );
    expect(config.skills.roots.map(({ scope }) => scope)).toEqual(["repo", "repo"]);
  });

  it("trust makes all of it hold", async () => {
    const permissions = "permissions: { allow: [{ tool: Skill }], default: allow }\n";
    using folder = makeFolder({
      [PROJECT]: `skills: { roots: [{ path: /srv, scope: user }] }\n${permissions}`,
    });
    const { config, notes } = await load(folder);
    const root = { path: "/srv", scope: "user", dialect: "agentskills", ofProject: true };
    expect(config.skills.roots).toEqual([root]);
    expect(config.permissions).toEqual({ allow: [{ tool: "Skill" }], deny: [], default: "allow" });
    expect(notes).toEqual([]);
  });
});
