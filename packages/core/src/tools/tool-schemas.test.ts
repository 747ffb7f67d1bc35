import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillTool } from "./skill.ts";
import { skillLoad } from "./skill-load.ts";
import { skillReadFile } from "./skill-read-file.ts";
import { skillSearch } from "./skill-search.ts";

/** As they were written by hand once; hosts have them. */
const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "testing", "tool-schemas.json"), "utf8"),
) as Record<string, { inputSchema: object; dataSchema: object }>;

/**
 * What derived schemas say more: that a choice is text, and that the first alternative of `Skill` is an object, which its
 * surroundings say as well.
 */
function withoutNews(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNews);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== "type" || !("enum" in schema));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutNews(value)]));
}

describe("the published schemas of Knack's own tools", () => {
  it.each([skillLoad, skillReadFile, skillSearch])("$name says what it said", ({ name, ...tool }) => {
    expect(tool.inputSchema).toEqual(published[name]?.inputSchema);
    expect(withoutNews(tool.dataSchema)).toEqual(published[name]?.dataSchema);
  });

  it("Skill says what it said", () => {
    expect(skillTool.inputSchema).toEqual(published.Skill?.inputSchema);
    const { anyOf, ...rest } = skillTool.dataSchema as { anyOf: [{ type: string }, object] };
    const [{ type, ...first }, second] = anyOf;
    expect(type).toBe("object");
    expect({ ...rest, anyOf: [first, second] }).toEqual(published.Skill?.dataSchema);
  });
});
