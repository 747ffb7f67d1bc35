import { execFile } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../../testing/files.ts";

const ROOT = "repo/.agents/skills";

function makeProject(): Folder {
  return makeFolder({ "repo/.git/": "", "home/": "", [`${ROOT}/a/SKILL.md`]: skillText("a") });
}

function open(folder: Folder): Promise<Catalog> {
  return openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false });
}

/** The snapshot that follows upon a change. */
async function nextAfter(catalog: Catalog, change: () => void): Promise<Catalog> {
  using stop = new Stop();
  const next = catalog.watch({ signal: stop.signal, settleMs: 5 }).next();
  // The watcher scans once before it listens, so a change is reported by one of the two.
  setTimeout(change, 30);
  const { value } = await next;
  if (!value) throw new Error("The watch ended.");
  return value;
}

class Stop extends AbortController implements Disposable {
  [Symbol.dispose](): void {
    this.abort();
  }
}

const names = (catalog: Catalog): string[] => catalog.skills.map(({ name }) => name);

describe("watch yields the next snapshot", () => {
  it("for an edit, and leaves the old one as it was", async () => {
    using folder = makeProject();
    const first = await open(folder);
    const second = await nextAfter(first, () =>
      folder.write({ [`${ROOT}/a/SKILL.md`]: skillText("a", "New.") }),
    );
    expect(second.skills).toMatchObject([{ name: "a", description: "New." }]);
    expect(second.snapshot_version).toBe(first.snapshot_version + 1);
    expect(first.skills).toMatchObject([{ description: "Does a. Use when asked for a." }]);
  });

  it("for an edit of the body alone", async () => {
    using folder = makeProject();
    const first = await open(folder);
    const text = `${skillText("a")}More to do.\n`;
    const second = await nextAfter(first, () => folder.write({ [`${ROOT}/a/SKILL.md`]: text }));
    expect(second.skills[0]?.mtimeMs).toBeGreaterThan(first.skills[0]?.mtimeMs ?? 0);
  });

  it("for a new skill, at once or in a new group folder", async () => {
    using folder = makeProject();
    const first = await open(folder);
    const second = await nextAfter(first, () => folder.write({ [`${ROOT}/b/SKILL.md`]: skillText("b") }));
    expect(names(second)).toEqual(["a", "b"]);
    const third = await nextAfter(second, () => folder.write({ [`${ROOT}/g/c/SKILL.md`]: skillText("c") }));
    expect(names(third)).toEqual(["a", "b", "c"]);
    expect(names(first)).toEqual(["a"]);
  });

  it("for a skill that was removed or renamed", async () => {
    using folder = makeProject();
    folder.write({ [`${ROOT}/b/SKILL.md`]: skillText("b") });
    const second = await nextAfter(await open(folder), () =>
      rmSync(folder.at(ROOT, "a"), { recursive: true }),
    );
    expect(names(second)).toEqual(["b"]);
    const third = await nextAfter(second, () => renameSync(folder.at(ROOT, "b"), folder.at(ROOT, "c")));
    expect(third.errors).toMatchObject([{ code: "E_NAME_DIR_MISMATCH" }]);
  });

  it("for a root that did not exist", async () => {
    using folder = makeProject();
    const text = skillText("mine");
    const next = await nextAfter(await open(folder), () =>
      folder.write({ "home/.agents/skills/mine/SKILL.md": text }),
    );
    expect(next.skills).toMatchObject([{ name: "a" }, { name: "mine", scope: "user" }]);
  });

  it("one after another in a loop, counting their versions", async () => {
    using folder = makeProject();
    using stop = new Stop();
    const versions: number[] = [];
    const catalog = await open(folder);
    setTimeout(() => folder.write({ [`${ROOT}/s1/SKILL.md`]: skillText("s1") }), 30);
    for await (const next of catalog.watch({ signal: stop.signal, settleMs: 5 })) {
      versions.push(next.snapshot_version);
      if (next.skills.length === 4) break;
      const name = `s${next.skills.length}`;
      folder.write({ [`${ROOT}/${name}/SKILL.md`]: skillText(name) });
    }
    expect(versions).toEqual(versions.map((_, i) => i + 2));
  });
});

describe("watch ends", () => {
  it("with its signal, while nothing happens", async () => {
    using folder = makeProject();
    const stop = new AbortController();
    const next = (await open(folder)).watch({ signal: stop.signal }).next();
    setTimeout(() => stop.abort(), 50);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("at once with a signal that was given before", async () => {
    using folder = makeProject();
    const watch = (await open(folder)).watch({ signal: AbortSignal.abort() });
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  it("and then keeps no process running", async () => {
    using folder = makeProject();
    const program = `
      import { openCatalog } from ${JSON.stringify(join(import.meta.dirname, "../../open-catalog.ts"))};
      const catalog = await openCatalog({ cwd: process.argv[1], home: process.argv[1], env: {}, cache: false });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 100);
      for await (const next of catalog.watch({ signal: stop.signal, pollMs: 600_000 }));
      console.log("ended");`;
    const args = ["--conditions=source", "--input-type=module", "-e", program, folder.at("repo")];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
    expect(stdout).toBe("ended\n");
  });
});
