import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../packages/core/src/testing/files.ts";
import { drawPicture } from "../scripts/picture/draw-picture.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("README.md", () => {
  it("begins with the two commands that start Knack and test it", () => {
    const blocks = [...readme.matchAll(/^```(?:sh|bash|console)\n(.*?)\n```$/gms)].map(([, text]) => text);
    expect(blocks).toEqual(["npm ci\nnpm start", "npm ci\nnpm test"]);
  });

  it("shows code for the library that runs", () => {
    const [, code = ""] = /^```ts\n(.*?)\n```$/ms.exec(readme) ?? [];
    const check = 'if (!(await session.call("skill_load", { name: "release-notes" })).text) process.exit(1);';
    const args = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "-e"];
    using folder = makeFolder();
    const env = { HOME: folder.path };
    execFileSync(process.execPath, [...args, `${code}\n${check}`], { cwd: root, env, stdio: "pipe" });
  });

  it("has a picture of what the program prints today", async () => {
    const picture = readFileSync(join(root, "docs", "picture.svg"), "utf8");
    expect(picture, "npm run picture draws it again").toBe(await drawPicture());
  });
});
