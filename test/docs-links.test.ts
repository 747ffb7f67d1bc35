import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  "bench/README.md",
  "examples/team/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

describe("the links of the documentation", () => {
  it.each(pages)("%s links only to files and headings that exist", (page) => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(
      /^```.*?^```$|(?<!`)`[^`\n]+`(?!`)|``.*?``/gms,
      "",
    );
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?|mailto):/.test(target)) continue;
      const [path = "", heading] = target.split("#");
      const file = path === "" ? join(root, page) : resolve(root, dirname(page), path);
      expect(existsSync(file), `${page} → ${target}`).toBe(true);
      if (heading !== undefined) expect(headingsOf(file), `${page} → ${target}`).toContain(heading);
    }
  });

  it("docs/README.md lists every page", () => {
    const index = readFileSync(join(root, "docs", "README.md"), "utf8");
    for (const page of pages.filter((name) => name.startsWith("docs/") && name !== "docs/README.md"))
      expect(index).toContain(`(${relative("docs", page)}`);
  });
});

/** Anchors of headings as GitHub makes them. */
function headingsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** "002 §3.4 and §3.5" → 002 §3.4, 002 §3.5. */
function citedSections(text: string): string[] {
  return [...text.matchAll(/\b(00[0-4])((?:,? (?:and )?§\d+(?:\.\d+)*)+)/g)].flatMap(
    ([, document = "", sections = ""]) =>
      [...sections.matchAll(/§[\d.]+\d|§\d/g)].map(([section]) => `${document} ${section}`),
  );
}

it("every section that a test or a source file cites is a heading in docs/spec", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const headings = new Set(
    ["000", "001", "002", "003", "004"].flatMap((document) =>
      [
        ...readFileSync(join(root, `docs/spec/${document}.md`), "utf8").matchAll(/^##+ (§[\d.]+\d|§\d)/gm),
      ].map(([, section]) => `${document} ${section}`),
    ),
  );
  const missing = files
    .split("\n")
    .filter(Boolean)
    .flatMap((file) => {
      let text: string;
      try {
        text = readFileSync(join(root, file), "utf8");
      } catch {
        return []; // deleted, but still in the index
      }
      return citedSections(text).flatMap((section) => (headings.has(section) ? [] : [`${file}: ${section}`]));
    });
  expect(missing).toEqual([]);
});
