import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../packages/core/src/testing/files.ts";
import { PROGRAM } from "./cli/run.ts";

/**
 * Follows the pages of docs/tutorial literally: runs every `sh` block, in order, in one folder with an empty home. `exit=1`
 * after `sh` is the expected exit code. A `text` block shows lines of the output before it; "…" stands for anything.
 */

const root = join(import.meta.dirname, "..");
const pages = join(root, "docs", "tutorial");

interface Block {
  readonly kind: string;
  readonly options: readonly string[];
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(pages, page), "utf8");
  return [...text.matchAll(/^```(\w+)([^\n]*)\n(.*?)\n```$/gms)].map(
    ([, kind = "", options = "", body = ""]) => ({
      kind,
      options: options.split(" ").filter(Boolean),
      text: body,
    }),
  );
}

describe("docs/tutorial", () => {
  it.each(readdirSync(pages))("%s works when it is followed literally", (page) => {
    using folder = makeFolder({
      "home/": "",
      "work/": "",
      "bin/knack": `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
      "bin/node": `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
      where: "work",
    });
    for (const name of ["knack", "node"]) chmodSync(folder.at("bin", name), 0o755);
    let output = "";
    for (const block of blocksOf(page)) {
      if (block.kind === "sh") output = run(folder, block);
      if (block.kind === "text") expect(oneSpace(output)).toMatch(linesOf(block.text));
    }
  });
});

/** Runs a block in the folder where the previous one ended. */
function run(folder: Folder, { text, options }: Block): string {
  if (options.includes("install")) return install(folder);
  const cwd = resolve(folder.path, readFileSync(folder.at("where"), "utf8").trim());
  const script = `trap 'pwd > "${folder.at("where")}"' EXIT\nexec 2>&1\n${text}\n`;
  const { status, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env: { PATH: `${folder.at("bin")}:${process.env.PATH}`, HOME: folder.at("home") },
    encoding: "utf8",
  });
  const wanted = Number(/exit=(\d+)/.exec(options.join(" "))?.[1] ?? 0);
  expect(status, `${text}\n${stdout}`).toBe(wanted);
  return stdout;
}

/** Stands in for `npm install` of the library, which may contact the registry. */
function install(folder: Folder): string {
  mkdirSync(folder.at("work/my-agent/node_modules/@knack"), { recursive: true });
  symlinkSync(join(root, "packages", "core"), folder.at("work/my-agent/node_modules/@knack/core"));
  folder.write({ "work/my-agent/package.json": "{}", where: "work/my-agent" });
  return "";
}

/** These lines, in this order, somewhere in the output. Column widths do not matter. */
function linesOf(text: string): RegExp {
  const escaped = oneSpace(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const lines = escaped.split("\n").map((line) => line.replaceAll("…", ".*"));
  return new RegExp(`^${lines.join("\\n(?:.*\\n)*?")}`, "m");
}

function oneSpace(text: string): string {
  return text.replaceAll(/ +/g, " ");
}
