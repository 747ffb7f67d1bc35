import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { npxDigest, readNpxLock } from "./npx-lock.ts";

describe("skills-lock.json of npx skills", () => {
  it("has a hash over the paths and contents in the order of a dictionary, without .git, node_modules and links", async () => {
    using folder = makeFolder({
      "SKILL.md": "body",
      "a.md": "1",
      "B.md": "2",
      "scripts/x.sh": "3",
      ".git/HEAD": "x",
      "sub/node_modules/y": "x",
      "link.md": { link: "a.md" },
    });
    const order = ["a.md", "1", "B.md", "2", "scripts/x.sh", "3", "SKILL.md", "body"];
    const hash = createHash("sha256").update(order.join("")).digest("hex");
    expect(await npxDigest(folder.path)).toEqual({ hash });
    expect(await npxDigest(folder.at("gone"))).toMatchObject({ fault: { kind: "missing" } });
  });

  it("names folders as that program does", () => {
    const entry = {
      source: "a/b",
      sourceType: "github",
      computedHash: "a".repeat(64),
      skillPath: "x/SKILL.md",
    };
    const skills = { "PDF Tools": entry, "../../etc": { ...entry, ref: "main" }, constructor: entry };
    using folder = makeFolder({ "skills-lock.json": JSON.stringify({ version: 1, skills }) });
    expect(readNpxLock(folder.path)).toEqual([
      { name: "../../etc", folder: ".agents/skills/etc", source: "a/b", ref: "main", hash: "a".repeat(64) },
      { name: "PDF Tools", folder: ".agents/skills/pdf-tools", source: "a/b", hash: "a".repeat(64) },
      { name: "constructor", folder: ".agents/skills/constructor", source: "a/b", hash: "a".repeat(64) },
    ]);
  });

  it.each([
    ["{", /is not JSON/],
    ['{"version":1}', /is not JSON with "skills"/],
    ['{"version":1,"skills":{"x":{}}}', /no SHA-256 in "computedHash" of "x"/],
  ])("is refused where it is %s", (text, message) => {
    using folder = makeFolder({ "skills-lock.json": text });
    expect(() => readNpxLock(folder.path)).toThrow(message);
  });

  it("is empty where there is none", () => {
    using folder = makeFolder();
    expect(readNpxLock(folder.path)).toEqual([]);
  });
});
