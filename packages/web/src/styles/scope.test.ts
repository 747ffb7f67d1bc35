import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..");

/** The selectors of a sheet that stand in no other rule; those of keyframes are none. */
function topSelectors(sheet: string): string[] {
  const selectors: string[] = [];
  let [depth, text] = [0, ""];
  for (const letter of sheet.replace(/\/\*.*?\*\//gs, "")) {
    if (letter === "{" && depth++ === 0) selectors.push(text.trim());
    if (letter === "}") depth--;
    text = letter === "{" || letter === "}" ? "" : text + letter;
  }
  return selectors.filter((one) => !one.startsWith("@")).flatMap((one) => one.split(/,\s*/));
}

describe("the style sheet of a page", () => {
  // A sheet stays when another page is opened.
  it("has only rules inside of the class of its page", () => {
    const pages = globSync("pages/*/*.css", { cwd: SOURCE });
    expect(pages.length).toBe(10);
    for (const path of pages) {
      const scope = `.page-${path.split("/")[1]}`;
      const selectors = topSelectors(readFileSync(join(SOURCE, path), "utf8"));
      expect(selectors, path).toEqual(selectors.map(() => scope));
    }
  });
});
