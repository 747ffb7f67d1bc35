import { readSkillFile } from "../catalog/scan/skill-file.ts";
import { splitFrontmatter } from "../skill/frontmatter.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./extract/edge.ts";
import { edgesOf } from "./extract/read-edges.ts";
import type { SkillIndex } from "./extract/skill-index.ts";

/** The edges of one skill among those of a catalog, read from its file now; with `explain` they carry their reasons. */
export function readEdges(
  source: string,
  skill: SkillMetadata,
  index: SkillIndex,
  explain = false,
): SkillEdges {
  const none: SkillEdges = { edges: [], dangling: [] };
  const content = readSkillFile(source);
  if ("fault" in content) return none;
  const { bytes } = content;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const split = splitFrontmatter(bytes, start);
  if ("fault" in split) return none;
  let line = 1;
  for (let i = start; i < split.bodyStart; i++) if (bytes[i] === 0x0a) line++;
  return edgesOf(skill, bytes.toString("utf8", split.bodyStart), index, line, { explain });
}
