import { describe, expect, it } from "vitest";
import { findInstallation } from "./installation.ts";

/** What `knack upgrade` would print for a package in this folder, where these other paths exist. */
function commandsFor(folder: string, ...existing: string[]): { installed: string; lines: string[] } {
  const { installed, commands } = findInstallation({
    folder,
    name: "knack-skills",
    npmPrefix: "/usr",
    exists: (path) => existing.includes(path),
  });
  return { installed, lines: commands.map((words) => words.join(" ")) };
}

describe("findInstallation", () => {
  it.each<[installed: string, folder: string, existing: string, ...lines: string[]]>([
    ["npm", "/usr/lib/node_modules/knack-skills", "/usr/bin/knack", "npm install -g knack-skills@latest"],
    [
      "npm",
      "/home/a/.npm-global/lib/node_modules/knack-skills",
      "/home/a/.npm-global/bin/knack",
      "npm install -g --prefix /home/a/.npm-global knack-skills@latest",
    ],
    [
      "npm",
      "C:\\Users\\a\\AppData\\Roaming\\npm\\node_modules\\knack-skills",
      "C:/Users/a/AppData/Roaming/npm/knack.cmd",
      "npm install -g --prefix C:/Users/a/AppData/Roaming/npm knack-skills@latest",
    ],
    ["npx", "/home/a/.npm/_npx/0f/node_modules/knack-skills", "", "npx knack-skills@latest"],
    [
      "npx",
      "/home/a/.cache/pnpm/dlx/1a/2b/node_modules/.pnpm/knack-skills@0.1.0/node_modules/knack-skills",
      "",
      "pnpm dlx knack-skills@latest",
    ],
    ["npx", "/tmp/bunx-1000-knack-skills@latest/node_modules/knack-skills", "", "bunx knack-skills@latest"],
    [
      "pnpm",
      "/home/a/.local/share/pnpm/global/5/.pnpm/knack-skills@0.1.0/node_modules/knack-skills",
      "",
      "pnpm add -g knack-skills@latest",
    ],
    ["bun", "/home/a/.bun/install/global/node_modules/knack-skills", "", "bun add -g knack-skills@latest"],
    [
      "yarn",
      "/home/a/.config/yarn/global/node_modules/knack-skills",
      "",
      "yarn global add knack-skills@latest",
    ],
    [
      "yarn",
      "C:\\Users\\a\\AppData\\Local\\Yarn\\Data\\global\\node_modules\\knack-skills",
      "",
      "yarn global add knack-skills@latest",
    ],
    ["unknown", "/opt/unpacked/package", "", "npm install -g knack-skills@latest"],
    ["unknown", "/opt/node_modules/knack-skills", "", "npm install -g knack-skills@latest"],
    ["unknown", "/opt/copy/packages/knack", "", "npm install -g knack-skills@latest"],
  ])("%s: %s", (installed, folder, existing, ...lines) => {
    expect(commandsFor(folder, existing)).toEqual({ installed, lines });
  });

  it.each<[lock: string, line: string]>([
    ["package-lock.json", "npm install knack-skills@latest"],
    ["pnpm-lock.yaml", "pnpm update --latest knack-skills"],
    ["yarn.lock", "yarn upgrade --latest knack-skills"],
    [".yarnrc.yml", "yarn up knack-skills"],
    ["bun.lock", "bun update --latest knack-skills"],
  ])("asks the package manager of a project with %s", (lock, line) => {
    const found = commandsFor("/shop/node_modules/knack-skills", "/shop/package.json", `/shop/${lock}`);
    expect(found).toEqual({ installed: "project", lines: ["cd /shop", line] });
  });

  it("finds the project above the folders of pnpm", () => {
    const folder = "/shop/node_modules/.pnpm/knack-skills@0.1.0/node_modules/knack-skills";
    const { lines } = commandsFor(folder, "/shop/package.json", "/shop/pnpm-lock.yaml");
    expect(lines).toEqual(["cd /shop", "pnpm update --latest knack-skills"]);
  });

  it("pulls a checkout and builds it", () => {
    expect(commandsFor("/src/knack/packages/knack", "/src/knack/.git")).toEqual({
      installed: "checkout",
      lines: ["cd /src/knack", "git pull", "npm ci", "npm run build"],
    });
  });
});
