import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { fetchSkills } from "./testing/fetch-skills.ts";
import { git, makeRepository } from "./testing/make-repository.ts";
import { makeZip } from "./testing/make-zip.ts";

/** More than a skill may have, and far fewer than a whole source may have. */
const FILES = 10_100;

/** All bytes of a folder. */
function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(`${entry.parentPath}/${entry.name}`).size, 0);
}

describe("sources that are too large", () => {
  it("a skill of too many files in git is refused before one of them is written", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x") });
    const src = folder.at("src");
    makeRepository(src);
    const blob = git(src, ["hash-object", "-w", "--stdin"], "x").trim();
    const head = git(src, ["hash-object", "-w", "x/SKILL.md"]).trim();
    const names = Array.from({ length: FILES }, (_, i) => `100644 blob ${blob}\tf${i}\n`);
    const files = git(src, ["mktree"], names.join("")).trim();
    const skill = git(src, ["mktree"], `100644 blob ${head}\tSKILL.md\n040000 tree ${files}\tdata\n`).trim();
    const top = git(src, ["mktree"], `040000 tree ${skill}\tx\n`).trim();
    git(src, ["update-ref", "refs/heads/main", git(src, ["commit-tree", top, "-m", "many"]).trim()]);
    using outcome = await fetchSkills(`file://${src}`, folder.path);
    expect(outcome.skills[0]?.faults).toEqual(["it has more than 10000 files"]);
    await expect(outcome.take()).rejects.toThrow(/refused; nothing was changed/);
    expect(existsSync(`${folder.at("scratch")}/skills`)).toBe(false);
  });

  it("a tree that repeats itself into a million files is refused while it is listed", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x") });
    const src = folder.at("src");
    makeRepository(src);
    const blob = git(src, ["hash-object", "-w", "--stdin"], "x").trim();
    let tree = git(
      src,
      ["mktree"],
      Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tf${i}\n`).join(""),
    ).trim();
    for (let depth = 0; depth < 9; depth++)
      tree = git(
        src,
        ["mktree"],
        Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}\n`).join(""),
      ).trim();
    git(src, ["update-ref", "refs/heads/main", git(src, ["commit-tree", tree, "-m", "bomb"]).trim()]);
    await expect(fetchSkills(`file://${src}`, folder.path)).rejects.toThrow(/more than 250000 files/);
  });

  it("a file over the limit in git is refused by name, and only what git packs of it is on the disk", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x") });
    const src = folder.at("src");
    writeFileSync(folder.at("src/x/huge"), "");
    truncateSync(folder.at("src/x/huge"), 65 * 2 ** 20);
    makeRepository(src);
    using outcome = await fetchSkills(`file://${src}`, folder.path);
    expect(outcome.skills[0]?.faults).toEqual(['"x/huge" has 65 MiB, more than the limit of 64 MiB']);
    expect(bytesOf(folder.at("scratch"))).toBeLessThan(16 * 2 ** 20);
  });

  it("an archive of too many files ends at that limit", async () => {
    using folder = makeFolder();
    writeFileSync(
      folder.at("many.zip"),
      makeZip([
        { name: "x/SKILL.md", content: skillText("x") },
        ...Array.from({ length: FILES }, (_, i) => ({ name: `x/${i}`, content: "" })),
      ]),
    );
    using outcome = await fetchSkills("./many.zip", folder.path);
    expect(outcome.skills[0]?.faults).toEqual(["it has more than 10000 files"]);
  });

  it("an archive of gigabytes of zeros ends at the limit of what it unpacks to", async () => {
    using folder = makeFolder();
    const { readable, controller } = createTarPacker();
    controller.add({ name: "zeros", size: 3 * 2 ** 30 });
    const { value: head = "" } = await readable.getReader().read();
    // A gzip file may have several parts, which are unpacked one after the other.
    const zeros = gzipSync(new Uint8Array(2 ** 26));
    writeFileSync(folder.at("zeros.tgz"), Buffer.concat([gzipSync(head), ...Array(33).fill(zeros)]));
    await expect(fetchSkills("./zeros.tgz", folder.path)).rejects.toThrow(/unpacks to more than 2 GiB/);
    expect(bytesOf(folder.at("scratch"))).toBe(0);
  });

  it("a folder tree of more files than a skill may have, beside one, does not hinder it", async () => {
    using folder = makeFolder();
    const many = Array.from({ length: FILES }, (_, i) => `other/${i % 100}/${i}`);
    const { readable, controller } = createTarPacker();
    const add = async (name: string, text: string): Promise<void> => {
      const body = controller.add({ name, size: Buffer.byteLength(text) }).getWriter();
      if (text !== "") await body.write(Buffer.from(text));
      await body.close();
    };
    const writing = (async () => {
      for (const name of many) await add(name, "");
      await add("x/SKILL.md", skillText("x"));
      controller.finalize();
    })();
    const bytes = await new Response(readable).arrayBuffer();
    await writing;
    writeFileSync(folder.at("a.tgz"), gzipSync(Buffer.from(bytes)));
    using outcome = await fetchSkills("./a.tgz", folder.path);
    expect(outcome.skills.map(({ name }) => name)).toEqual(["x"]);
    expect(readdirSync(`${await outcome.take()}/x`)).toEqual(["SKILL.md"]);
  });
});
