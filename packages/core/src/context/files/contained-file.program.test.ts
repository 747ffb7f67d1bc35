import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../testing/files.ts";
import { type Content, type FileRefusal, readContained, readFoundSkill } from "./contained-file.ts";
import { holdByIdentity, holdByKernel } from "./hold.ts";

const SECRET = "TOP-SECRET";
const LIMITS = { maxBytes: 1000, validation: "strict" } as const;

/** Each rule holds for each way to hold a file; the kernel tells on Linux alone. */
const WAYS = [
  { way: "by the kernel's word", hold: holdByKernel, here: process.platform === "linux" },
  { way: "by identities", hold: holdByIdentity, here: true },
].filter(({ here }) => here);

function makeSkill(files: Parameters<Folder["write"]>[0] = {}): Folder {
  return makeFolder({
    "skill/SKILL.md": "# Skill\n",
    "skill/references/guide.md": "Guide\n",
    "outside/secret.md": SECRET,
    "outside/SKILL.md": SECRET,
    "skill-evil/x": SECRET,
    ...files,
  });
}

function outcome(answer: Content | FileRefusal): string {
  expect(JSON.stringify(answer)).not.toContain(SECRET);
  if ("refusal" in answer) {
    expect(answer.message).toMatch(/^.{20,}\.$/);
    return answer.refusal;
  }
  return answer.bytes.toString();
}

describe.each(WAYS)("a file of a skill, held $way", ({ hold }) => {
  const read = (folder: Folder, file: string, limits: Partial<typeof LIMITS> = {}): string =>
    outcome(readContained(folder.at("skill"), file, { ...LIMITS, ...limits }, hold));

  it("is served by its path from the folder, or an absolute one in it", () => {
    using folder = makeSkill();
    for (const file of [
      "references/guide.md",
      "./references//guide.md",
      "references/./guide.md",
      folder.at("skill/references/guide.md"),
    ])
      expect(read(folder, file), file).toBe("Guide\n");
  });

  it("comes with size, digest and time stamps of the same read", () => {
    using folder = makeSkill();
    const answer = readContained(folder.at("skill"), "references/guide.md", LIMITS, hold);
    const sha256 = createHash("sha256").update("Guide\n").digest("hex");
    expect(answer).toMatchObject({ size: 6, truncated: false, sha256, stats: { size: 6, nlink: 1 } });
  });

  it("is bytes of its own, which no later read changes", () => {
    using folder = makeSkill({ "skill/a": "first", "skill/b": "other" });
    const first = readContained(folder.at("skill"), "a", LIMITS, hold);
    read(folder, "b");
    expect(outcome(first)).toBe("first");
  });

  it('is never asked for by "..", not even where that would stay inside', () => {
    using folder = makeSkill();
    for (const file of [
      "..",
      "../outside/secret.md",
      "references/../references/guide.md",
      "references/..",
      "..\\outside\\secret.md",
      "references\\../guide.md",
      folder.at("skill/references").concat("/../SKILL.md"),
    ])
      expect(read(folder, file), file).toBe("ACCESS_DENIED");
  });

  it("may have dots in its name", () => {
    using folder = makeSkill({ "skill/..a": "1", "skill/b..": "2", "skill/...": "3", "skill/.hidden": "4" });
    expect(["..a", "b..", "...", ".hidden"].map((file) => read(folder, file))).toEqual(["1", "2", "3", "4"]);
  });

  it("is not found by an empty name, a NUL, a missing path, a path below a file or one that is too long", () => {
    using folder = makeSkill();
    const below = "references/guide.md/x";
    for (const file of ["", "references/guide.md\0.txt", "missing.md", below, "x".repeat(5000), "~/.ssh/id"])
      expect(read(folder, file), file.slice(0, 30)).toBe("NOT_FOUND");
  });

  it.skipIf(process.platform === "win32")("is told to be asked for with slashes", () => {
    using folder = makeSkill();
    expect(readContained(folder.at("skill"), "references\\guide.md", LIMITS, hold)).toEqual({
      refusal: "NOT_FOUND",
      message: expect.stringContaining('separated by "/"'),
    });
  });

  it("is no folder, however that is named", () => {
    using folder = makeSkill({ "skill/way": { link: "references" }, "skill/here": { link: "." } });
    for (const file of [
      ".",
      "./",
      "references",
      "references/",
      "references/.",
      "way",
      "here",
      folder.at("skill"),
    ])
      expect(read(folder, file), file).toBe("IS_DIRECTORY");
  });

  it("tells nothing of what a link leads to", () => {
    using folder = makeSkill({ "skill/x": { link: "../outside/secret.md" } });
    expect(JSON.stringify(readContained(folder.at("skill"), "x", LIMITS, hold))).not.toMatch(
      /outside|secret/,
    );
  });

  it("is not served while the skill's folder is a link", () => {
    using folder = makeSkill();
    renameSync(folder.at("skill"), folder.at("moved"));
    symlinkSync("outside", folder.at("skill"));
    expect(read(folder, "secret.md")).toBe("ACCESS_DENIED");
    expect(read(folder, "SKILL.md")).toBe("ACCESS_DENIED");
  });

  it("is served if it is a hard link in lenient validation, refused in strict", () => {
    using folder = makeSkill({ "outside/shared": "shared" });
    linkSync(folder.at("outside/shared"), folder.at("skill/shared"));
    expect(read(folder, "shared")).toBe("ACCESS_DENIED");
    const lenient = { ...LIMITS, validation: "lenient" } as const;
    expect(outcome(readContained(folder.at("skill"), "shared", lenient, hold))).toBe("shared");
  });

  it.skipIf(process.platform === "win32")(
    "is no pipe, socket or folder, and none of them blocks",
    async () => {
      using folder = makeSkill({ "skill/pipe-link": { link: "pipe" } });
      execFileSync("mkfifo", [folder.at("skill/pipe")]);
      const server = createServer();
      await new Promise<void>((done) => server.listen(folder.at("skill/socket"), done));
      try {
        // Whoever waited would wait for ever, and this test would never end.
        for (const file of ["pipe", "pipe-link", "socket"])
          expect(read(folder, file), file).toBe("NOT_REGULAR");
      } finally {
        server.close();
      }
      execFileSync("mkfifo", [folder.at("outside/pipe")]);
      for (const source of ["skill/pipe", "outside/pipe"])
        expect(outcome(readFoundSkill(folder.at(source), null, 100, hold))).toBe("NOT_REGULAR");
    },
  );

  it.skipIf(process.platform === "win32")("is no device that a link leads to", () => {
    using folder = makeSkill({ "skill/zero": { link: "/dev/zero" }, "skill/dev": { link: "/dev" } });
    expect([read(folder, "zero"), read(folder, "dev/zero")]).toEqual(["ACCESS_DENIED", "ACCESS_DENIED"]);
    expect(outcome(readFoundSkill("/dev/zero", null, 100, hold))).toBe("NOT_REGULAR");
  });

  it("is cut at the limit, a text between two characters, and then has no digest", () => {
    using folder = makeSkill({
      "skill/text": "ab日本",
      "skill/bytes": new Uint8Array([0xff, 0xe6, 0x97, 0xa5]),
    });
    const cut = (file: string, maxBytes: number) =>
      readContained(folder.at("skill"), file, { ...LIMITS, maxBytes }, hold);
    for (const [maxBytes, text] of [
      [0, ""],
      [1, "a"],
      [2, "ab"],
      [3, "ab"],
      [4, "ab"],
      [5, "ab日"],
      [7, "ab日"],
    ] as const)
      expect(cut("text", maxBytes)).toEqual({
        real: expect.stringMatching(/text$/),
        bytes: Buffer.from(text),
        size: 8,
        truncated: true,
        stats: expect.anything(),
      });
    expect(cut("text", 8)).toMatchObject({ size: 8, truncated: false });
    expect(cut("bytes", 2)).toMatchObject({ bytes: Buffer.from([0xff, 0xe6]), size: 4, truncated: true });
  });

  it("is read no further than the limit, however large it is", () => {
    using folder = makeSkill({ "skill/huge": "" });
    truncateSync(folder.at("skill/huge"), 2 ** 40);
    const answer = readContained(folder.at("skill"), "huge", { ...LIMITS, maxBytes: 200_000 }, hold);
    expect(answer).toMatchObject({ size: 2 ** 40, truncated: true });
    expect("bytes" in answer && answer.bytes.length).toBe(200_000);
  });
});

describe("what the system does not let be read", () => {
  /** Runs as nobody where the tests run as root, whom nothing is forbidden. */
  const program = (dir: string, file: string): string => `
    const { readContained } = await import(${JSON.stringify(join(import.meta.dirname, "contained-file.ts"))});
    if (process.getuid() === 0) { process.setegid(65534); process.seteuid(65534); }
    const answer = readContained(${JSON.stringify(dir)}, ${JSON.stringify(file)}, ${JSON.stringify(LIMITS)});
    console.log(answer.refusal ?? answer.bytes.toString());`;
  const readAsUser = (dir: string, file: string): string =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program(dir, file)], {
      encoding: "utf8",
    }).trim();

  it.skipIf(process.platform === "win32")("is PERMISSION_DENIED, a file or a folder on its way", () => {
    using folder = makeSkill({ "skill/closed/file": SECRET, "skill/file": SECRET, "skill/open": "open" });
    execFileSync("chmod", ["-R", "a+rX", folder.path]);
    execFileSync("chmod", ["000", folder.at("skill/closed"), folder.at("skill/file")]);
    try {
      const answers = ["open", "file", "closed/file"].map((file) => readAsUser(folder.at("skill"), file));
      expect(answers).toEqual(["open", "PERMISSION_DENIED", "PERMISSION_DENIED"]);
    } finally {
      execFileSync("chmod", ["755", folder.at("skill/closed")]);
    }
  });
});

describe("a file that is written while it is served", () => {
  it("has digest and bytes from one read of one descriptor", async () => {
    using folder = makeSkill({ "skill/f": "0".repeat(200_000) });
    const program = `import { writeFileSync } from "node:fs";
      for (let i = 0; ; i++) writeFileSync(process.argv[1], String(i % 10).repeat(100_000 + i % 999));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, folder.at("skill/f")]);
    const seen = new Set<string>();
    try {
      for (let reads = 0; child.exitCode === null && (reads < 200 || seen.size < 3); reads++) {
        const answer = readContained(folder.at("skill"), "f", { ...LIMITS, maxBytes: 300_000 });
        if ("refusal" in answer) expect.fail(answer.message);
        expect(answer.sha256).toBe(createHash("sha256").update(answer.bytes).digest("hex"));
        expect(answer.size).toBe(answer.bytes.length);
        seen.add(answer.sha256 ?? "");
        await new Promise(setImmediate);
      }
    } finally {
      child.kill("SIGKILL");
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});

describe.runIf(process.platform === "linux")("where a held thing is, by the kernel's word", () => {
  const placeOf = (path: string): string => {
    let place = "";
    const isAllowed = (real: string): boolean => {
      place = real;
      return false;
    };
    expect(holdByKernel(path, isAllowed)).toBeUndefined();
    return place;
  };

  it("is where it was if it was deleted meanwhile", () => {
    using folder = makeFolder({ a: "text" });
    using held = holdByKernel(folder.at("a"), () => true);
    rmSync(folder.at("a"));
    expect(placeOf(held?.handle ?? "")).toBe(folder.at("a"));
  });

  it("keeps a name that only looks like the mark of a deleted file", () => {
    using folder = makeFolder({ "a (deleted)": "", "b (deleted)/c": "", link: { link: "b (deleted)" } });
    expect(placeOf(folder.at("a (deleted)"))).toBe(folder.at("a (deleted)"));
    expect(placeOf(folder.at("link"))).toBe(folder.at("b (deleted)"));
  });

  it("is nowhere if its name is no UTF-8 and only decodes to an allowed one", () => {
    using folder = makeFolder();
    execFileSync("sh", ["-c", 'd="$(printf "s\\377")" && mkdir "$d" && echo x >"$d/x"'], {
      cwd: folder.path,
    });
    symlinkSync(Buffer.from([0x73, 0xff]), folder.at("s\ufffd"));
    expect(holdByKernel(folder.at("s\ufffd/x"), () => true)).toBeUndefined();
  });
});
