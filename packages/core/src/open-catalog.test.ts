import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepo as open } from "./catalog/testing/open-repo.ts";
import { type Catalog, openCatalog } from "./open-catalog.ts";
import { skillCatalogSchema } from "./skill/schema.ts";
import { makeFolder, skillText } from "./testing/files.ts";

const ROOT = "repo/.agents/skills";

describe("004 §4 a catalog as JSON", () => {
  it("has exactly the shape of its schema", async () => {
    using folder = makeFolder({
      [`${ROOT}/a/SKILL.md`]: skillText("a", "d", "command: go\nlicense: MIT\nmetadata: { k: v }\n"),
      [`${ROOT}/broken/SKILL.md`]: "---\nname: [\n---\n",
      [`${ROOT}/repaired/SKILL.md`]: skillText("repaired", "Use when: asked."),
    });
    const json: unknown = JSON.parse(JSON.stringify(await open(folder)));
    expect(skillCatalogSchema.parse(json)).toEqual(json);
    expect(Object.keys(json as object)).toEqual([
      "skills",
      "errors",
      "warnings",
      "truncated",
      "snapshot_version",
    ]);
  });
});

describe("004 §5.3 validation", () => {
  const files = {
    [`${ROOT}/folder/SKILL.md`]: skillText("other"),
    [`${ROOT}/no-description/SKILL.md`]: "---\nname: no-description\n---\n",
  };

  it("strict leaves out what breaks a rule and says why, with the line", async () => {
    using folder = makeFolder(files);
    const { skills, errors } = await open(folder);
    expect(skills).toEqual([]);
    expect(errors).toMatchObject([
      { path: folder.at(ROOT, "folder/SKILL.md"), code: "E_NAME_DIR_MISMATCH", line: 2 },
      { path: folder.at(ROOT, "no-description/SKILL.md"), code: "E_DESC_INVALID" },
    ]);
  });

  it("lenient loads it with a warning, but never without a description", async () => {
    using folder = makeFolder(files);
    const { skills, errors, warnings } = await open(folder, { validation: "lenient" });
    expect(skills).toMatchObject([{ name: "other" }]);
    expect(warnings).toMatchObject([{ code: "W_NAME_DIR_MISMATCH" }]);
    expect(errors).toMatchObject([{ code: "E_DESC_INVALID" }]);
  });

  it("comes from the configuration unless the caller says otherwise", async () => {
    using folder = makeFolder({ ...files, "home/.knack/config.yaml": "skills: { validation: lenient }\n" });
    expect((await open(folder)).skills).toHaveLength(1);
    expect((await open(folder, { validation: "strict" })).skills).toEqual([]);
  });
});

describe("skills.disabled", () => {
  const disabled = (entry: string): string => `skills: { disabled: [${JSON.stringify(entry)}] }\n`;

  it.each(["a", "./.agents/skills/a", ".agents/skills/a/SKILL.md", ".agents/skills/a/"])(
    "switches off %s",
    async (entry) => {
      using folder = makeFolder({
        [`${ROOT}/a/SKILL.md`]: skillText("a"),
        "repo/.knack/config.yaml": disabled(entry),
      });
      const catalog = await open(folder);
      expect(catalog.skills).toEqual([]);
      expect(catalog.errors).toEqual([]);
      expect(catalog.entries).toMatchObject([
        { status: "disabled", reason: expect.stringContaining("skills.disabled") },
      ]);
    },
  );

  it("means the same skill when a link is on the way", async () => {
    using folder = makeFolder({
      "real/.agents/skills/a/SKILL.md": skillText("a"),
      "real/.knack/config.yaml": disabled("~/.agents/skills/a"),
      linked: { link: "real" },
    });
    expect((await open(folder, { home: folder.at("linked") })).skills).toEqual([]);
  });
});

describe("refresh", () => {
  it("gives the next snapshot from the files as they are and leaves this one alone", async () => {
    using folder = makeFolder({ [`${ROOT}/a/SKILL.md`]: skillText("a") });
    const first = await open(folder);
    folder.write({ [`${ROOT}/b/SKILL.md`]: skillText("b") });
    const second = await first.refresh();
    expect(second.skills.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(first.skills.map(({ name }) => name)).toEqual(["a"]);
    expect([first.snapshot_version, second.snapshot_version]).toEqual([1, 2]);
  });

  it.each([
    ["came as", "repo/.agents/"],
    ["was replaced by", `${ROOT}/a/SKILL.md`],
  ])(
    "follows a root that %s a link out of an untrusted project no more than opening does",
    async (_, file) => {
      using folder = makeFolder({ "outside/x/SKILL.md": skillText("x"), [file]: skillText("a") });
      const first = await open(folder, { trusted: false });
      rmSync(folder.at(ROOT), { recursive: true, force: true });
      folder.write({ [ROOT]: { link: folder.at("outside") } });
      const second = await first.refresh();
      expect(second.skills).toEqual([]);
      expect(second.errors).toMatchObject([{ code: "E_PATH_ESCAPE" }]);
    },
  );

  it("gives canonical paths where a root became a link", async () => {
    using folder = makeFolder({ "repo/store/x/SKILL.md": skillText("x"), "repo/.agents/": "" });
    const first = await open(folder);
    folder.write({ [ROOT]: { link: folder.at("repo/store") } });
    const { skills } = await first.refresh();
    expect(skills).toEqual((await open(folder)).skills);
  });
});

describe("progress", () => {
  it("does not need anyone to listen, and never counts down", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 300; i++) folder.write({ [`${ROOT}/s-${i}/SKILL.md`]: skillText(`s-${i}`) });
    const counts: number[] = [];
    const catalog = await open(folder, { onProgress: (count) => counts.push(count) });
    expect(catalog.skills).toHaveLength(300);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});

describe("a look after an edit, among many skills", () => {
  it("keeps what it knows of the other folders, and does not write a large index again for each", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `skill-${i}`);
    using folder = makeFolder(
      Object.fromEntries(names.map((name) => [`repo/.agents/skills/${name}/SKILL.md`, skillText(name)])),
    );
    const cache = folder.at("cache");
    const before = await openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), cache });
    const indexes = () =>
      readdirSync(join(cache, "catalog")).map((name) => statSync(join(cache, "catalog", name)).ino);
    const written = indexes();
    folder.write({ "repo/.agents/skills/skill-7/SKILL.md": skillText("skill-7", "Another one.") });
    // As a server hears of it.
    const changed = new Set([folder.at("repo/.agents/skills/skill-7")]);
    const next = await before.update({ changed });
    expect(next.resolve("skill-7").description).toBe("Another one.");
    const foldersOf = ({ trees }: Catalog) => [...trees].flatMap(({ folders }) => folders);
    const kept = new Set(foldersOf(before));
    expect(
      foldersOf(next)
        .filter((one) => !kept.has(one))
        .map(({ path }) => path),
    ).toEqual([...changed]);
    expect(indexes()).toEqual(written);
    // What the index has otherwise, the next process sees by the time stamps.
    const other = await openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), cache });
    expect(other.resolve("skill-7").description).toBe("Another one.");
  });
});
