import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { fetchSkills } from "./testing/fetch-skills.ts";
import { commitAll, commitTree, git, makeRepository } from "./testing/make-repository.ts";
import { makeZip } from "./testing/make-zip.ts";

type TarEntries = Parameters<typeof packTar>[0];

const HEAD = {
  header: { name: "x/SKILL.md", size: Buffer.byteLength(skillText("x")) },
  body: skillText("x"),
};

async function faultsOfTar(entries: TarEntries): Promise<readonly string[]> {
  using folder = makeFolder();
  writeFileSync(
    folder.at("a.tgz"),
    gzipSync(await packTar([HEAD, { header: { name: "y/z", size: 0 } }, ...entries])),
  );
  using outcome = await fetchSkills("./a.tgz", folder.path);
  const [skill] = outcome.skills;
  if (skill?.faults.length) await expect(outcome.take()).rejects.toThrow(/refused; nothing was changed/);
  return skill?.faults ?? [];
}

describe("names that lead out, or that other systems cannot have", () => {
  it.each([
    ["x/../../evil", /"\.\." or an empty name/],
    ["x//evil", /absolute path/],
    ["x/C:evil", /absolute path|some systems do not allow/],
    ["x/a\\b", /backslash/],
    ["x/nul", /Windows device/],
    ["x/COM1.txt", /Windows device/],
    ["x/dot.", /ends with a dot or a space/],
    ["x/space ", /ends with a dot or a space/],
    ["x/\u001b[31mred", /some systems do not allow/],
    ["x/\u202eevil", /some systems do not allow/],
    ["x/__proto__", /reserved word/],
    [`x/${"d/".repeat(40)}f`, /32 folders deep/],
    [`x/${"n".repeat(300)}`, /255 bytes/],
  ])("%j is a fault that names it", async (name, said) => {
    const faults = await faultsOfTar([{ header: { name, size: 1, pax: { path: name } }, body: "x" }]);
    expect(faults).toEqual([expect.stringMatching(said)]);
  });

  it.each(["../up", "/absolute", "back\\slash", "a//b", `${"d".repeat(200)}/`.repeat(6).slice(0, -1)])(
    "a skill in the folder %j, which skills.lock cannot name, is refused",
    async (path) => {
      using folder = makeFolder();
      const body = skillText("odd");
      const name = `${path}/SKILL.md`;
      const odd = { header: { name, size: Buffer.byteLength(body), pax: { path: name } }, body };
      writeFileSync(folder.at("a.tgz"), gzipSync(await packTar([HEAD, odd])));
      using outcome = await fetchSkills("./a.tgz", folder.path);
      await expect(outcome.take(["odd"])).rejects.toThrow(/odd is refused.*\n- its folder/);
    },
  );

  it("a file above the skill, or at an absolute path, belongs to no skill and is not written", async () => {
    for (const name of ["../evil", "/tmp/evil", "x/SKILL.md/../../../evil"])
      expect(await faultsOfTar([{ header: { name, size: 1, pax: { path: name } }, body: "x" }])).toHaveLength(
        name.startsWith("x/") ? 1 : 0,
      );
  });

  it("names that are one on systems without case, or after normalization, are refused with both", async () => {
    const two = (a: string, b: string) => faultsOfTar([a, b].map((name) => ({ header: { name, size: 0 } })));
    expect(await two("x/Read.md", "x/READ.md")).toEqual([
      '"Read.md" and "READ.md" are the same file on some systems',
    ]);
    expect(await two("x/Dir/a", "x/dir/b")).toEqual(['"Dir" and "dir" are the same file on some systems']);
    expect(await two("x/\u00e9", "x/e\u0301")).toHaveLength(1);
    expect(await two("x/a", "x/a/b")).toEqual(['"a" is a file and a folder']);
    expect(await two("x/same", "x/same")).toEqual(['"same" is in it twice']);
    expect(await two("x/skill.md", "x/b")).toEqual([
      '"SKILL.md" and "skill.md" are the same file on some systems',
    ]);
  });
});

describe("what is no file", () => {
  it.each([
    ["/etc/passwd", /outside the skill/],
    ["../y/z", /outside the skill/],
    ["../../../../etc/passwd", /outside the skill/],
    ["missing", /does not exist/],
    [".", /the folder that it is in/],
    ["link", /leads back to itself/],
  ])("a link to %s is a fault that names it", async (linkname, said) => {
    const faults = await faultsOfTar([{ header: { name: "x/link", size: 0, type: "symlink", linkname } }]);
    expect(faults).toEqual([expect.stringMatching(said)]);
    expect(faults[0]).toContain('"x/link" is a link');
  });

  it("hard links, devices and pipes are refused by name", async () => {
    for (const type of ["link", "character-device", "block-device", "fifo"] as const) {
      const faults = await faultsOfTar([
        { header: { name: "x/odd", size: 0, type, linkname: "/etc/passwd" } },
      ]);
      expect(faults).toEqual([expect.stringMatching(/^"x\/odd" is a (?:hard link|device|named pipe)$/)]);
    }
  });

  it("links that multiply each other do not multiply files", async () => {
    const links = Array.from({ length: 30 }, (_, i) => [
      { header: { name: `x/${i}/a`, size: 0, type: "symlink" as const, linkname: `../${i + 1}` } },
      { header: { name: `x/${i}/b`, size: 0, type: "symlink" as const, linkname: `../${i + 1}` } },
    ]).flat();
    const faults = await faultsOfTar([...links, { header: { name: "x/30/f", size: 1 }, body: "x" }]);
    expect(faults.length).toBeGreaterThan(50);
  });
});

describe("archives that are not what they say", () => {
  const skill = { name: "x/SKILL.md", content: skillText("x") };
  const take = async (bytes: Uint8Array, name = "a.zip"): Promise<unknown> => {
    using folder = makeFolder({ [name]: bytes });
    using outcome = await fetchSkills(`./${name}`, folder.path);
    return await outcome.take();
  };

  it("a zip bomb is refused by its size, and one that lies about it while it is unpacked", async () => {
    const zeros = Buffer.alloc(70 * 1024 * 1024);
    await expect(take(makeZip([skill, { name: "x/bomb", content: zeros }]))).rejects.toThrow(
      /more than the limit of 64 MiB/,
    );
    await expect(take(makeZip([skill, { name: "x/bomb", content: zeros, claimed: 10 }]))).rejects.toThrow(
      /cannot be read|more than/,
    );
  });

  it("a zip with names that lead out is refused as a whole", async () => {
    for (const name of ["../evil", "/evil", "x\\..\\evil"])
      await expect(take(makeZip([skill, { name, content: "x" }]))).rejects.toThrow(/cannot be read/);
  });

  it("a zip link that leads out is refused", async () => {
    await expect(
      take(makeZip([skill, { name: "x/l", content: "/etc/passwd", mode: 0o120777 }])),
    ).rejects.toThrow(/outside the skill/);
  });

  it("a cut or random archive is an error and no crash", async () => {
    const whole = makeZip([skill]);
    const tar = gzipSync(await packTar([HEAD]));
    for (const bytes of [
      whole.subarray(0, 40),
      Buffer.from("PK"),
      Buffer.alloc(0),
      Buffer.from("x".repeat(2000)),
    ])
      await expect(take(bytes)).rejects.toThrow(/cannot be read|No skills/);
    for (const bytes of [tar.subarray(0, 60), tar.subarray(0, -20)])
      await expect(take(bytes, "a.tgz")).rejects.toThrow(/cannot be read/);
  });
});

describe("a hostile repository", () => {
  const withRepository = async (
    files: Parameters<typeof makeFolder>[0],
    use: (folder: Folder) => Promise<void>,
  ) => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), ...files });
    makeRepository(folder.at("src"));
    await use(folder);
  };
  const mark = (folder: Folder): string => `touch ${folder.at("ran")}`;

  it("runs no hook, filter or fsmonitor of it, of a template, or of the project at hand", async () => {
    await withRepository({}, async (folder) => {
      folder.write({
        "src/.gitattributes": "* filter=evil diff=evil\n*.md filter=lfs\n",
        "src/x/big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "template/hooks/post-checkout": `#!/bin/sh\n${mark(folder)}\n`,
        "template/hooks/reference-transaction": `#!/bin/sh\n${mark(folder)}\n`,
        "home/.gitconfig": `[filter "evil"]\n\tsmudge = ${mark(folder)}\n\tprocess = ${mark(folder)}\n[filter "lfs"]\n\tsmudge = ${mark(folder)}\n\tprocess = ${mark(folder)}\n\trequired = true\n[init]\n\ttemplateDir = ${folder.at("template")}\n[core]\n\thooksPath = ${folder.at("template/hooks")}\n\tfsmonitor = ${mark(folder)}\n`,
      });
      for (const name of readdirSync(folder.at("template/hooks")))
        chmodSync(folder.at("template/hooks", name), 0o755);
      commitAll(folder.at("src"), "evil");
      const env = {
        PATH: process.env.PATH,
        HOME: folder.at("home"),
        GIT_DIR: folder.at("src/.git"),
        GIT_WORK_TREE: folder.path,
      };
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path, env);
      const to = await outcome.take();
      expect(readFileSync(`${to}/x/big.bin`, "utf8")).toContain("git-lfs");
      expect(existsSync(folder.at("ran"))).toBe(false);
    });
  });

  it("a submodule is not fetched, and its path is named", async () => {
    await withRepository({}, async (folder) => {
      const content = "1".repeat(40);
      commitTree(folder.at("src"), [
        ["100644", "x/SKILL.md", skillText("x")],
        ["100644", ".gitmodules", `[submodule "s"]\n\tpath = x/s\n\turl = https://127.0.0.1:9/none\n`],
        ["160000", "x/s", content],
      ]);
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path);
      expect(outcome.skills[0]).toMatchObject({ faults: [], notes: [expect.stringContaining("x/s")] });
    });
  });

  it("links out, case collisions and control characters are refused by name", async () => {
    await withRepository({}, async (folder) => {
      commitTree(folder.at("src"), [
        ["100644", "x/SKILL.md", skillText("x")],
        ["120000", "x/out", "../../../../etc/passwd"],
        ["100644", "x/A", "1"],
        ["100644", "x/a", "2"],
        ["100644", "x/\u001b]0;title", "3"],
      ]);
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path);
      expect(outcome.skills[0]?.faults).toEqual([
        expect.stringContaining("\\u001b"),
        expect.stringContaining('"x/out" is a link'),
        expect.stringContaining('"A" and "a"'),
      ]);
    });
  });

  it("a branch whose name is an option cannot be asked for; a tag, a short and a full commit can", async () => {
    await withRepository({}, async (folder) => {
      const src = folder.at("src");
      const first = git(src, ["rev-parse", "HEAD"]).trim();
      git(src, ["tag", "-a", "v1", "-m", "v1"]);
      folder.write({ "src/x/new.md": "new" });
      const second = commitAll(src, "second");
      git(src, ["update-ref", "refs/heads/--upload-pack=touch", second]);
      for (const [ref, commit] of [
        ["v1", first],
        [first, first],
        [first.slice(0, 8), first],
        ["main", second],
        [null, second],
      ] as const) {
        using outcome = await fetchSkills(`file://${src}${ref === null ? "" : `#${ref}`}`, folder.path);
        expect(outcome.fetched).toMatchObject({ ref, commit });
        expect(outcome.skills[0]?.files.size).toBe(commit === first ? 1 : 2);
      }
      await expect(fetchSkills(`file://${src}#--upload-pack=touch ran`, folder.path)).rejects.toThrow(
        /cannot be the name/,
      );
      await expect(fetchSkills(`file://${src}#nowhere`, folder.path)).rejects.toThrow(
        /has no branch, tag or commit "nowhere"/,
      );
      await expect(fetchSkills("ext::sh -c id", folder.path)).rejects.toThrow(/would start a program/);
    });
  });

  it("an address that the user's git rewrites is fetched from there, but never by a program", async () => {
    await withRepository({}, async (folder) => {
      folder.write({
        "home/.gitconfig": `[url "file://${folder.at("src")}"]\n\tinsteadOf = https://github.com/owner/repo.git\n[url "ext::touch ${folder.at("ran")} "]\n\tinsteadOf = https://github.com/evil/\n`,
      });
      const env = { PATH: process.env.PATH, HOME: folder.at("home") };
      using outcome = await fetchSkills("owner/repo/x", folder.path, env);
      expect(outcome.fetched).toMatchObject({ source: "https://github.com/owner/repo.git", path: "x" });
      expect(outcome.skills[0]?.name).toBe("x");
      await expect(fetchSkills("evil/repo", folder.path, env)).rejects.toThrow(/not allowed/);
      expect(existsSync(folder.at("ran"))).toBe(false);
    });
  });

  it("a 1 GiB file is refused before it is written", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), "src/x/huge": "" });
    truncateSync(folder.at("src/x/huge"), 2 ** 30);
    using outcome = await fetchSkills("./src", folder.path);
    expect(outcome.skills[0]?.faults).toEqual(['"x/huge" has 1 GiB, more than the limit of 64 MiB']);
  });

  it("a folder with hard links and a .git of its own is copied without that", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), "src/x/a": "a" });
    linkSync(folder.at("src/x/a"), folder.at("src/x/b"));
    mkdirSync(folder.at("src/x/.git"));
    writeFileSync(folder.at("src/x/.git/config"), "[core]\n");
    using outcome = await fetchSkills("./src/x", folder.path);
    expect(readdirSync(`${await outcome.take()}/x`).sort()).toEqual(["SKILL.md", "a", "b"]);
  });

  it("git that is not installed is an error that says what to do", async () => {
    using folder = makeFolder();
    await expect(fetchSkills("file:///nowhere", folder.path, { PATH: folder.path })).rejects.toThrow(
      /Install git/,
    );
    await expect(fetchSkills("npm:x", folder.path, { PATH: folder.path })).rejects.toThrow(
      /npm was not found/,
    );
  });

  it("leaves nothing in its scratch folder after a failure", async () => {
    using folder = makeFolder();
    await expect(fetchSkills(`file://${folder.at("none")}`, folder.path)).rejects.toThrow(
      /no repository was found/,
    );
    expect(readdirSync(folder.at("scratch"))).toEqual([]);
  });
});
