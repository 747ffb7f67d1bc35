import { readSkillBytes } from "../catalog/scan/skill-file.ts";
import { lineAt, splitFrontmatter } from "../skill/frontmatter.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./extract/edge.ts";
import { edgesOf } from "./extract/read-edges.ts";
import type { SkillIndex } from "./extract/skill-index.ts";

/** The edges of one skill of a catalog, read from its file now; with `explain`, with their reasons. */
export function readEdges(
  source: string,
  skill: SkillMetadata,
  index: SkillIndex,
  explain = false,
): SkillEdges {
  const none: SkillEdges = { edges: [], dangling: [] };
  const content = readSkillBytes(source);
  if ("fault" in content) return none;
  const { bytes } = content;
  const split = splitFrontmatter(bytes);
  if ("fault" in split) return none;
  const line = lineAt(bytes, split.bodyStart);
  return edgesOf(skill, bytes.toString("utf8", split.bodyStart), index, line, { explain });
}
