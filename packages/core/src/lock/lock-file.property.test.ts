import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../shared/testing/cases.ts";
import { makeFolder } from "../testing/index.ts";
import { digestOf, pathFault } from "./digest-skill.ts";
import { readLock, updateLock } from "./lock-file.ts";
import { projectLock, userLock } from "./lock-place.ts";
import { npxDigest, readNpxLock } from "./npx-lock.ts";
import { parseLock } from "./parse-lock.ts";
import { type LockedSkill, lockText, type SkillLock, withAllLocked, withLocked } from "./skill-lock.ts";

const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
/** Digests that look like numbers, too. */
const digest = fc.oneof(sha256, fc.stringMatching(/^[0-9]{64}$/), fc.stringMatching(/^[0-9]{30}e[0-9]{33}$/));
const path = fc
  .oneof(
    fc.stringMatching(/^[a-z.]{1,8}(\/[A-Za-z0-9 ._-]{1,8}){0,3}$/),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      "yes",
      "null",
      "1.10",
      "- a",
      "\t",
      "a: b",
      "#x",
      "\u202ea.md",
      "ＳＫＩＬＬ",
      "🦊.md",
      "'",
      '"',
    ),
  )
  .filter((text) => pathFault(text) === undefined);
const text = fc
  .oneof(fc.webUrl(), fc.string({ unit: "binary", minLength: 1 }), fc.constantFrom("main", "1e3", "~", "off"))
  .filter((value) => value.trim() !== "" && value.isWellFormed());
const entry = fc.record(
  {
    name: fc.oneof(
      fc.stringMatching(/^[a-z0-9-]{1,10}$/),
      path.filter((value) => value.length < 100),
      // No path, so it is locked by its folder.
      fc.constant("c:pdf"),
    ),
    folder: fc.option(path, { nil: undefined }),
    files: fc.dictionary(path, digest, { minKeys: 1, maxKeys: 5, noNullPrototype: false }),
    source: text,
    ref: text,
    commit: text,
    path,
  },
  { requiredKeys: ["name", "folder", "files"] },
);

function lockOf(entries: readonly (typeof entry extends fc.Arbitrary<infer T> ? T : never)[]): SkillLock {
  return entries.reduce<SkillLock>((lock, { name, folder, files, ...facts }) => {
    const map = new Map(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
    const locked: LockedSkill = {
      folder: folder ?? `.agents/skills/${name.replaceAll("/", "-")}`,
      sha256: digestOf(map),
      files: map,
      ...facts,
    };
    return withLocked(lock, name, locked);
  }, new Map());
}

const place = projectLock("/srv/project", { home: "/home/x", env: {} });

describe("a lock", () => {
  it("is read as it was written, and written as it was read", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const lock = lockOf(entries);
        const written = lockText(lock);
        const read = parseLock(written, place);
        expect(read).toEqual(lock);
        expect(lockText(read)).toBe(written);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it("has the same text in whichever order its skills came", () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(entry, { maxLength: 5, selector: ({ name }) => name })
          .chain((entries) =>
            fc.tuple(
              fc.constant(entries),
              fc.shuffledSubarray(entries, { minLength: entries.length, maxLength: entries.length }),
            ),
          ),
        ([entries, shuffled]) => {
          const folders = entries.map(
            ({ name, folder }) => folder ?? `.agents/skills/${name.replaceAll("/", "-")}`,
          );
          fc.pre(new Set(folders).size === folders.length);
          expect(lockText(lockOf(shuffled))).toBe(lockText(lockOf(entries)));
        },
      ),
      { numRuns: cases(1_000) },
    );
  });

  it("is read the same, or refused, where somebody laid it out differently", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 3 }), fc.constantFrom(0, 1, 4), (entries, indent) => {
        const lock = lockOf(entries);
        const other = JSON.stringify(JSON.parse(lockText(lock)), null, indent);
        expect(parseLock(other, place)).toEqual(lock);
      }),
      { numRuns: cases(500) },
    );
  });

  it("refuses a stranger's text as it refuses a lock, and throws nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (noise) => {
        for (const hostile of [
          noise,
          `{"version": 1, "skills": {"a": ${noise}}}`,
          `{"version": 1, "skills": {"a": ${JSON.stringify(noise)}}}`,
          JSON.stringify({ version: 1, skills: { [noise]: { files: { [noise]: noise }, sha256: noise } } }),
        ])
          try {
            parseLock(hostile, place);
          } catch (error) {
            expect(error).toMatchObject({ code: "CONFIG_INVALID" });
          }
      }),
      { numRuns: cases(2_000) },
    );
  });
});

const FILES = new Map([["SKILL.md", "a".repeat(64)]]);
const LOCKED: LockedSkill = { folder: ".agents/skills/pdf", sha256: digestOf(FILES), files: FILES };

describe("the file of a lock", () => {
  it("is sorted, without times, one line a file", async () => {
    using folder = makeFolder();
    const at = projectLock(folder.path, { home: folder.at("home"), env: {} });
    const from = { source: "owner/repo", ref: "main", commit: "0123456789abcdef", path: "skills/pdf" };
    await updateLock(at, (lock) => withLocked(lock, "pdf", { ...LOCKED, ...from }));
    expect(readFileSync(at.file, "utf8")).toBe(
      `{
  "version": 1,
  "skills": {
    "pdf": {
      "commit": "0123456789abcdef",
      "files": {
        "SKILL.md": "${"a".repeat(64)}"
      },
      "path": "skills/pdf",
      "ref": "main",
      "sha256": "${LOCKED.sha256}",
      "source": "owner/repo"
    }
  }
}
`,
    );
    expect(await readLock(at)).toEqual(new Map([["pdf", { ...LOCKED, ...from }]]));
  });

  it("loses no change of two that come at once", async () => {
    using folder = makeFolder();
    const at = userLock({ home: folder.path, env: {} });
    const names = Array.from({ length: 20 }, (_, i) => `skill-${i}`);
    await Promise.all(
      names.map((name) =>
        updateLock(at, (lock) => withLocked(lock, name, { ...LOCKED, folder: `.agents/skills/${name}` })),
      ),
    );
    expect([...((await readLock(at)) ?? [])].length).toBe(20);
  });

  it("is undefined where there is none, and is not written by a change that changes nothing", async () => {
    using folder = makeFolder();
    const at = projectLock(folder.path, { home: folder.path, env: {} });
    await updateLock(at, (lock) => lock);
    expect(await readLock(at)).toBeUndefined();
    await updateLock(at, () => new Map([["pdf", LOCKED]]));
    await updateLock(at, () => new Map());
    expect(readFileSync(at.file, "utf8")).toBe('{\n  "version": 1,\n  "skills": {}\n}\n');
  });

  it("is neither read nor replaced where it is a link", async () => {
    using folder = makeFolder({
      "other.json": '{"version": 1, "skills": {}}\n',
      "project/skills.lock": { link: "../other.json" },
    });
    const at = projectLock(folder.at("project"), { home: folder.path, env: {} });
    await expect(readLock(at)).rejects.toThrow(/a symbolic link, not a regular file.*run "knack lock"/);
    await expect(updateLock(at, () => new Map([["pdf", LOCKED]]))).rejects.toThrow(/a symbolic link/);
    expect(readFileSync(folder.at("other.json"), "utf8")).toBe('{"version": 1, "skills": {}}\n');
  });
});

describe("two skills of one name", () => {
  const other = { ...LOCKED, folder: "skills/pdf" };
  it("have the name and the folder as their keys, whichever came first", () => {
    const one = withAllLocked(new Map(), [
      ["pdf", LOCKED],
      ["pdf", other],
    ]);
    const two = withLocked(withLocked(new Map(), "pdf", other), "pdf", LOCKED);
    expect(one).toEqual(two);
    expect([...one.keys()]).toEqual(["pdf", "skills/pdf"]);
  });
});

describe("a hostile lock is refused with its line", () => {
  const A = "a".repeat(64);
  const body = (path: string, more = ""): string =>
    `{"version": 1, "skills": {\n"x": {\n${more}"files": {\n${JSON.stringify(path)}: "${A}"},\n"sha256": "${"b".repeat(64)}"}}}\n`;
  const skills = (text: string): string => `{"version": 1,\n"skills": ${text}}\n`;
  it.each([
    [body("../../../etc/passwd"), 'lock:4: The path "../../../etc/passwd" contains ".."'],
    [body("/etc/passwd"), "is absolute"],
    [body("C:/x"), "is absolute"],
    [body("a\\b"), "contains a backslash"],
    [body("a\0b"), "contains a NUL"],
    [body("a//b"), "has an empty part"],
    [body("SKILL.md", '"folder": "../x",\n'), 'lock:3: The path "../x" contains ".."'],
    [body("SKILL.md", '"folder": "/etc",\n'), "is absolute"],
    [body("SKILL.md", '"path": "../x",\n'), 'contains ".."'],
    [body("SKILL.md", '"foldr": "x",\n'), 'lock:3: unknown key "skills.x.foldr"; did you mean "folder"?'],
    [body("SKILL.md"), '"sha256" of "x" is not the digest of its files'],
    ['{"version": 2, "skills": {}}\n', 'lock:1: "version" must be 1, found 2.'],
    ['{"skills": {}}\n', '"version" must be 1, found nothing'],
    [skills("[]"), '"skills" must be a mapping'],
    [skills('{"x": 1}'), '"skills.x" must be a mapping'],
    [skills(`{"../x": {"files": {}, "sha256": "${A}"}}`), "so it needs a"],
    [skills('{\n"x": {}}'), '"skills.x.files" is missing.'],
    [skills('{"x": {},\n"x": {}}'), "lock:3: This key is given twice"],
    [skills('{"__proto__": {}}'), "lock:2: "],
    ["version: 1\nskills: {}\n", "Not valid JSON"],
    ['{"version": 1,\n<<<<<<< HEAD\n"skills": {}}\n', "lock:2: A merge conflict"],
    [body("SKILL.md").replace(A, "A".repeat(64)), "64 hexadecimal digits"],
  ])("%j", async (content, message) => {
    using folder = makeFolder({ "skills.lock": content });
    const at = projectLock(folder.path, { home: folder.path, env: {} });
    await expect(readLock(at)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });

  it("reads ten thousand files of one skill", async () => {
    const files = new Map(
      Array.from({ length: 10_000 }, (_, i) => [`f${String(i).padStart(5, "0")}`, "a".repeat(64)]),
    );
    const lock = new Map([["big", { folder: ".agents/skills/big", sha256: digestOf(files), files }]]);
    expect(parseLock(lockText(lock), place)).toEqual(lock);
  });
});

describe("skills-lock.json of npx skills", () => {
  it("has a hash over the paths and contents in the order of a dictionary, without .git, node_modules and links", async () => {
    using folder = makeFolder({
      "SKILL.md": "body",
      "a.md": "1",
      "B.md": "2",
      "scripts/x.sh": "3",
      ".git/HEAD": "x",
      "sub/node_modules/y": "x",
      "link.md": { link: "a.md" },
    });
    const order = ["a.md", "1", "B.md", "2", "scripts/x.sh", "3", "SKILL.md", "body"];
    const hash = createHash("sha256").update(order.join("")).digest("hex");
    expect(await npxDigest(folder.path)).toEqual({ hash });
    expect(await npxDigest(folder.at("gone"))).toMatchObject({ fault: { kind: "missing" } });
  });

  it("names folders as that program does", () => {
    const entry = {
      source: "a/b",
      sourceType: "github",
      computedHash: "a".repeat(64),
      skillPath: "x/SKILL.md",
    };
    const skills = { "PDF Tools": entry, "../../etc": { ...entry, ref: "main" }, constructor: entry };
    using folder = makeFolder({ "skills-lock.json": JSON.stringify({ version: 1, skills }) });
    expect(readNpxLock(folder.path)).toEqual([
      { name: "../../etc", folder: ".agents/skills/etc", source: "a/b", ref: "main", hash: "a".repeat(64) },
      { name: "PDF Tools", folder: ".agents/skills/pdf-tools", source: "a/b", hash: "a".repeat(64) },
      { name: "constructor", folder: ".agents/skills/constructor", source: "a/b", hash: "a".repeat(64) },
    ]);
  });

  it.each([
    ["{", /is not JSON/],
    ['{"version":1}', /is not JSON with "skills"/],
    ['{"version":1,"skills":{"x":{}}}', /no SHA-256 in "computedHash" of "x"/],
  ])("is refused where it is %s", (text, message) => {
    using folder = makeFolder({ "skills-lock.json": text });
    expect(() => readNpxLock(folder.path)).toThrow(message);
  });

  it("reads a missing lock as empty", () => {
    using folder = makeFolder();
    expect(readNpxLock(folder.path)).toEqual([]);
  });
});
