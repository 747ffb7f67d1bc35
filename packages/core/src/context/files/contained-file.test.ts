import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { type Folder, makeFolder } from "../../testing/files.ts";
import { isBinary, readContained, readFoundSkill } from "./contained-file.ts";
import { holdByIdentity, holdByKernel } from "./hold.ts";
import { listFiles } from "./list-files.ts";

const WAYS = [
  { way: "by the kernel's word", hold: holdByKernel, here: process.platform === "linux" },
  { way: "by identities", hold: holdByIdentity, here: true },
].filter(({ here }) => here);

function makeSkill(files: Parameters<Folder["write"]>[0] = {}): Folder {
  return makeFolder({ "skill/SKILL.md": "# Skill\n", "outside/SKILL.md": "TOP-SECRET", ...files });
}

describe.each(WAYS)("the SKILL.md itself, held $way", ({ hold }) => {
  const textOf = (answer: ReturnType<typeof readFoundSkill>): string =>
    "refusal" in answer ? answer.refusal : answer.bytes.toString();
  const read = (source: string, inside: string | null): string =>
    textOf(readFoundSkill(source, inside, 100, hold));

  it("is read at exactly the place that the catalog recorded", () => {
    using folder = makeSkill();
    expect(read(folder.at("skill/SKILL.md"), folder.at("skill"))).toBe("# Skill\n");
  });

  it("is refused once it, or a folder on its way, is a link", () => {
    using folder = makeSkill({
      "linked/SKILL.md": { link: "../outside/SKILL.md" },
      way: { link: "outside" },
    });
    for (const file of ["linked/SKILL.md", "way/SKILL.md"])
      for (const inside of [folder.path, null]) expect(read(folder.at(file), inside)).toBe("ACCESS_DENIED");
  });

  it("may be outside the folder only where the catalog says so", () => {
    using folder = makeFolder({
      "skill/": "",
      "shared/SKILL.md": "# Shared\n",
      "skill-evil/SKILL.md": "# Evil\n",
    });
    expect(read(folder.at("shared/SKILL.md"), null)).toBe("# Shared\n");
    expect(read(folder.at("shared/SKILL.md"), folder.at("skill"))).toBe("ACCESS_DENIED");
    expect(read(folder.at("skill-evil/SKILL.md"), folder.at("skill"))).toBe("ACCESS_DENIED");
  });

  it("may be a hard link, and is missing, a folder or cut like any file", () => {
    using folder = makeSkill({ "skill/long/SKILL.md": "x".repeat(101), "skill/folder/SKILL.md/": "" });
    linkSync(folder.at("skill/SKILL.md"), folder.at("skill/other"));
    expect(read(folder.at("skill/SKILL.md"), folder.at("skill"))).toBe("# Skill\n");
    expect(read(folder.at("skill/none/SKILL.md"), null)).toBe("NOT_FOUND");
    expect(read(folder.at("skill/folder/SKILL.md"), null)).toBe("IS_DIRECTORY");
    expect(readFoundSkill(folder.at("skill/long/SKILL.md"), null, 100, hold)).toMatchObject({
      truncated: true,
    });
  });
});

describe("text", () => {
  it("has no NUL byte and no invalid UTF-8", () => {
    const texts = ["", "日本 😀\r\n\t\u001b"].map((text) => Buffer.from(text));
    expect(texts.map(isBinary)).toEqual([false, false]);
    const others = [Buffer.from("a\0b"), Buffer.from([0xff, 0xfe, 0x41]), Buffer.from("a😀").subarray(0, -1)];
    expect(others.map(isBinary)).toEqual([true, true, true]);
  });
});

/** A case makes a real tree, so a hundredth of what a test without files would take. */
const RUNS = cases(200, 100);

/** A tree beside the real one: a folder is null, a link says where it leads. */
type Model = Map<string, string | null | { link: string }>;

const names = fc.constantFrom("a", "b", "c");
const below = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
/** The same in every tree, so made once. */
const OUTSIDE = ["outside/a", "outside/b/a", "outside/b/c", "skill-evil/a", "skill-evil/b/a"];
const outside = fc.constantFrom("outside", "outside/b", "skill-evil", ...OUTSIDE);
const goal = fc.oneof(
  below.map((path) => `skill/${path}`),
  outside,
);
/** A link as a person would make it, absolute or relative, or one that leads anywhere. */
const link = fc.oneof(
  goal.map((path) => ({ path, relative: false })),
  goal.map((path) => ({ path, relative: true })),
  // No ".." after a name: Node's realpath takes it by the text alone, the kernel by where the name leads.
  fc
    .tuple(fc.nat(4), fc.array(fc.constantFrom(".", "a", "b", "outside"), { maxLength: 3 }))
    .map(([up, down]) => ({ path: [".", ...Array(up).fill(".."), ...down].join("/"), relative: null })),
);
const step = fc.record({ place: below, what: fc.oneof(fc.constant(null), fc.constant("file"), link, link) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The same tree in the model and on disk; each file holds its own place. */
function build(steps: readonly Step[], base: string): Model {
  const model: Model = new Map([["", null]]);
  const addFolder = (path: string): boolean => {
    const there = model.get(path);
    if (there !== undefined) return there === null;
    if (!addFolder(parentOf(path))) return false;
    model.set(path, null);
    mkdirSync(join(base, path));
    return true;
  };
  for (const path of OUTSIDE) model.set(path, path).set(parentOf(path), null);
  rmSync(join(base, "skill"), { recursive: true, force: true });
  addFolder("skill");
  for (const { place, what } of steps) {
    const path = `skill/${place}`;
    if (model.has(path) || !addFolder(parentOf(path))) continue;
    if (what === null) addFolder(path);
    else if (what === "file") {
      model.set(path, path);
      writeFileSync(join(base, path), path);
    } else if (typeof what === "object") {
      const target = what.relative ? posix.relative(parentOf(path), what.path) || "." : what.path;
      model.set(path, { link: what.relative === false ? `/${target}` : target });
      symlinkSync(what.relative === false ? join(base, target) : target, join(base, path));
    }
  }
  return model;
}

function parentOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

/** Where a path leads in the model, by the rules of POSIX: nowhere is undefined, out of the tree is "..". */
function follow(model: Model, path: string, links = 0): string | undefined {
  let at = "";
  const parts = path.split("/");
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    if (model.get(at) !== null) return undefined;
    if (part === ".") continue;
    if (part === "..") {
      if (at === "") return "..";
      at = parentOf(at);
      continue;
    }
    const next = at === "" ? part : `${at}/${part}`;
    const there = model.get(next);
    if (there === undefined || links > 20) return undefined;
    if (there !== null && typeof there === "object") {
      const rest = parts.slice(index + 1).join("/");
      const way = there.link.startsWith("/") ? there.link : `${at}/${there.link}`;
      return follow(model, `${way}/${rest}`, links + 1);
    }
    at = next;
  }
  return at;
}

/** The answers that are right: outside of the whole tree the machine may have something or nothing. */
function expected(model: Model, file: string): string[] {
  const real = follow(model, `skill/${file}`);
  if (real === undefined) return ["NOT_FOUND"];
  if (real === "..") return ["NOT_FOUND", "ACCESS_DENIED"];
  if (real !== "skill" && !real.startsWith("skill/")) return ["ACCESS_DENIED"];
  return [typeof model.get(real) === "string" ? real : "IS_DIRECTORY"];
}

// On Windows a user may make no links.
const WITH_LINKS = process.platform === "win32" ? [] : WAYS;

describe.each(WITH_LINKS)("any tree of files, folders and links, held $way", ({ hold }) => {
  const limits = { maxBytes: 1000, maxFiles: 1000, validation: "strict" } as const;

  it("serves and lists exactly what a model of it says, and nothing from outside", () => {
    using folder = makeFolder(Object.fromEntries(OUTSIDE.map((path) => [path, path])));
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 3, maxLength: 14, size: "max" }),
        fc.array(below, { minLength: 8, maxLength: 8 }),
        (steps, requests) => {
          const model = build(steps, folder.path);
          const inSkill = [...model.keys()]
            .filter((path) => path.startsWith("skill/"))
            .map((path) => path.slice(6));
          for (const file of [...requests, ...inSkill]) {
            const answer = readContained(folder.at("skill"), file, limits, hold);
            const text = "refusal" in answer ? answer.refusal : answer.bytes.toString();
            expect(expected(model, file), file).toContain(text);
            const kind = text.includes("/") ? "served" : text;
            seen.set(kind, (seen.get(kind) ?? 0) + 1);
          }
          const files = inSkill.filter((file) => expected(model, file)[0]?.startsWith("skill/")).sort();
          expect(listFiles(folder.at("skill"), limits, hold).files).toEqual(
            files.map((file) => folder.at("skill", file)),
          );
        },
      ),
      { numRuns: RUNS },
    );
    // A generator that never makes one of these tests nothing of it.
    for (const kind of ["served", "ACCESS_DENIED", "IS_DIRECTORY", "NOT_FOUND"])
      expect(seen.get(kind)).toBeGreaterThan(RUNS / 10);
  });
});
