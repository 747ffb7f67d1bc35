import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, REPO, TRUST } from "../cli/run.ts";
import { call } from "../mcp/call.ts";
import { open } from "../mcp/ways.ts";

const STDIO = { transport: "stdio", revision: "2025-11-25" } as const;
const CONFIG = "home/.knack/config.yaml";

const project = (files: Parameters<typeof makeFolder>[0]): Folder =>
  makeFolder({ "repo/.git/": "", ...files });

describe("004 over MCP", () => {
  it("§3.1, §5.4 and §7.2: a name that two skills have is an error with their paths; a path or a unique name loads", async () => {
    using folder = project({
      [`${REPO}/review/SKILL.md`]: `${skillText("review")}Of the project.\n`,
      [`${HOME}/review/SKILL.md`]: `${skillText("review")}Of the user.\n`,
      [`${REPO}/other/SKILL.md`]: skillText("other"),
    });
    await using opened = await open(folder, STDIO);
    const load = (params: object) => call(opened.client, "skill_load", params);
    const paths = [folder.at(REPO, "review/SKILL.md"), folder.at(HOME, "review/SKILL.md")];
    const refused = await load({ name: "review" });
    expect(refused.code).toBe("INVALID_PARAM");
    for (const path of paths) expect(refused.text).toContain(path);
    // The path decides, whatever the name says.
    expect((await load({ path: paths[1], name: "other" })).text).toContain("Of the user.");
    expect((await load({ path: ".agents/skills/review" })).text).toContain("Of the project.");
    // As a model fills in what it does not want to say.
    const filled = { path: "", ref: "", force: false, args: "", offset: 0 };
    expect((await load({ name: "other", ...filled })).text).toContain("<skill_context");
    expect((await load({ name: "other", path: null, ref: null, args: null })).status).toBe("success");
  });

  it("§6.2 and §13.5: skill_load gives the block of the document: text, base directory and files", async () => {
    using folder = project({
      [`${REPO}/repo-review/SKILL.md`]: `${skillText("repo-review")}Read references/checklist.md.\n`,
      [`${REPO}/repo-review/references/checklist.md`]: "- risks\n",
    });
    await using opened = await open(folder, STDIO);
    const dir = folder.at(REPO, "repo-review");
    const { text, meta } = await call(opened.client, "skill_load", { name: "repo-review" });
    expect(text).toBe(`<skill_context name="repo-review" path="${dir}/SKILL.md">
# repo-review
Read references/checklist.md.

Base directory: file://${dir}/
Relative paths in this skill are resolved from this directory.
<skill_files>
<file>${dir}/references/checklist.md</file>
</skill_files>
</skill_context>`);
    const { id, mtimeMs } = knack(folder, ["show", "repo-review", "--json"], TRUST).json().skill;
    expect(meta).toMatchObject({
      "knack/skill_id": id,
      "knack/name": "repo-review",
      "knack/path": `${dir}/SKILL.md`,
      "knack/dir": dir,
      "knack/mtime_ms": mtimeMs,
      "knack/ref": expect.any(String),
    });
    // A relative path of the text begins at the skill's folder.
    const read = { name: "repo-review", file: "references/checklist.md" };
    expect((await call(opened.client, "skill_read_file", read)).text).toContain("- risks\n");
  });

  it("§5.5, §7.1 and §13.4: skill_search ranks path, name, prefix and words, keeps its limits and says if there is more", async () => {
    const many = Array.from({ length: 60 }, (_, i) => [
      `${REPO}/deploy-${i}/SKILL.md`,
      skillText(`deploy-${i}`, "Deploys."),
    ]);
    using folder = project({
      ...Object.fromEntries(many),
      [`${REPO}/release/SKILL.md`]: skillText("release", "Makes a new version."),
      [`${REPO}/release-notes/SKILL.md`]: skillText("release-notes", "Drafts notes from commits."),
      [`${REPO}/ship/SKILL.md`]: skillText("ship", "Prepares a release of the package."),
      [`${HOME}/ship/SKILL.md`]: skillText("ship", "Prepares a release of the package."),
    });
    await using opened = await open(folder, STDIO);
    const found = async (params: object) => {
      const { text, status } = await call(opened.client, "skill_search", params);
      return {
        text,
        status,
        hits: [...text.matchAll(/^- (\S+) \((\w+), (\w+)/gm)].map((hit) => hit.slice(1)),
      };
    };
    const { hits, text } = await found({ query: "release" });
    expect(hits).toEqual([
      ["release", "repo", "exact_name"],
      ["release-notes", "repo", "prefix"],
      // Its copy is named in the same line.
      ["ship", "repo", "token_overlap"],
    ]);
    for (const part of ["Drafts notes from commits.", folder.at(HOME, "ship/SKILL.md")])
      expect(text).toContain(part);
    const inFull = folder.at(REPO, "ship/SKILL.md");
    for (const path of [".agents/skills/ship", "./.agents/skills/ship/SKILL.md", inFull, `file://${inFull}`])
      expect((await found({ query: path })).hits[0]).toEqual(["ship", "repo", "exact_path"]);
    expect((await found({ query: "~/.agents/skills/ship" })).hits[0]).toEqual(["ship", "user", "exact_path"]);
    expect((await found({ query: "release", scope: "user" })).hits.map(([name]) => name)).toEqual(["ship"]);
    const cut = await found({ query: "deploy" });
    expect([cut.hits.length, cut.status, cut.text]).toEqual([
      8,
      "partial",
      expect.stringContaining("More skills fit"),
    ]);
    expect((await found({ query: "deploy", limit: 3 })).hits).toHaveLength(3);
    expect((await found({ query: "deploy", limit: 1_000 })).hits).toHaveLength(50);
  });

  it("§6.3, §13.6 and §13.8: a text is given once; its reference gives it again, and a changed text is new", async () => {
    using folder = project({ [`${REPO}/a/SKILL.md`]: `${skillText("a")}The body.\n` });
    await using opened = await open(folder, STDIO);
    const load = (params: object) => call(opened.client, "skill_load", params);
    const first = await load({ name: "a" });
    const again = await load({ path: ".agents/skills/a/SKILL.md" });
    expect(again.text).not.toContain("The body.");
    expect(again.text).toContain(String(first.meta["knack/ref"]));
    expect((await load({ ref: first.meta["knack/ref"] })).text).toContain("The body.");
    folder.write({ [`${REPO}/a/SKILL.md`]: `${skillText("a")}Another body.\n` });
    expect((await load({ name: "a" })).text).toContain("Another body.");
  });

  it("§8.1: deny comes before allow, allow before confirm; a rule names one skill, or none for all", async () => {
    using folder = project({
      [`${REPO}/deploy/SKILL.md`]: skillText("deploy"),
      [`${REPO}/deploy-all/SKILL.md`]: skillText("deploy-all"),
    });
    await using opened = await open(folder, STDIO);
    const under = async (rules: string, name: string) => {
      folder.write({ [CONFIG]: `permissions: { ${rules} }\n` });
      const { code, status } = await call(opened.client, "skill_load", { name, force: true });
      return code ?? status;
    };
    const deny = "allow: [{ tool: skill_load }], deny: [{ tool: skill_load, skill_name: deploy }]";
    expect(await under(deny, "deploy")).toBe("ACCESS_DENIED");
    expect(await under(`default: confirm, ${deny}`, "deploy-all")).toBe("success");
    const allow = "default: confirm, allow: [{ tool: skill_load, skill_name: deploy }]";
    expect(await under(allow, "deploy")).toBe("success");
    expect(await under(allow, "deploy-all")).toBe("ACCESS_DENIED");
    expect(await under("deny: [{ tool: skill_load }]", "deploy-all")).toBe("ACCESS_DENIED");
  });

  it("§8.2: loads what is in the catalog, and nothing outside of a skill's folder by .. or a link", async () => {
    const files = Array.from({ length: 300 }, (_, i) => [`${REPO}/many/f${i}.md`, "x"]);
    using folder = project({
      [`${REPO}/a/SKILL.md`]: skillText("a"),
      [`${REPO}/a/passwd`]: { link: "/etc/passwd" },
      [`${REPO}/many/SKILL.md`]: skillText("many"),
      ...Object.fromEntries(files),
      "repo/secret.txt": "secret",
      "outside/SKILL.md": skillText("outside"),
    });
    await using opened = await open(folder, STDIO);
    for (const path of [folder.at("outside"), "../outside/SKILL.md", ".agents/skills/a/../../../../outside"])
      expect((await call(opened.client, "skill_load", { path })).code).toBe("ACCESS_DENIED");
    for (const file of ["../../../secret.txt", "passwd", "/etc/passwd"]) {
      const { code, text } = await call(opened.client, "skill_read_file", { name: "a", file });
      expect([code, text]).toEqual(["ACCESS_DENIED", expect.not.stringMatching(/root:|^secret/)]);
    }
    const { text } = await call(opened.client, "skill_load", { name: "many" });
    const listed = text.match(/<file>/g)?.length ?? 0;
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(300);
  });

  it("§1, §2 and §6.1: a model is told name and description first, and no text of a skill", async () => {
    using folder = project({
      [`${REPO}/a/SKILL.md`]: `${skillText("a", "Does a thing.")}The body.\n`,
      [`${HOME}/mine/SKILL.md`]: skillText("mine", "Does mine."),
    });
    await using opened = await open(folder, STDIO);
    expect(opened.client.getInstructions()).toContain(
      "<skills_catalog>\n- a: Does a thing.\n- mine: Does mine.\n</skills_catalog>",
    );
    expect(opened.client.getInstructions()).not.toContain("The body.");
    folder.write({ [CONFIG]: "skills: { enabled: false }\n" });
    await using off = await open(folder, STDIO);
    expect(off.client.getInstructions() ?? "").not.toContain("Does a thing.");
    expect((await call(off.client, "skill_load", { name: "a" })).status).toBe("error");
  });
});

describe("001 and 004 §1 the list over MCP where not all names fit", () => {
  const named = (names: readonly string[], list: string): string[] =>
    names.filter((name) => new RegExp(`^- ${name}(?::|$)`, "m").test(list));

  it("names the project's own skills and the most used, and what is cut by the search", async () => {
    const many = Array.from({ length: 300 }, (_, i) => [
      `${HOME}/task-${i}/SKILL.md`,
      skillText(`task-${i}`, `Does task ${i}.`),
    ]);
    using folder = project({
      ...Object.fromEntries(many),
      [`${REPO}/zebra/SKILL.md`]: skillText("zebra"),
      [CONFIG]: "mcp: { tools: [core, Skill] }\nskills: { initial: { maxEntries: 20 } }\n",
    });
    const wanted = ["zebra", "task-298", "task-299"];
    const lists = async (): Promise<string[]> => {
      await using opened = await open(folder, STDIO);
      const { tools } = await opened.client.listTools();
      const described = tools.find(({ name }) => name === "Skill")?.description;
      return [opened.client.getInstructions() ?? "", described ?? ""];
    };
    for (const list of await lists()) expect(named(wanted, list)).toEqual(["zebra"]);
    {
      await using opened = await open(folder, STDIO);
      await call(opened.client, "skill_load", { name: "task-299" });
      const found = await call(opened.client, "skill_search", { query: "task 298" });
      expect(found.text).toContain("- task-298 (");
    }
    for (let times = 0; times < 2; times++) knack(folder, ["load", "task-298"], TRUST);
    // A server's first answers are those of its last start, and this one learns what was used since.
    await lists();
    for (const list of await lists()) {
      expect(named(wanted, list)).toEqual(wanted);
      expect(list.indexOf("- task-298")).toBeLessThan(list.indexOf("- task-299"));
      expect(list).toMatch(/\d+ more skills are not listed\./);
    }
  });
});

describe("004 on the command line", () => {
  const listOf = (folder: Folder, options: object = {}) =>
    knack(folder, ["list", "--json"], { ...TRUST, ...options }).json();

  it("§5.1, §13.1 and §13.2: lists .agents/skills from the project root down to the working directory, then the user's", () => {
    using folder = project({
      [`${REPO}/group/top/SKILL.md`]: skillText("top"),
      "repo/packages/app/.agents/skills/inner/SKILL.md": skillText("inner"),
      "repo/other/.agents/skills/elsewhere/SKILL.md": skillText("elsewhere"),
      [`${HOME}/group/mine/SKILL.md`]: skillText("mine"),
    });
    const { skills } = listOf(folder, { cwd: "repo/packages/app" });
    expect(skills.map(({ name, scope }) => `${name} ${scope}`)).toEqual([
      "top repo",
      "inner repo",
      "mine user",
    ]);
  });

  it.each([".knack/", ".codelia/", ".git/", ".jj/"])("§5.2: %s marks the project root", (marker) => {
    using folder = makeFolder({
      [`repo/${marker}`]: "",
      [`${REPO}/top/SKILL.md`]: skillText("top"),
      "repo/sub/": "",
      ".agents/skills/above/SKILL.md": skillText("above"),
    });
    expect(listOf(folder, { cwd: "repo/sub" }).skills.map(({ name }) => name)).toEqual(["top"]);
  });

  it.each(["KNACK_ROOT", "CODELIA_AGENTS_ROOT"])("§5.2: %s comes before the markers", (name) => {
    using folder = project({
      "repo/sub/.git/": "",
      [`${REPO}/top/SKILL.md`]: skillText("top"),
    });
    const env = { ...TRUST.env, [name]: folder.at("repo") };
    expect(listOf(folder, { cwd: "repo/sub", env }).skills.map(({ name }) => name)).toEqual(["top"]);
  });

  it("§5.3: a skill that breaks a rule of its frontmatter is not listed but among the errors, with the line", () => {
    const text = (name: string, description: string): string =>
      `---\nname: ${name}\ndescription: ${description}\n---\n`;
    using folder = project({
      [`${REPO}/good/SKILL.md`]: skillText(
        "good",
        "d",
        "version: 1.0\nlicense: MIT\nmetadata: { team: core }\n",
      ),
      [`${REPO}/a--b/SKILL.md`]: text("a--b", "d"),
      [`${REPO}/-a/SKILL.md`]: text("-a", "d"),
      [`${REPO}/Upper/SKILL.md`]: text("Upper", "d"),
      [`${REPO}/${"x".repeat(65)}/SKILL.md`]: text("x".repeat(65), "d"),
      [`${REPO}/folder/SKILL.md`]: text("other", "d"),
      [`${REPO}/empty/SKILL.md`]: text("empty", "''"),
      [`${REPO}/long/SKILL.md`]: text("long", "d".repeat(1025)),
    });
    const { skills, errors } = listOf(folder);
    expect(skills).toMatchObject([{ name: "good" }]);
    expect(Object.fromEntries(errors.map(({ path, line }) => [path.split("/").at(-2), line]))).toEqual({
      "a--b": 2,
      "-a": 2,
      Upper: 2,
      ["x".repeat(65)]: 2,
      folder: 2,
      empty: 3,
      long: 3,
    });
    expect(knack(folder, ["show", "good", "--json"], TRUST).json().skill).toMatchObject({
      version: "1.0",
      license: "MIT",
      metadata: { team: "core" },
    });
  });

  it("§5.4 and §4: both skills of one name are listed, each by its path, with the fields of the document", () => {
    using folder = project({
      [`${REPO}/review/SKILL.md`]: skillText("review", "Of the project."),
      [`${HOME}/review/SKILL.md`]: skillText("review", "Of the user."),
    });
    expect(listOf(folder)).toMatchObject({
      skills: (["repo", "user"] as const).map((scope) => {
        const dir = folder.at(scope === "repo" ? REPO : HOME, "review");
        return {
          id: expect.any(String),
          name: "review",
          description: expect.any(String),
          path: `${dir}/SKILL.md`,
          dir,
          scope,
          mtimeMs: expect.any(Number),
        };
      }),
      errors: [],
      truncated: false,
    });
  });

  it("§6.1: knack context prints the catalog as in the example", () => {
    using folder = project({
      [`${REPO}/repo-review/SKILL.md`]: skillText("repo-review", "Review PR with risk-first checklist"),
    });
    const { stdout } = knack(folder, ["context"], TRUST);
    expect(stdout).toMatch(
      /^<skills_context>\n<skills_usage>\n(?: {2}<rule>.+<\/rule>\n)+<\/skills_usage>\n/,
    );
    expect(
      stdout.slice(stdout.indexOf("<skills_catalog")),
    ).toBe(`<skills_catalog scope="initial" truncated="false">
  <skill>
    <name>repo-review</name>
    <description>Review PR with risk-first checklist</description>
    <path>${folder.at(REPO, "repo-review/SKILL.md")}</path>
    <scope>repo</scope>
  </skill>
</skills_catalog>
</skills_context>
`);
  });

  it("§9: skills.enabled, initial and search of the configuration hold", () => {
    const many = Array.from({ length: 20 }, (_, i) => [
      `${REPO}/deploy-${i}/SKILL.md`,
      skillText(`deploy-${i}`, "Deploys."),
    ]);
    using folder = project({
      ...Object.fromEntries(many),
      [CONFIG]: "skills: { initial: { maxEntries: 3 }, search: { defaultLimit: 2, maxLimit: 4 } }\n",
    });
    const context = JSON.parse(knack(folder, ["context", "--json"], TRUST).stdout);
    expect(context).toMatchObject({ skills: 20, listed: 3, truncated: true });
    const count = (...args: string[]) =>
      JSON.parse(knack(folder, ["search", "deploy", "--json", ...args], TRUST).stdout).count;
    expect([count(), count("--limit", "3"), count("--limit", "9")]).toEqual([2, 3, 4]);
    folder.write({ [CONFIG]: "skills: { initial: { maxBytes: 900 } }\n" });
    expect(JSON.parse(knack(folder, ["context", "--json"], TRUST).stdout).bytes).toBeLessThanOrEqual(900);
    folder.write({ [CONFIG]: "skills: { enabled: false }\n" });
    expect(knack(folder, ["context"], TRUST).stdout.trim()).toBe("");
  });

  it("§1: folders of other agents are searched as skills.clients says, and none of them with none", () => {
    using folder = project({
      [`${REPO}/own/SKILL.md`]: skillText("own"),
      "repo/.claude/skills/theirs/SKILL.md": skillText("theirs"),
    });
    const names = () => listOf(folder).skills.map(({ name }) => name);
    expect(names()).toEqual(["own", "theirs"]);
    folder.write({ [CONFIG]: "skills: { clients: none }\n" });
    expect(names()).toEqual(["own"]);
  });

  it("§12: nothing is searched or fetched on the network by itself", () => {
    const reported = "network.log";
    using folder = project({
      [`${REPO}/far/SKILL.md`]: `${skillText("far", "See https://example.com/skill.zip.")}[more](https://example.com)\n`,
      "watch.cjs": `const told = (what) => { require("node:fs").appendFileSync(${JSON.stringify(reported)}, what + "\\n"); throw new Error(what); };
require("node:net").Socket.prototype.connect = () => told("connect");
require("node:dns").lookup = () => told("lookup");
globalThis.fetch = () => told("fetch");
`,
    });
    const env = { ...TRUST.env, NODE_OPTIONS: `--require=${folder.at("watch.cjs")}` };
    const run = (...args: string[]) => knack(folder, args, { env }).code;
    expect(["list", "validate", "context", "doctor"].map((name) => run(name))).toEqual([0, 0, 0, 0]);
    expect([run("load", "far"), run("search", "https://example.com/skill.zip")]).toEqual([0, 0]);
    expect(existsSync(folder.at("repo", reported))).toBe(false);
    // The watch would have told.
    expect(run("add", "https://example.com/skill.zip", "--yes")).not.toBe(0);
    expect(existsSync(folder.at("repo", reported))).toBe(true);
  });
});
