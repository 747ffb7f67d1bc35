import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { renderCatalogBlock } from "../packages/core/src/context/blocks/catalog-block.ts";
import { renderSkillBlock } from "../packages/core/src/context/blocks/skill-block.ts";
import { SEVERITY } from "../packages/core/src/shared/diagnostics.ts";
import { LOADER_VARIABLES } from "../packages/core/src/shared/process/find-program.ts";
import { COMMANDS } from "../packages/knack/src/cli/table/table.ts";

const root = join(import.meta.dirname, "..");

describe("docs/diagnostics.md", () => {
  it("has every fault with what it does under each validation", () => {
    const text = readFileSync(join(root, "docs", "diagnostics.md"), "utf8");
    const documented = [...text.matchAll(/^\| (`[^|]+) \| ([EW]) \| ([EW]) \|/gm)].flatMap(
      ([, names = "", strict, lenient]) =>
        [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => `${name} ${strict} ${lenient}`),
    );
    const letter = (severity: string): string => (severity === "error" ? "E" : "W");
    const known = Object.entries(SEVERITY).map(
      ([name, { strict, lenient }]) => `${name} ${letter(strict)} ${letter(lenient)}`,
    );
    expect(documented.sort()).toEqual(known.sort());
  });
});

describe("messages and help", () => {
  it("point to no page of docs/, which is not in the package", () => {
    const comments = /\/\*.*?\*\/|\/\/[^\n]*/gs;
    const pointing = ["core", "engine", "knack", "web"].flatMap((name) => {
      const folder = join(root, "packages", name, "src");
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
        .filter((file) =>
          /docs\/(?!report)[\w-]+\.md/.test(
            readFileSync(join(folder, file), "utf8").replaceAll(comments, ""),
          ),
        );
    });
    expect(pointing).toEqual([]);
  });
});

describe("docs/embed", () => {
  const overview = readFileSync(join(root, "docs/embed/README.md"), "utf8");
  const programs = ["", "mastra"].flatMap((folder) =>
    readdirSync(join(root, "examples/embed", folder))
      .filter((name) => name.endsWith(".js"))
      .map((name) => join(folder, name)),
  );

  it.each(programs)("has a page for %s with lines of that program, and its version", (name) => {
    const file = basename(name, ".js");
    const page = readFileSync(join(root, "docs/embed", `${file}.md`), "utf8");
    const program = readFileSync(join(root, "examples/embed", name), "utf8").split("\n");
    const [, code = ""] = /^```js\n(.*?)```$/ms.exec(page) ?? [];
    const lines = code.split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !program.includes(line))).toEqual([]);
    expect(page).toContain(`(../../examples/embed/${name})`);
    // What a program has because of Knack alone; the agent's own line takes the rest.
    const glue = lines.filter((line) => /@knack\/core|\bopenSkills\(|\.conversation\(/.test(line)).length;
    expect(lines.filter((line) => /\.\.\.\w+\(talk\b/.test(line))).toHaveLength(1);
    const { dependencies } = JSON.parse(
      readFileSync(join(root, "examples/embed", dirname(name), "package.json"), "utf8"),
    );
    const [, version, told] =
      new RegExp(`^\\| \\[[^\\]]+\\]\\(${file}\\.md\\) \\| (\\S+) \\| (\\d) \\|`, "m").exec(overview) ?? [];
    expect(Object.values(dependencies)).toContain(version);
    expect([Number(told), glue <= 4]).toEqual([glue, true]);
  });
});

describe("docs/isolation.md", () => {
  it("has every variable that loads foreign code", () => {
    const text = readFileSync(join(root, "docs", "isolation.md"), "utf8");
    expect(LOADER_VARIABLES.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("test/promises.md", () => {
  it("names only tests that exist", () => {
    const names = [
      ...readFileSync(join(root, "test", "promises.md"), "utf8").matchAll(
        /`((?:[\w-]+\/)+[\w.-]+\.test\.ts)`/g,
      ),
    ].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const path =
        name.startsWith("test/") || name.startsWith("packages/") ? name : `packages/core/src/${name}`;
      expect(() => readFileSync(join(root, path)), name).not.toThrow();
    }
  });
});

describe("the commands that documents and skills speak of", () => {
  const files = [
    "README.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    ".agents/skills",
    "skills",
  ].flatMap((name) => {
    const path = join(root, name);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join(path, file));
  });

  const known = new Set(["help", ...COMMANDS.map(({ name }) => name)]);

  it.each(files.map((file) => [relative(root, file), file]))(
    "%s names only commands that exist",
    (_name, file) => {
      const used = [...readFileSync(file, "utf8").matchAll(/(?:`|^ {4}|^\$ |^npx )knack ([a-z]+)/gm)].map(
        ([, name]) => name,
      );
      for (const name of used) expect(known, `knack ${name}`).toContain(name);
    },
  );
});

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
      omittedCount: 12,
      omitted: [{ path: `${dir}/assets/logo.png`, size: 482_113 }],
    });
    expect(block).toBe(loaded);
  });
});
