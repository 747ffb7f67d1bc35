import { emptyMap, type YamlMap } from "../skill/yaml/yaml-value.ts";

/** A key with at most a value behind it, as `lockText` writes them: two spaces a level. */
const LINE = /^( *)("(?:[^"\\]|\\.)*"|[^\s":{}][^\s:]*(?::[^\s:]+)*):(?: (.+))?$/;
const MAX_KEY = 1_000;

/**
 * The content of a lock that is written as Knack writes it, without the YAML library: that takes a second for thousands of
 * skills. `undefined` for any other text. The caller compares what it makes of this with the text.
 */
export function readOwnForm(text: string): YamlMap | undefined {
  const lines = text.split("\n");
  if (lines.shift() !== "version: 1" || lines.shift() !== "skills:" || lines.pop() !== "") return undefined;
  const skills = emptyMap();
  const levels: YamlMap[] = [skills];
  for (const line of lines) {
    const [, indent = "", rawKey = "", rawValue] = LINE.exec(line) ?? [];
    const level = indent.length / 2 - 1;
    const map = levels[level];
    const key = scalarOf(rawKey);
    if (!map || key === undefined || !isKey(key) || key in map) return undefined;
    levels.length = level + 1;
    if (rawValue === undefined) {
      const below = emptyMap();
      map[key] = below;
      levels.push(below);
      continue;
    }
    const value = rawValue === "{}" ? emptyMap() : scalarOf(rawValue);
    if (value === undefined) return undefined;
    map[key] = value;
  }
  const data = emptyMap();
  data.version = 1;
  data.skills = skills;
  return data;
}

/** What the YAML reader takes for a key, too. */
function isKey(key: string): boolean {
  return key !== "" && key.length <= MAX_KEY && key !== "__proto__" && key !== "<<";
}

function scalarOf(raw: string): string | undefined {
  if (!raw.startsWith('"')) return raw;
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
