import { symlinkSync } from "node:fs";
import { type FileSpec, makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { readableParts } from "./confinement.ts";

function makeProject(links: Readonly<Record<string, string>>, files: Record<string, FileSpec> = {}) {
  const folder = makeFolder({
    "p/.knack/state.db": "",
    "p/a/one.txt": "",
    "p/a/deep/two.txt": "",
    "p/b.txt": "",
    "out/secret": "",
    ...files,
  });
  for (const [place, target] of Object.entries(links)) symlinkSync(target, folder.at("p", place));
  const parts = (how: "left out" | "as they are") => {
    const found = readableParts(folder.at("p"), [folder.at("p/.knack")], how);
    return "problem" in found
      ? found.problem
      : found.parts.map((part) => part.slice(folder.at("p").length + 1));
  };
  return { parts, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe.skipIf(process.platform === "win32")("the readable parts of a project", () => {
  it("are its entries, without what is hidden", () => {
    using project = makeProject({});
    expect(project.parts("left out")).toEqual(["a", "b.txt"]);
    expect(project.parts("as they are")).toEqual(["a", "b.txt"]);
  });

  it.each([
    ["out of it", "../../out"],
    ["to a file out of it", "../../out/secret"],
    ["into what is hidden", "../.knack"],
    ["to nothing", "../../later"],
    ["to the whole file system", "/"],
    ["to itself", "link"],
  ])("leave out a link that leads %s, and keep what is beside it", (_where, target) => {
    using project = makeProject({ "a/link": target });
    expect(project.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
    expect(project.parts("as they are")).toEqual(["a", "b.txt"]);
  });

  it("keep links that stay inside, and leave out a link that reaches outside through a second link", () => {
    using inside = makeProject({ "a/link": "deep/two.txt", c: "a" });
    expect(inside.parts("left out")).toEqual(["a", "b.txt", "c"]);
    using chained = makeProject({ "a/first": "second", "a/second": "../../out" });
    expect(chained.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
  });

  it("leave out names that Node would take for a pattern", () => {
    using project = makeProject({}, { "p/a/*": "", "p/c*/d": "" });
    expect(project.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
  });
});
