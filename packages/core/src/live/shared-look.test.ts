import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { makeFolder } from "../testing/files.ts";
import { sharedLook } from "./shared-look.ts";

const text = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\nText.\n`;

async function open(folder: { readonly path: string }) {
  const root = { path: `${folder.path}/skills`, scope: "user", dialect: "agentskills" } as const;
  return openCatalog({ cwd: folder.path, home: folder.path, env: {}, cache: false, roots: [root] });
}

describe("looks at the files (document 001, refresh on call)", () => {
  it("are one for all calls that wait for the same moment, and begin after each of them", async () => {
    using folder = makeFolder({ "skills/one/SKILL.md": text("one"), "skills/two/": "" });
    const looks = sharedLook(await open(folder));
    const running = looks.take();
    writeFileSync(`${folder.path}/skills/two/SKILL.md`, text("two"));
    const [a, b, c] = [looks.take(), looks.take(), looks.take()];
    expect(a).toBe(b);
    expect(b).toBe(c);
    expect(a).not.toBe(running);
    // Whatever the first one saw, those that were asked for after the change have it.
    expect((await a).skills.map(({ name }) => name)).toEqual(["one", "two"]);
    rmSync(`${folder.path}/skills/one`, { recursive: true });
    expect((await looks.take()).skills.map(({ name }) => name)).toEqual(["two"]);
    expect(looks.newest.skills).toHaveLength(1);
  });

  it("are shared by whoever began with one catalog", async () => {
    using folder = makeFolder({ "skills/one/SKILL.md": text("one") });
    const catalog = await open(folder);
    expect(sharedLook(catalog)).toBe(sharedLook(catalog));
    expect(sharedLook(await catalog.refresh())).not.toBe(sharedLook(catalog));
  });
});
