import { readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "./run.ts";
import { ask } from "./typed-skills.ts";

function scene(): Folder {
  const folder = makeFolder({ "repo/.git/": "", "repo/a.txt": "a", "repo/b.txt": "b", "shared/": "" });
  folder.write({ "home/.knack/config.yaml": `artifacts: { url: "file://${folder.at("shared")}" }\n` });
  return folder;
}

const storedIn = (folder: Folder): string[] =>
  readdirSync(folder.at("shared"), { recursive: true, encoding: "utf8" })
    .filter((path) => /[0-9a-f]{62}$/.test(path))
    .map((path) => join(folder.at("shared"), path));

function makeOld(folder: Folder): void {
  const at = new Date(Date.now() - 8 * 24 * 3_600_000);
  for (const file of storedIn(folder)) utimesSync(file, at, at);
}

describe("knack store gc", () => {
  it("keeps what a record names, and removes what none does", () => {
    using folder = scene();
    expect(knack(folder, ["run", "text_extract", "a.txt"]).code).toBe(0);
    makeOld(folder);
    const { data } = ask(folder, ["store", "gc"]);
    expect(data).toMatchObject({ removed: 0, kept: 1, dry_run: false, place: folder.at("shared") });
    const stranger = storedIn(folder)[0]?.replace(/[0-9a-f]{62}$/, "0".repeat(62)) ?? "";
    folder.write({ [stranger.slice(folder.path.length + 1)]: "left over" });
    makeOld(folder);
    expect(ask(folder, ["store", "gc", "--dry-run"]).data).toMatchObject({
      removed: 1,
      kept: 1,
      dry_run: true,
    });
    expect(ask(folder, ["store", "gc", "--older-than", "30d"]).data).toMatchObject({ removed: 0, kept: 2 });
    expect(knack(folder, ["store", "gc"]).stdout).toMatch(
      /^[0-9a-f]{64} {2}9 bytes .*\nRemoved 1 artifact \(9 bytes\)/,
    );
    expect(storedIn(folder)).toHaveLength(1);
  });

  it("brings an artifact back that was deleted, without another run", () => {
    using folder = scene();
    const first = ask<{ id: string }>(folder, ["run", "text_extract", "a.txt"]).data;
    rmSync(folder.at("repo/workspace"), { recursive: true });
    expect(ask(folder, ["run", "text_extract", "a.txt"]).data).toMatchObject({ id: first.id, cached: true });
    expect(readdirSync(folder.at("repo/workspace/artifacts/adhoc"))).toHaveLength(1);
  });

  it("has nothing to do where artifacts are local files alone", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    expect(ask(folder, ["store", "gc"]).data).toMatchObject({ removed: 0, place: null });
    expect(knack(folder, ["store", "gc"]).stdout).toContain("only in workspace/artifacts");
  });

  it.each(["0h", "59m", "x", "7", "-1d"])("refuses --older-than %s", (age) => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code, stderr } = knack(folder, ["store", "gc", `--older-than=${age}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("at least 1h");
  });

  it("says what to do where artifacts.url is postgres and the store is not", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/a.txt": "a",
      "home/.knack/config.yaml": "artifacts: { url: postgres }\n",
    });
    const { code, stderr } = knack(folder, ["run", "text_extract", "a.txt"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "artifacts.url: postgres needs a store in PostgreSQL. Set store.url to postgres://…",
    );
  });
});
