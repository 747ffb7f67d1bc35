import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knack, makeProject } from "./run.ts";

const REPOSITORY = realpathSync(join(import.meta.dirname, "../.."));

describe.skipIf(!existsSync(join(REPOSITORY, ".git")))("knack upgrade in a checkout with git", () => {
  it("prints the commands for this checkout alone on standard output, and runs none", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["upgrade"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `cd ${REPOSITORY}\ngit pull\nnpm ci\nnpm run build\n`,
    });
    expect(stderr).toContain("a checkout with git. To upgrade, run:");
    expect(stderr).toContain("Knack contacts no server itself");
  });

  it("gives the same to a program", () => {
    using folder = makeProject();
    const { code, json } = knack(folder, ["upgrade", "--json"]);
    expect(code).toBe(0);
    expect(json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      package: "knack-skills",
      installed: "checkout",
      folder: join(REPOSITORY, "packages/knack"),
      writable: true,
      node: { version: process.versions.node, path: process.execPath },
      commands: [`cd ${REPOSITORY}`, "git pull", "npm ci", "npm run build"],
    });
  });
});
