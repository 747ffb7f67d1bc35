import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

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
