import { renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Catalog, OpenCatalogOptions } from "../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../testing/index.ts";
import { names, openRepo } from "./testing/open-repo.ts";

const open = (folder: Folder, more: OpenCatalogOptions = {}): Promise<Catalog> =>
  openRepo(folder, { trusted: false, ...more });
const HOME = "home/.agents/skills";
const REPO = "repo/.agents/skills";
const CONFIG = "repo/.knack/config.yaml";

describe("an untrusted project has no say in the user's own skills", () => {
  it("they are read as the user's configuration says, its own as it says itself", async () => {
    using folder = makeFolder({
      [CONFIG]: "skills: { validation: lenient }\n",
      [`${HOME}/mine/SKILL.md`]: skillText("other-name"),
      [`${REPO}/theirs/SKILL.md`]: skillText("any-name"),
    });
    expect(names(await open(folder))).toEqual(["any-name"]);
    expect(names(await open(folder, { trusted: true }))).toEqual(["any-name", "other-name"]);
  });

  it("its tools make none of them eligible", async () => {
    using folder = makeFolder({
      [CONFIG]: "tools: { available: [teleport] }\n",
      [`${HOME}/mine/SKILL.md`]: skillText("mine", "d", "requires_tools: [teleport]\n"),
      [`${REPO}/theirs/SKILL.md`]: skillText("theirs", "d", "requires_tools: [teleport]\n"),
    });
    expect(names(await open(folder))).toEqual(["theirs"]);
  });

  it("its skills do not come before them", async () => {
    using folder = makeFolder({
      [CONFIG]: "skills: { duplicates: nearest }\n",
      [`${HOME}/deploy/SKILL.md`]: skillText("deploy"),
      [`${REPO}/deploy/SKILL.md`]: skillText("deploy"),
      [`${REPO}/own/SKILL.md`]: skillText("own"),
      "repo/skills/own/SKILL.md": skillText("own"),
    });
    const catalog = await open(folder);
    expect(() => catalog.resolve({ name: "deploy" })).toThrow(expect.objectContaining({ code: "AMBIGUOUS" }));
    expect(catalog.resolve({ name: "own" }).path).toBe(folder.at(REPO, "own/SKILL.md"));
    const trusted = await open(folder, { trusted: true });
    expect(trusted.resolve({ name: "deploy" }).scope).toBe("repo");
  });

  it("no file outside of it decides which tools exist", async () => {
    using folder = makeFolder({
      [CONFIG]: "registry: [../outside.yaml]\n",
      "outside.yaml": "skills: [{ name: secret_tool }]\n",
      [`${REPO}/x/SKILL.md`]: skillText("x", "d", "command_tool: secret_tool\n"),
    });
    expect((await open(folder)).errors).toMatchObject([{ code: "E_COMMAND_TOOL_UNKNOWN" }]);
  });

  it("a root that it names cannot become a link out of it later", async () => {
    using folder = makeFolder({
      [CONFIG]: "skills: { roots: [{ path: vendor }] }\n",
      "repo/vendor/inside/SKILL.md": skillText("inside"),
      "private/secret/SKILL.md": skillText("secret"),
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["inside"]);
    rmSync(folder.at("repo/vendor"), { recursive: true });
    symlinkSync(folder.at("private"), folder.at("repo/vendor"));
    const next = await catalog.refresh();
    expect(next.skills).toEqual([]);
    expect(next.errors).toMatchObject([{ code: "E_PATH_ESCAPE" }]);
  });

  it("a configuration of absurd paths stops nothing", async () => {
    const path = "a/".repeat(30_000);
    using folder = makeFolder({
      [CONFIG]: `skills:\n  disabled: ["${path}"]\n`,
      [`${HOME}/mine/SKILL.md`]: skillText("mine"),
    });
    expect(names(await open(folder))).toEqual(["mine"]);
  });

  it("a relative KNACK_HOME does not make a folder of it the user's", async () => {
    using folder = makeFolder({
      "repo/.knack/config.yaml": "skills: { enabled: false }\n",
      [`${HOME}/mine/SKILL.md`]: skillText("mine"),
      "home/.knack/config.yaml": "skills: { enabled: true }\n",
    });
    const catalog = await open(folder, { env: { KNACK_HOME: ".knack" } });
    expect(catalog.configFiles).toContain(folder.at("home/.knack/config.yaml"));
    await expect(open(folder, { home: "home" })).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("a skill's content stops nothing", () => {
  it.each(["a".repeat(300), "a\\0b", "../sh", "x".repeat(5_000)])("binaries: %j", async (name) => {
    using folder = makeFolder({
      [`${REPO}/odd/SKILL.md`]: skillText("odd", "d", `eligibility: { binaries: ["${name}"] }\n`),
      [`${REPO}/good/SKILL.md`]: skillText("good"),
    });
    const catalog = await open(folder, { env: { PATH: "/usr/bin:/bin" } });
    expect(names(catalog)).toEqual(["good"]);
    expect(catalog.errors).toMatchObject([{ code: "E_INELIGIBLE" }]);
    expect(() => catalog.hasSameUnwatchedInputs()).not.toThrow();
  });

  it("a snapshot cannot be changed, so no change reaches the next one or the index", async () => {
    using folder = makeFolder({
      [`${REPO}/x/SKILL.md`]: skillText("x", "d", "allowed-tools: Read\nmetadata: { a: b }\n"),
    });
    const catalog = await open(folder, { cache: folder.at("cache") });
    const [skill] = catalog.skills;
    expect(() => skill?.allowedTools?.push("Bash")).toThrow(TypeError);
    expect(() => Object.assign(skill?.metadata ?? {}, { a: "c" })).toThrow(TypeError);
    expect(() => Object.assign(catalog.entries[0] ?? {}, { status: "disabled" })).toThrow(TypeError);
  });

  it("three hundred typed skills in a registry are all known", async () => {
    const entries = Array.from(
      { length: 300 },
      (_, i) => `  - { name: tool_${i}, description: d, inputs: [], outputs: {}, a: b, c: d, e: f, g: h }`,
    );
    using folder = makeFolder({
      "repo/skills/registry.yaml": `version: 1\nskills:\n${entries.join("\n")}\n`,
      [`${REPO}/x/SKILL.md`]: skillText("x", "d", "command_tool: tool_299\n"),
    });
    expect(names(await open(folder))).toEqual(["x"]);
  });
});

describe("links", () => {
  it("of several to one folder, the one that bears its name counts", async () => {
    using folder = makeFolder({
      "store/foo/SKILL.md": skillText("foo"),
      [`${HOME}/aaa`]: { link: "../../../store/foo" },
      [`${HOME}/foo`]: { link: "../../../store/foo" },
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["foo"]);
    expect(catalog.errors).toEqual([]);
  });

  it("a skill whose SKILL.md is a link can be switched off by its path", async () => {
    using folder = makeFolder({
      "home/.knack/config.yaml": "skills: { disabled: [.agents/skills/foo/SKILL.md] }\n",
      "home/texts/foo.md": skillText("foo"),
      [`${HOME}/foo/SKILL.md`]: { link: "../../../texts/foo.md" },
    });
    expect((await open(folder)).entries).toMatchObject([{ status: "disabled" }]);
  });

  it("a root that is a link to nowhere is reported", async () => {
    using folder = makeFolder({ "home/.agents/skills": { link: "gone" } });
    expect((await open(folder)).errors).toMatchObject([
      { code: "E_LINK_BROKEN", path: folder.at("home/.agents/skills") },
    ]);
  });
});

describe("names that are not UTF-8", () => {
  it("are told, and do not stand for a folder that looks like them", async () => {
    using folder = makeFolder({
      [`${REPO}/g-\ufffd/other/SKILL.md`]: skillText("other"),
      [`${REPO}/tmp/lost/SKILL.md`]: skillText("lost"),
    });
    renameSync(
      folder.at(REPO, "tmp"),
      Buffer.concat([Buffer.from(folder.at(REPO, "g-")), Buffer.from([0xff])]),
    );
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["other"]);
    expect(catalog.errors).toMatchObject([{ code: "E_UNREADABLE", path: folder.at(REPO) }]);
  });
});
