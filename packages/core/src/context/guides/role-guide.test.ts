import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/index.ts";
import { isRole, ROLES, type Role, roleGuide } from "./role-guide.ts";

const guideOf = (role: Role, root: string, trusted = true): string => roleGuide(role, root, trusted).text;

describe("000 §2 roles", () => {
  it.each(ROLES)("%s has a guide of its own: 25 to 50 lines, from what it is to what it answers", (role) => {
    const guide = guideOf(role, "/nowhere");
    expect(guide).toMatch(new RegExp(`^# ${role}\n`, "i"));
    expect(guide).toContain("## Rules");
    expect(guide).toContain("## Answer");
    const lines = guide.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(25);
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(130);
  });

  it("no other word is a role", () => {
    for (const name of ["", "Fixer", "fixer ", "constructor", "__proto__", "../fixer"])
      expect(isRole(name)).toBe(false);
  });
});

describe("a project's own guide", () => {
  const own = { "roles/": "", ".agents/roles/fixer.md": "# Our fixer\n修正します。\n" };

  it("comes first where the project is trusted, and is not read where it is not", () => {
    using folder = makeFolder(own);
    expect(guideOf("fixer", folder.path)).toBe("# Our fixer\n修正します。\n");
    expect(guideOf("fixer", folder.path, false)).toMatch(/^# Fixer/);
    expect(guideOf("oracle", folder.path)).toMatch(/^# Oracle/);
  });

  it.each([
    ["is too large", "x".repeat(65_537), /has 65537 bytes; at most 65536 are read/],
    ["is empty", " \n", /is empty/],
    ["is not text", new Uint8Array([0xff, 0xfe, 0x00]), /is not UTF-8 text/],
    ["is a link", { link: "/etc/hostname" }, /is a symbolic link, not a file/],
  ])("that %s is an error that says so, never another guide", (_what, content, message) => {
    using folder = makeFolder({ ".agents/roles/fixer.md": content });
    expect(() => guideOf("fixer", folder.path)).toThrow(message);
    expect(() => guideOf("fixer", folder.path)).toThrow(folder.at(".agents/roles/fixer.md"));
    expect(guideOf("fixer", folder.path, false)).toMatch(/^# Fixer/);
  });

  it("that is a folder, or may not be read, is an error too", () => {
    using folder = makeFolder({ ".agents/roles/oracle.md/": "", ...own });
    expect(() => guideOf("oracle", folder.path)).toThrow(/is a folder, not a file/);
    if (process.getuid?.() === 0) return;
    chmodSync(folder.at(".agents/roles/fixer.md"), 0);
    expect(() => guideOf("fixer", folder.path)).toThrow(/cannot be read \(EACCES\)/);
  });
});
