import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { type FileSpec, makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { Folder, isRefusal } from "./folder.ts";
import { type PlaceRequest, placeArtifact } from "./place-artifact.ts";
import { verifyArtifact } from "./verify-artifact.ts";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const TARGET = "workspace/artifacts/adhoc/report.txt";

/** A project, and a folder with what a skill wrote. */
function scene(produced: Record<string, FileSpec> = { "out.txt": "hello" }) {
  const project = makeFolder();
  const made = makeFolder(produced);
  const place = (more: Partial<PlaceRequest> = {}) =>
    placeArtifact({
      artifactsDir: made.path,
      source: "out.txt",
      sha256: sha256("hello"),
      projectRoot: project.path,
      target: TARGET,
      ...more,
    });
  return {
    project,
    made,
    place,
    [Symbol.dispose]: () => {
      project[Symbol.dispose]();
      made[Symbol.dispose]();
    },
  };
}

describe("an artifact moves to its place", () => {
  it.each(["relative", "absolute"])(
    "by a %s path, with its digest and size, and leaves nothing else",
    async (kind) => {
      using at = scene();
      const source = kind === "relative" ? "out.txt" : at.made.at("out.txt");
      expect(await at.place({ source })).toEqual({ path: TARGET, sha256: sha256("hello"), size: 5 });
      expect(readFileSync(at.project.at(TARGET), "utf8")).toBe("hello");
      expect(readdirSync(dirname(at.project.at(TARGET)))).toEqual(["report.txt"]);
    },
  );

  it("uses a file with the same bytes, and never writes over other bytes", async () => {
    using at = scene({ "out.txt": "hello", "b.txt": "other", "c.txt": "third" });
    const other = { source: "b.txt", sha256: sha256("other") };
    expect(await at.place()).toHaveProperty("path", TARGET);
    expect(await at.place()).toHaveProperty("path", TARGET);
    expect(await at.place(other)).toHaveProperty("path", "workspace/artifacts/adhoc/report-2.txt");
    expect(await at.place({ source: "c.txt", sha256: sha256("third") })).toHaveProperty(
      "path",
      "workspace/artifacts/adhoc/report-3.txt",
    );
    expect(await at.place(other)).toHaveProperty("path", "workspace/artifacts/adhoc/report-2.txt");
    expect(readdirSync(dirname(at.project.at(TARGET))).sort()).toEqual([
      "report-2.txt",
      "report-3.txt",
      "report.txt",
    ]);
  });

  it("gives each of many at once a place of its own", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `text ${i % 10}`);
    using at = scene(Object.fromEntries(texts.map((text, i) => [`${i}.txt`, text])));
    const placed = await Promise.all(
      texts.map((text, i) => at.place({ source: `${i}.txt`, sha256: sha256(text) })),
    );
    for (const [i, artifact] of placed.entries()) {
      if ("code" in artifact) expect.fail(artifact.message);
      expect(readFileSync(at.project.at(artifact.path), "utf8")).toBe(texts[i]);
    }
    expect(new Set(placed.map((artifact) => "path" in artifact && artifact.path)).size).toBe(10);
  });

  it("copies a large file in pieces", async () => {
    const bytes = Buffer.alloc(5 << 20, "knack");
    using at = scene({ "out.txt": bytes });
    const artifact = { path: TARGET, sha256: sha256(bytes), size: bytes.length };
    expect(await at.place({ sha256: sha256(bytes) })).toEqual(artifact);
    expect(await verifyArtifact(at.project.path, artifact)).toBe("whole");
  });

  it("makes a changed one again at the same path when asked to", async () => {
    using at = scene();
    at.project.write({ [TARGET]: "changed" });
    expect(await at.place({ replace: true })).toHaveProperty("path", TARGET);
    expect(readFileSync(at.project.at(TARGET), "utf8")).toBe("hello");
  });
});

describe("links where an artifact goes", () => {
  it.each(["workspace", "workspace/artifacts", "workspace/artifacts/adhoc"])(
    "refuses %s that is a link",
    async (name) => {
      using at = scene();
      using outside = makeFolder();
      mkdirSync(dirname(at.project.at(name)), { recursive: true });
      symlinkSync(outside.path, at.project.at(name));
      expect(await at.place()).toMatchObject({ code: "E_ARTIFACT_PATH" });
      expect(readdirSync(outside.path)).toEqual([]);
    },
  );

  it.each(["there", "nowhere"])("refuses a link at the very name that leads %s", async (kind) => {
    using at = scene();
    using outside = makeFolder({ there: "hello" });
    mkdirSync(dirname(at.project.at(TARGET)), { recursive: true });
    symlinkSync(outside.at(kind), at.project.at(TARGET));
    expect(await at.place()).toMatchObject({ code: "E_ARTIFACT_PATH" });
    expect(readdirSync(outside.path)).toEqual(["there"]);
    expect(readdirSync(dirname(at.project.at(TARGET)))).toEqual(["report.txt"]);
  });

  it("refuses a folder at the name, a file in the place of a folder, and a path that leaves", async () => {
    using at = scene();
    mkdirSync(at.project.at(TARGET), { recursive: true });
    expect(await at.place()).toMatchObject({ code: "E_ARTIFACT_PATH" });
    at.project.write({ "workspace/artifacts/file": "x" });
    expect(await at.place({ target: "workspace/artifacts/file/a.txt" })).toMatchObject({
      code: "E_ARTIFACT_PATH",
    });
    for (const target of ["../a.txt", "workspace/artifacts/../../../a.txt", "/tmp/a.txt", "skills/a.txt"]) {
      expect(await at.place({ target })).toMatchObject({ code: "E_ARTIFACT_PATH" });
    }
  });
});

describe("what a skill says it made", () => {
  it.each([
    "../outside.txt",
    "/etc/hostname",
    ".",
    "",
    "none.txt",
    "sub/none.txt",
    "folder",
    "link.txt",
    "linked/x.txt",
    "hard.txt",
  ])("is refused where it is %j", async (source) => {
    using outside = makeFolder({ "x.txt": "hello" });
    using at = scene({
      "folder/": "",
      "link.txt": { link: outside.at("x.txt") },
      linked: { link: outside.path },
    });
    linkSync(outside.at("x.txt"), at.made.at("hard.txt"));
    expect(await at.place({ source })).toMatchObject({ code: "SKILL_BAD_OUTPUT" });
    expect(existsSync(at.project.at("workspace"))).toBe(false);
  });

  it("is refused with another digest or too many bytes, and leaves nothing", async () => {
    using at = scene();
    expect(await at.place({ sha256: sha256("other") })).toMatchObject({ code: "SKILL_BAD_OUTPUT" });
    truncateSync(at.made.at("out.txt"), 2 * 1024 ** 3 + 1);
    expect(await at.place()).toMatchObject({ message: "The artifact has more than 2147483648 bytes." });
    expect(readdirSync(dirname(at.project.at(TARGET)))).toEqual([]);
  });
});

describe("a recorded artifact", () => {
  it("is whole, changed or missing", async () => {
    using at = scene();
    const artifact = { path: TARGET, sha256: sha256("hello") };
    expect(await verifyArtifact(at.project.path, artifact)).toBe("missing");
    await at.place();
    expect(await verifyArtifact(at.project.path, artifact)).toBe("whole");
    writeFileSync(at.project.at(TARGET), "hellO");
    expect(await verifyArtifact(at.project.path, artifact)).toBe("changed");
    truncateSync(at.project.at(TARGET), 0);
    expect(await verifyArtifact(at.project.path, artifact)).toBe("changed");
  });

  it("is changed where a link or a folder has its name", async () => {
    using at = scene();
    const artifact = { path: TARGET, sha256: sha256("hello") };
    mkdirSync(dirname(at.project.at(TARGET)), { recursive: true });
    symlinkSync(at.made.at("out.txt"), at.project.at(TARGET));
    expect(await verifyArtifact(at.project.path, artifact)).toBe("changed");
    expect(await verifyArtifact(at.project.path, { ...artifact, path: "workspace" })).toBe("changed");
  });
});

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

describe("a link that takes the place of a folder that is open", () => {
  it.runIf(process.platform === "linux").each(["a/b/c", "a/b", "a"])(
    "leads nothing out, at %s",
    (swapped) => {
      using project = makeFolder();
      using outside = makeFolder({ "b/c/": "", "c/": "" });
      using folder = Folder.open(project.path, ["a", "b", "c"], true);
      renameSync(project.at(swapped), project.at("aside"));
      symlinkSync(outside.path, project.at(swapped));
      closeSync(folder.openFile("file", CREATE));
      expect(
        readdirSync(project.path, { recursive: true }).some((name) => String(name).endsWith("file")),
      ).toBe(true);
      for (const name of ["file", "b/c/file", "c/file"]) expect(existsSync(outside.at(name))).toBe(false);
    },
  );
});

describe("a folder below the project", () => {
  it("is made where it is asked for, and refused where it is not there", () => {
    using project = makeFolder();
    expect(() => Folder.open(project.path, ["a"], false)).toThrow(expect.toSatisfy(isRefusal));
    Folder.open(project.path, ["a", "b"], true)[Symbol.dispose]();
    expect(existsSync(project.at("a/b"))).toBe(true);
  });

  it("leaves no descriptor open, also when it is refused", () => {
    using project = makeFolder({ file: "", link: { link: "/tmp" } });
    const open = () => readdirSync("/proc/self/fd").length;
    const before = process.platform === "linux" ? open() : 0;
    for (let i = 0; i < 50; i++) {
      for (const name of ["file", "link", "none"]) {
        expect(() => Folder.open(project.path, [name, "x"], false)).toThrow(expect.toSatisfy(isRefusal));
      }
    }
    if (process.platform === "linux") expect(open()).toBeLessThan(before + 10);
  });
});
