import { expect } from "vitest";
import { openRepo } from "../../packages/core/src/catalog/testing/open-repo.ts";
import { loadRouting, type Routing } from "../../packages/core/src/routing/routing-file.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/index.ts";

/** A project with a routing file; returns its routing or its faults. */

export const ROUTING = "repo/.agents/routing.yaml";
export const BASE = "version: 1\ndefault: { role: explorer, skill: mine, reason: else }\n";
export const HEAD = `${BASE}routes:\n`;
export const rule = (id: string, pattern: string, more = ""): string =>
  `  - { id: ${id}, role: fixer, skill: debug, reason: why, patterns: [${pattern}]${more} }\n`;

export function project(routing: string | undefined, more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.agents/skills/debug/SKILL.md": skillText("debug"),
    "home/.agents/skills/mine/SKILL.md": skillText("mine"),
    ...(routing === undefined ? {} : { [ROUTING]: routing }),
    ...more,
  });
}

export async function load(folder: Folder, trusted = true): Promise<Routing> {
  return loadRouting(await openRepo(folder, { trusted }), trusted);
}

export async function errorOf(text: string, more: Parameters<typeof makeFolder>[0] = {}): Promise<string> {
  using folder = project(text, more);
  try {
    await load(folder);
  } catch (error) {
    expect(error).toMatchObject({ name: "KnackError", code: "CONFIG_INVALID" });
    return (error as Error).message.replaceAll(folder.path, "");
  }
  return expect.fail("the file was accepted");
}
