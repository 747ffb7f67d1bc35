import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderCatalogBlock } from "../packages/core/src/context/blocks/catalog-block.ts";
import { renderSkillBlock } from "../packages/core/src/context/blocks/skill-block.ts";

const page = readFileSync(join(import.meta.dirname, "..", "docs", "context.md"), "utf8");
const [catalog, loaded] = [...page.matchAll(/```xml\n(.*?)\n```/gs)].map(([, text]) => text);
const ROOT = "/repo/.agents/skills";

describe("docs/context.md", () => {
  it("shows the catalog as it is", () => {
    const skill = (name: string, description: string) => ({
      id: name,
      name,
      description,
      path: `${ROOT}/${name}/SKILL.md`,
      dir: `${ROOT}/${name}`,
      scope: "repo" as const,
      mtimeMs: 0,
      dialect: "agentskills" as const,
    });
    const skills = [
      skill("release-notes", "Draft release notes from the commits since the last tag"),
      skill("repo-review", "Review a pull request, risks first"),
    ];
    expect(renderCatalogBlock(skills, { maxEntries: 200, maxBytes: 32_768 }).text).toBe(catalog);
  });

  it("shows a loaded skill as it is", () => {
    const dir = `${ROOT}/release-notes`;
    const block = renderSkillBlock({
      name: "release-notes",
      path: `${dir}/SKILL.md`,
      dir,
      body: "# Release notes\n\nRead the commits since the last tag, then fill in assets/template.md.\n",
      files: [`${dir}/assets/template.md`, `${dir}/scripts/commits.sh`],
      filesTruncated: { count: 12, omitted: [{ path: `${dir}/assets/logo.png`, size: 482_113 }] },
    });
    expect(block).toBe(loaded);
  });
});
