import { copyFileSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { S3Server } from "../../packages/engine/src/contents/testing/s3-server.ts";
import { knack as called } from "./run.ts";
import { ask as askAs } from "./typed-skills.ts";

let s3: S3Server;
beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(() => s3?.[Symbol.asyncDispose]());

const knack = (folder: Folder, args: readonly string[]) => called(folder, args, { env: s3.env });
const ask = <T = unknown>(folder: Folder, args: readonly string[]) => askAs<T>(folder, args, { env: s3.env });

function scene(): Folder {
  const folder = makeFolder({ "repo/.git/": "", "repo/a.txt": "a" });
  folder.write({ "home/.knack/config.yaml": `artifacts: { url: "${urlOf(folder)}" }\n` });
  return folder;
}

const urlOf = (folder: Folder): string => `s3://knack/${basename(folder.path)}`;

/** The files in which the server keeps the objects of this project. */
const storedIn = (folder: Folder): string[] =>
  readdirSync(s3.folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes(basename(folder.path)) && /[0-9a-f]{62}\._S3rver_/.test(path))
    .map((path) => join(s3.folder, path));

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
    expect(data).toMatchObject({ removed: 0, kept: 1, dry_run: false, place: urlOf(folder) });
    for (const file of storedIn(folder)) {
      const stranger = file.replace(/[0-9a-f]{2}\/[0-9a-f]{62}/, `00/${"0".repeat(62)}`);
      mkdirSync(dirname(stranger), { recursive: true });
      copyFileSync(file, stranger);
    }
    makeOld(folder);
    expect(ask(folder, ["store", "gc", "--dry-run"]).data).toMatchObject({
      removed: 1,
      kept: 1,
      dry_run: true,
    });
    expect(ask(folder, ["store", "gc", "--older-than", "30d"]).data).toMatchObject({ removed: 0, kept: 2 });
    expect(knack(folder, ["store", "gc"]).stdout).toMatch(/^0{64} {2}\d+ bytes .*\nRemoved 1 artifact/);
    expect(ask(folder, ["store", "gc"]).data).toMatchObject({ removed: 0, kept: 1 });
  });

  it("brings an artifact back that was deleted, without another run", () => {
    using folder = scene();
    const first = ask<{ id: string }>(folder, ["run", "text_extract", "a.txt"]).data;
    rmSync(folder.at("repo/workspace"), { recursive: true });
    expect(ask(folder, ["run", "text_extract", "a.txt"]).data).toMatchObject({ id: first.id, cached: true });
    expect(readdirSync(folder.at("repo/workspace/artifacts/adhoc"))).toHaveLength(1);
  });
});
