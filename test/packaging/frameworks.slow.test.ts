import { cpSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { NEW_NODE, npm, whyNoRegistry } from "./install.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("docs/embed: what the table says of the frameworks", () => {
  it("is what their real packages do, with a scripted model", ({ skip }) => {
    const why = whyNoRegistry();
    skip(why !== undefined, why);
    // A place of its own, because the repository is what other tests read.
    using folder = makeFolder({ "examples/": "" });
    for (const name of ["packages", "node_modules"]) symlinkSync(join(ROOT, name), folder.at(name));
    const examples = folder.at("examples/embed");
    const filter = (path: string): boolean => !["node_modules", "mastra"].includes(basename(path));
    cpSync(join(ROOT, "examples/embed"), examples, { recursive: true, filter });
    const installed = npm(NEW_NODE, ["ci", "--legacy-peer-deps"], examples);
    expect(installed.code, installed.stderr).toBe(0);
    const { code, stdout, stderr } = npm(NEW_NODE, ["test"], examples);
    expect(code, stderr + stdout).toBe(0);
    const names = ["ai-sdk", "openai-agents", "langchain", "anthropic", "host-errors"];
    expect(stdout.split("\n").filter((line) => line.endsWith(": ok"))).toEqual(
      names.map((name) => `${name}: ok`),
    );
  });
});
