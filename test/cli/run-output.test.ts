import { chmodSync, lstatSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { knack, program } from "./run.ts";
import { ask, makeTypedProject, type Refusal } from "./typed-skills.ts";

/** Bytes of the file that text_extract takes over as they are. */
const EXTRACT = ["run", "text_extract", "a.md"];

describe("knack run --output", () => {
  it("writes the first artifact to a file, from a cached run too, and still reports the run", () => {
    using folder = makeTypedProject({ "repo/sub/": "" });
    for (const [file, cached] of [
      ["one.txt", false],
      ["sub/two.txt", true],
    ] as const) {
      const { data, stderr } = ask(folder, [...EXTRACT, "--output", file]);
      expect(data).toMatchObject({ status: "SUCCEEDED", cached });
      expect(stderr).toBe(`Wrote ${folder.at("repo", file)}.\n`);
      const artifact = readFileSync(folder.at("repo", data.artifacts[0]?.path ?? ""));
      expect(readFileSync(folder.at("repo", file))).toEqual(artifact);
      expect(statSync(folder.at("repo", file)).mode & 0o777).toBe(0o644);
    }
    const elsewhere = knack(folder, [
      "--cwd",
      "sub",
      "run",
      "text_extract",
      "../a.md",
      "--output",
      "three.txt",
    ]);
    expect(elsewhere).toMatchObject({ code: 0, stdout: expect.stringMatching(/^SUCCEEDED text_extract/) });
    expect(readFileSync(folder.at("repo/sub/three.txt"), "utf8")).toContain("A");
  });

  it("- prints the artifact's bytes and nothing else, cached or not", () => {
    using folder = makeTypedProject({ "repo/bad.liquid": "{{ who }}" });
    const first = program(folder, [...EXTRACT, "--output", "-"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const [artifact] = ask(folder, EXTRACT).data.artifacts;
    expect(first.stdout).toBe(readFileSync(folder.at("repo", artifact?.path ?? ""), "utf8"));
    expect(program(folder, [...EXTRACT, "--output", "-"])).toMatchObject({ code: 0, stdout: first.stdout });
    const failed = program(folder, ["run", "template_render", "bad.liquid", "--output", "-"]);
    expect(failed).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^FAILED template_render/),
    });
  });

  it("replaces a file only with --force, keeps its mode, and follows no link", () => {
    using folder = makeTypedProject({
      "repo/mine.txt": "mine",
      "repo/other.txt": "other",
      "repo/linked.txt": { link: "other.txt" },
    });
    for (const file of ["mine.txt", "linked.txt"]) {
      const refused = ask<Refusal>(folder, [...EXTRACT, "--output", file]);
      expect(refused).toMatchObject({
        code: 1,
        data: { error: { code: "CONFLICT", message: expect.stringContaining("--force") } },
      });
    }
    expect(readFileSync(folder.at("repo/mine.txt"), "utf8")).toBe("mine");
    // Nothing has run: the refusal comes first.
    expect(ask<object[]>(folder, ["runs"]).stdout).not.toContain("text_extract");
    chmodSync(folder.at("repo/mine.txt"), 0o600);
    for (const file of ["mine.txt", "linked.txt"])
      expect(knack(folder, [...EXTRACT, "--output", file, "--force"]).code).toBe(0);
    expect(readFileSync(folder.at("repo/mine.txt"), "utf8")).toContain("A");
    expect(statSync(folder.at("repo/mine.txt")).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.at("repo/other.txt"), "utf8")).toBe("other");
    expect(lstatSync(folder.at("repo/linked.txt")).isFile()).toBe(true);
  });

  it.each([
    [["file_fingerprint", "a.md", "--output", "x"], "INVALID_PARAM", "makes no artifact"],
    [["text_extract", "a.md", "--output", "-"], "INVALID_PARAM", "--json"],
    [["text_extract", "a.md", "--output", "x", "--explain"], "INVALID_PARAM", "--explain"],
    [["text_extract", "a.md", "--output", "."], "INVALID_PARAM", "is a folder"],
    [["text_extract", "a.md", "--output", "/dev/null", "--force"], "INVALID_PARAM", "not a file"],
    [["text_extract", "a.md", "--output", "none/x"], "NOT_FOUND", "no folder"],
    [["text_extract", "a.md", "--output", "a.md/x"], "INVALID_PARAM", "a.md is a file, not a folder; name"],
    [["text_extract", "a.md", "--output", "a.md/x/y"], "INVALID_PARAM", "a.md is a file, not a folder; name"],
    [["text_extract", "a.md", "--force"], "INVALID_PARAM", "--output"],
  ])("refuses %j", (args, code, said) => {
    using folder = makeTypedProject();
    expect(ask<Refusal>(folder, ["run", ...args]).data.error).toEqual({
      code,
      message: expect.stringContaining(said),
    });
  });
});
