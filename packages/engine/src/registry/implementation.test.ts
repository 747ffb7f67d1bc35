import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { findImplementation } from "./implementation.ts";

const builtins = new Map([["text_extract", 1], ["file_fingerprint", 2]]); // biome-ignore format: a table
const find = (projectRoot: string, text: string, name = "x") =>
  findImplementation(text, { projectRoot, name, builtins });
const problem = (projectRoot: string, text: string) => {
  const found = find(projectRoot, text);
  return "problem" in found ? found.problem : undefined;
};

describe("where an implementation is", () => {
  it("finds a built-in by its name", () => {
    expect(find("/", "builtin:text_extract")).toEqual({ kind: "builtin", name: "text_extract" });
    expect(problem("/", "builtin:text_extrct")).toContain('did you mean "builtin:text_extract"?');
    expect(problem("/", "builtin:constructor")).toContain("no built-in");
    expect(problem("/", "builtin:")).toContain("no built-in");
  });

  it.each([
    ["skills/impl/x.ts:run", "typescript"],
    ["skills/impl/x.mjs:run", "javascript"],
    ["skills/impl/x.py:run", "python"],
  ])("finds the file of %s", (text, language) => {
    using project = makeFolder({ "skills/impl/x.ts": "", "skills/impl/x.mjs": "", "skills/impl/x.py": "" });
    const file = text.split(":")[0] ?? "";
    const path = project.at(file);
    expect(find(project.path, text)).toEqual({ kind: "file", path, file, language, functionName: "run" });
  });

  it("finds a dotted name as .ts, .js, .mjs, .py, in that order", () => {
    using project = makeFolder({ "skills/impl/x.py": "" });
    const language = () => {
      const found = find(project.path, "skills.impl.x:run");
      return "language" in found ? found.language : found;
    };
    expect(language()).toBe("python");
    project.write({ "skills/impl/x.mjs": "" });
    expect(language()).toBe("javascript");
    project.write({ "skills/impl/x.ts": "" });
    expect(language()).toBe("typescript");
  });

  it("takes the built-in of the entry's name where a dotted file does not exist, and only there", () => {
    using project = makeFolder({ "skills/impl/file_fingerprint.py": "" });
    expect(find(project.path, "skills.impl.text_extract:run", "text_extract")).toHaveProperty(
      "kind",
      "builtin",
    );
    expect(find(project.path, "skills.impl.file_fingerprint:run", "file_fingerprint")).toHaveProperty(
      "kind",
      "file",
    );
    expect(find(project.path, "skills/impl/text_extract.py:run", "text_extract")).toHaveProperty("problem");
    expect(problem(project.path, "skills.impl.none:run")).toContain(
      "skills/impl/none{.ts,.js,.mjs,.py} does not exist",
    );
  });

  it.each([
    "",
    "run",
    ":run",
    "x.ts",
    "x.ts:",
    "x.ts:1run",
    "x.ts:run()",
    "a..b:run",
    "a b:run",
    "__proto__:a.b",
  ])("refuses the form %j", (text) => expect(problem("/nowhere", text)).toContain("it must be"));

  it.each([
    ["../x.ts:run", "inside the project"],
    ["/etc/x.ts:run", "inside the project"],
    ["skills/../../x.ts:run", "inside the project"],
    ["skills\\x.ts:run", "inside the project"],
    ["skills/x.rb:run", "neither TypeScript"],
    ["skills/x.py:run$", "a Python function cannot"],
    ["skills/folder.ts:run", "not a regular file"],
    ["skills/out.ts:run", "outside the project (through a link)"],
    ["skills/linked/x.ts:run", "outside the project (through a link)"],
    ["skills/kind.ts:run", "another kind of file"],
  ])("refuses %s", (text, message) => {
    using outside = makeFolder({ "x.ts": "" });
    using project = makeFolder({
      "skills/folder.ts/": "",
      "skills/out.ts": { link: outside.at("x.ts") },
      "skills/linked": { link: outside.path },
      "skills/x.rb": "",
      "skills/x.py": "",
      "skills/kind.ts": { link: "x.rb" },
    });
    expect(problem(project.path, text)).toContain(message);
  });
});
