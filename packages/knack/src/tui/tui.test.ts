import { openCatalog } from "@knack/core";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { chosenReference } from "./tui.ts";

const LILY = { SKILLS_WORKSPACE_DIR: "lily" };

describe("what the picker prints", () => {
  it("is taken by knack load for exactly that skill, in one line without quotes, whatever its name", async () => {
    const names = [
      "plain",
      "-rf",
      "--help",
      "a b",
      "it's",
      'q"uote',
      "$(reboot)",
      "`x`",
      "审查",
      "new\nline",
      "é",
    ];
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/.agents/skills/twice/SKILL.md": skillText("twice"),
      "repo/.agents/skills/group/twice/SKILL.md": skillText("twice"),
      ...Object.fromEntries(names.map((name) => [`repo/lily/${name}/SKILL.md`, "Body.\n"])),
    });
    const catalog = await openCatalog({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: LILY,
      cache: false,
    });
    expect(catalog.skills.length).toBeGreaterThanOrEqual(names.length);
    for (const skill of catalog.skills) {
      const printed = chosenReference(catalog, skill);
      expect(printed).toMatch(/^[^-\p{C}"'`$][^\p{C}"'`$]*$/u);
      expect(catalog.resolve(printed)).toBe(skill);
    }
    const [plain] = catalog.skills.filter(({ name }) => name === "plain");
    expect(plain && chosenReference(catalog, plain)).toBe("plain");
  });
});
