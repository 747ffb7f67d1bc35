import type { SkillMetadata } from "../../skill/schema.ts";
import type { Dangling, Edge, EdgeType, SkillEdges } from "./edge.ts";
import { keepStrongest } from "./keep-strongest.ts";
import { nearestSkill, type SkillIndex } from "./skill-index.ts";

const MAX_TEXT = 200;

/** The edges stated in `metadata`; `null` if there are none and the text is read. */
export function statedEdges(skill: SkillMetadata, index: SkillIndex, explain: boolean): SkillEdges | null {
  const { metadata = {} } = skill;
  if (metadata["requires-now"] === undefined && metadata["requires-later"] === undefined) return null;
  const edges = new Map<string, Edge>();
  const dangling: Dangling[] = [];
  const read = (key: string, type: EdgeType): void => {
    const text = `${key}: ${metadata[key]}`;
    const reason = explain
      ? { reason: { rules: [`metadata-${key}`], sentence: text, file: skill.path } }
      : {};
    for (const name of new Set((metadata[key] ?? "").split(/\s+/).filter((part) => part !== ""))) {
      const other = nearestSkill(index, name, skill);
      if (other === undefined) dangling.push({ from: skill.name, name, line: 1 });
      if (other?.path === skill.path) continue;
      keepStrongest(edges, {
        ...{ from: skill.name, to: other?.name ?? name, fromPath: skill.path, toPath: other?.path ?? null },
        ...{ type, alternative: false, line: 1, text: text.slice(0, MAX_TEXT), ...reason },
      });
    }
  };
  read("requires-now", "requires_now");
  read("requires-later", "requires_later");
  return { edges: [...edges.values()], dangling };
}
