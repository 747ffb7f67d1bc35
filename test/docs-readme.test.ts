import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../packages/core/src/testing/files.ts";
import { drawPicture } from "../scripts/picture/draw-picture.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("README.md", () => {
  it("begins with the two commands that start Knack and test it", () => {
    const blocks = [...readme.matchAll(/^```(?:sh|bash|console)\n(.*?)\n```$/gms)].map(([, text]) => text);
    expect(blocks).toEqual(["npm ci && npm start", "npm ci && npm test"]);
  });

  it("has a picture of what the program prints today", async () => {
    const picture = readFileSync(join(root, "docs", "picture.svg"), "utf8");
    expect(picture, "npm run picture draws it again").toBe(await drawPicture());
  });
});

describe("the code of the documentation", () => {
  const programs = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))]
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(import .*?)\n```$/gms)].map(
        ([, code = ""], place) => [page, place + 1, code] as const,
      ),
    );

  it.each(programs)("%s: program %i runs", (_page, _place, code) => {
    using folder = makeFolder();
    const args = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "-e", code];
    execFileSync(process.execPath, args, { cwd: root, env: { HOME: folder.path }, stdio: "pipe" });
  });

  it("is found in the README and elsewhere", () => {
    expect(new Set(programs.map(([page]) => page)).size).toBeGreaterThan(1);
  });
});
