import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalog, type OpenCatalogOptions, openCatalog } from "../open-catalog.ts";
import { cases, isFullSuite } from "../shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { names } from "./testing/open-repo.ts";
import {
  type Folder as KnownFolder,
  loadIndex,
  type ScannedFile,
  saveIndex,
  type Tree,
  UNKNOWN,
} from "./tree.ts";

const ROOT = "repo/.agents/skills";

/** Longer than the ticks of a file system's clock: from then on the index may be believed. */
const settle = (): Promise<void> => delay(80);

function open(folder: Folder, options: OpenCatalogOptions = {}): Promise<Catalog> {
  const place = { cwd: folder.at("repo"), home: folder.at("home"), env: {} };
  return openCatalog({ ...place, cache: folder.at("cache"), ...options });
}

/** Opens with the index and from the files alone; both must say the same. */
async function expectRight(folder: Folder): Promise<Catalog> {
  const catalog = await open(folder);
  expect(catalog.toJSON()).toEqual((await open(folder, { cache: false })).toJSON());
  return catalog;
}

async function makeIndexed(files: Record<string, string> = {}): Promise<Folder> {
  const folder = makeFolder({
    "repo/.git/": "",
    [`${ROOT}/a/SKILL.md`]: skillText("a"),
    [`${ROOT}/b/SKILL.md`]: skillText("b"),
    [`${ROOT}/group/c/SKILL.md`]: skillText("c"),
    [`${ROOT}/broken/SKILL.md`]: "no frontmatter",
    ...files,
  });
  await settle();
  await open(folder);
  return folder;
}

function indexFiles(folder: Folder): string[] {
  const entries = readdirSync(folder.at("cache"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe("the index on disk", () => {
  it("gives an equal catalog the second time", async () => {
    using folder = await makeIndexed();
    expect(indexFiles(folder)).not.toEqual([]);
    const first = await open(folder);
    const before = indexFiles(folder).map((file) => statSync(file).mtimeMs);
    expect(names(await expectRight(folder))).toEqual(names(first));
    expect(indexFiles(folder).map((file) => statSync(file).mtimeMs)).toEqual(before);
  });

  it("leaves no other file behind and writes none into the project", async () => {
    using folder = await makeIndexed();
    folder.write({ [`${ROOT}/d/SKILL.md`]: skillText("d") });
    await open(folder);
    expect(indexFiles(folder)).toHaveLength(1);
    expect(readdirSync(folder.at("repo")).toSorted()).toEqual([".agents", ".git"]);
  });

  it("is in the user's cache folder, for which only an absolute XDG_CACHE_HOME speaks", async () => {
    using folder = await makeIndexed();
    const place = { cwd: folder.at("repo"), home: folder.at("home") };
    await openCatalog({ ...place, env: { XDG_CACHE_HOME: folder.at("xdg") } });
    expect(readdirSync(folder.at("xdg"))).toEqual(["knack"]);
    const before = process.cwd();
    process.chdir(folder.at("repo"));
    try {
      await openCatalog({ ...place, env: { XDG_CACHE_HOME: "cache" } });
    } finally {
      process.chdir(before);
    }
    expect(existsSync(folder.at("repo/cache"))).toBe(false);
  });

  it("does not mix up validation, dialect or trust", async () => {
    using folder = await makeIndexed({ "outside/o/SKILL.md": skillText("o") });
    folder.write({ [`${ROOT}/o`]: { link: folder.at("outside/o") } });
    const variants: OpenCatalogOptions[] = [
      { validation: "lenient" },
      { trusted: false },
      { roots: [{ path: ".agents/skills", dialect: "lily" }] },
      { roots: [{ path: ".agents/skills", dialect: "project", scope: "user" }] },
      { roots: [{ path: ".agents/skills" }, { path: ".agents/skills/group" }] },
    ];
    for (const variant of [...variants, ...variants.toReversed()]) {
      const cached = await open(folder, variant);
      expect(cached.toJSON()).toEqual((await open(folder, { ...variant, cache: false })).toJSON());
    }
  });
});

/** After any sequence of changes: live/freshness.slow.test.ts. */
describe("the index is never wrong after", () => {
  const file = (folder: Folder, name: string): string => folder.at(ROOT, name, "SKILL.md");

  it("a replacement by another file with the same size and mtime", async () => {
    using folder = await makeIndexed();
    const { atime, mtime } = statSync(file(folder, "a"));
    folder.write({ new: skillText("a").replace("Does a.", "Did a!.") });
    utimesSync(folder.at("new"), atime, mtime);
    renameSync(folder.at("new"), file(folder, "a"));
    expect((await expectRight(folder)).skills[0]?.description).toContain("Did a!");
  });

  it("a touch", async () => {
    using folder = await makeIndexed();
    utimesSync(file(folder, "a"), 1, 1_000_000);
    expect((await expectRight(folder)).skills[0]?.mtimeMs).toBe(1e9);
  });

  it("the deletion of the whole root, and its return", async () => {
    using folder = await makeIndexed();
    renameSync(folder.at(ROOT), folder.at("aside"));
    expect(names(await expectRight(folder))).toEqual([]);
    renameSync(folder.at("aside"), folder.at(ROOT));
    expect(names(await expectRight(folder))).toEqual(["a", "b", "c"]);
  });

  it("an edit right after a look, again and again", async () => {
    using folder = await makeIndexed();
    for (let i = 10; i < 60; i++) {
      writeFileSync(file(folder, "a"), skillText("a", `Version ${i}.`));
      expect((await open(folder)).skills[0]?.description).toBe(`Version ${i}.`);
    }
  });

  it("an addition right after a look, again and again", async () => {
    using folder = await makeIndexed();
    for (let i = 0; i < 30; i++) {
      folder.write({ [`${ROOT}/group/n${i}/SKILL.md`]: skillText(`n${i}`) });
      expect((await open(folder)).skills).toHaveLength(4 + i);
    }
  });

  it("an edit of a file whose mtime lies in the future", async () => {
    using folder = await makeIndexed();
    const future = Date.now() / 1000 + 3600;
    utimesSync(file(folder, "a"), future, future);
    await settle();
    await open(folder);
    writeFileSync(file(folder, "a"), skillText("a").replace("Does a.", "Did a!."));
    utimesSync(file(folder, "a"), future, future);
    expect((await expectRight(folder)).skills[0]?.description).toContain("Did a!");
  });

  it("a link that leads elsewhere, and an edit behind a link", async () => {
    using folder = await makeIndexed({
      "store/v1/SKILL.md": skillText("l", "One."),
      "store/v2/SKILL.md": skillText("l", "Two."),
    });
    folder.write({ "store/current": { link: "v1" }, [`${ROOT}/l`]: { link: folder.at("store/current") } });
    expect((await expectRight(folder)).resolve({ name: "l" }).description).toBe("One.");
    rmSync(folder.at("store/current"));
    folder.write({ "store/current": { link: "v2" } });
    expect((await expectRight(folder)).resolve({ name: "l" }).description).toBe("Two.");
    folder.write({ "store/v2/SKILL.md": skillText("l", "Six.") });
    expect((await expectRight(folder)).resolve({ name: "l" }).description).toBe("Six.");
  });
});

describe("a damaged index", () => {
  it("that was cut, in which bytes changed, or that is anything else counts for nothing", async () => {
    using folder = await makeIndexed();
    const [index = ""] = indexFiles(folder);
    const whole = readFileSync(index);
    const garbage = fc.uint8Array({ maxLength: 200 });
    const flips = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    const damaged = fc.oneof(
      fc.nat(whole.length).map((length) => whole.subarray(0, length)),
      flips.map((list) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of list) bytes[at]! ^= mask;
        return bytes;
      }),
      garbage,
      garbage.map((more) => Buffer.concat([whole, more, Buffer.of(0)])),
    );
    const holds = fc.asyncProperty(damaged, async (bytes) => {
      writeFileSync(index, bytes);
      const catalog = await open(folder);
      expect(names(catalog)).toEqual(["a", "b", "c"]);
      expect(catalog.errors).toMatchObject([
        { path: folder.at(ROOT, "broken/SKILL.md"), code: "E_FM_MISSING" },
      ]);
      expect(catalog.warnings).toEqual([]);
    });
    await fc.assert(holds, { numRuns: cases(450) });
  });

  it("that belongs to another root counts for nothing", async () => {
    using folder = await makeIndexed();
    using other = await makeIndexed({ [`${ROOT}/other/SKILL.md`]: skillText("other") });
    copyFileSync(indexFiles(other)[0] ?? "", indexFiles(folder)[0] ?? "");
    await expectRight(folder);
  });

  it("is replaced by a good one", async () => {
    using folder = await makeIndexed();
    const [index = ""] = indexFiles(folder);
    writeFileSync(index, "garbage");
    await open(folder);
    expect(statSync(index).size).toBeGreaterThan(100);
  });
});

describe("an index that cannot be written", () => {
  it.each(["cache", "cache/catalog"])(
    "because %s is a file is a warning, and the catalog is right",
    async (path) => {
      using folder = makeFolder({
        "repo/.git/": "",
        [`${ROOT}/a/SKILL.md`]: skillText("a"),
        [path]: "a file",
      });
      for (let i = 0; i < 2; i++) {
        const catalog = await open(folder);
        expect(names(catalog)).toEqual(["a"]);
        expect(catalog.errors).toEqual([]);
        expect(catalog.warnings).toMatchObject([{ code: "W_INDEX" }]);
      }
    },
  );

  it("because a folder has its name is a warning, and the catalog is right", async () => {
    using folder = await makeIndexed();
    const [index = ""] = indexFiles(folder);
    rmSync(index);
    mkdirSync(index);
    folder.write({ [`${index.slice(folder.path.length)}/x`]: "" });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["a", "b", "c"]);
    expect(catalog.warnings).toMatchObject([{ code: "W_INDEX" }]);
  });
});

describe("many processes and one writer", () => {
  it("never see a skill older than when they began to look", async () => {
    using folder = await makeIndexed({ version: "0" });
    const setVersion = (version: number): void => {
      const name = ["a", "b", "group/c"][version % 3] ?? "";
      const path = folder.at(ROOT, name, "SKILL.md");
      folder.write({ new: skillText(name.split("/").at(-1) ?? "", `Version ${version}.`) });
      renameSync(folder.at("new"), path);
      folder.write({ "version.new": `${version}` });
      renameSync(folder.at("version.new"), folder.at("version"));
    };
    for (const version of [1, 2, 3]) setVersion(version);

    const reader = `
      import { readFileSync } from "node:fs";
      import { openCatalog } from ${JSON.stringify(join(import.meta.dirname, "../open-catalog.ts"))};
      const [cwd, cache, file] = process.argv.slice(1);
      const now = () => Number(readFileSync(file, "utf8"));
      for (let i = 0; i < ${cases(60)}; i++) {
        const before = now();
        const { skills, warnings } = await openCatalog({ cwd, cache, home: cwd, env: {} });
        const versions = skills.map(({ description }) => Number(/\\d+/.exec(description)));
        if (skills.length !== 3 || warnings.length > 0) throw new Error(JSON.stringify({ skills, warnings }));
        // Of the three, each is written every third time.
        if (Math.max(...versions) < before || Math.min(...versions) < before - 2) throw new Error(before + ": " + versions);
        if (Math.max(...versions) > now() + 1) throw new Error("from the future: " + versions);
      }`;
    const args = ["--conditions=source", "--input-type=module", "-e", reader];
    const place = [folder.at("repo"), folder.at("cache"), folder.at("version")];
    let running = isFullSuite ? 8 : 3;
    const readers = Array.from({ length: running }, () =>
      promisify(execFile)(process.execPath, [...args, ...place]).finally(() => running--),
    );
    const writer = (async () => {
      for (let version = 4; running > 0; version++) {
        setVersion(version);
        await delay(version % 7);
      }
    })();
    const outcomes = await Promise.allSettled(readers);
    await writer;
    expect(
      outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.stderr] : [])),
    ).toEqual([]);
    await expectRight(folder);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string(),
  fc.constantFrom("é", "审查", "✅", ""),
);
const skill = fc
  .record({ name: anyText, description: anyText, license: fc.option(anyText, { nil: undefined }) })
  .map(({ name, description, license }) => ({
    name,
    description,
    facts: license === undefined ? null : { license },
  }));

describe("a tree in a file", () => {
  it("is the same tree again", () => {
    using folder = makeFolder();
    const file = folder.at("index/tree.idx");
    fc.assert(
      fc.property(fc.array(fc.option(skill), { minLength: 1, maxLength: 12 }), fc.nat(), (found, seenAt) => {
        const top: KnownFolder = {
          path: "/top",
          parent: null,
          stamps: [1, 2, 3, 4 / 3, 5 / 3, ...UNKNOWN],
          at: 0,
          skill: null,
          links: ["linked"],
          agent: { facts: { disableModelInvocation: true }, faults: [], stamps: [1, 2, 3, 4, 5] },
          faults: [{ fault: "UNREADABLE", message: "It cannot be read." }],
        };
        const folders = found.map((one, i): KnownFolder => {
          const path = `/top/${i % 2 === 0 ? "技能" : "skill"}-${i}`;
          const more = { id: `id-${i}`, path: `${path}/SKILL.md`, faults: [] };
          const skill: ScannedFile | null = one && { ...one, ...more, dialect: "agentskills" };
          const stamps = [1, 2, 3, 4 / 3, 5 / 3, i, 1, 2, 3, i / 7];
          return { ...top, path, parent: top, skill, stamps: one ? stamps : top.stamps };
        });
        const tree: Tree = { seenAt, folders: [top, ...folders] };
        expect(saveIndex(file, tree)).toBeUndefined();
        const kept = loadIndex(file, "/top");
        const parts = ({ parent, stamps, at, ...others }: KnownFolder) => {
          const own = Array.from({ length: 10 }, (_, i) => stamps[at + i]);
          return { ...others, parent: parent?.path, stamps: own };
        };
        expect(kept?.seenAt).toBe(seenAt);
        expect(kept?.folders.map(parts)).toEqual(tree.folders.map(parts));
        expect(loadIndex(file, "/another")).toBeNull();
      }),
    );
  });
});
