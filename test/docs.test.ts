import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SEVERITY } from "../packages/core/src/diagnostics.ts";

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

describe("README.md", () => {
  it("names only tests that exist", () => {
    const names = [
      ...readFileSync(join(root, "README.md"), "utf8").matchAll(/`((?:[\w-]+\/)+[\w.-]+\.test\.ts)`/g),
    ].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const path =
        name.startsWith("test/") || name.startsWith("packages/") ? name : `packages/core/src/${name}`;
      expect(() => readFileSync(join(root, path)), name).not.toThrow();
    }
  });
});
