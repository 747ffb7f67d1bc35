import { readFileSync } from "node:fs";
import * as core from "@knack/core";
import * as schemas from "@knack/core/schemas";
import * as testing from "@knack/core/testing";
import * as engine from "@knack/engine";
import { describe, expect, it } from "vitest";
import { LIBRARY_DOCS, libraryDocs, namesOn } from "../scripts/library-docs.ts";

/** The programs on the page are run by docs-readme.test.ts. */
describe("docs/library.md", () => {
  const page = readFileSync(LIBRARY_DOCS, "utf8");

  it("is what the libraries declare: npm run docs:library writes it", () => {
    expect(page).toBe(libraryDocs());
  });

  it.each(
    Object.entries({
      "@knack/core": core,
      "@knack/core/schemas": schemas,
      "@knack/core/testing": testing,
      "@knack/engine": engine,
    }),
  )("lists every name of %s", (name, exported) => {
    const names = namesOn(page, name);
    expect(Object.keys(exported).filter((one) => !names.includes(one))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
