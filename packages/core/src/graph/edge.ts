/** What one skill's text says of another, the strongest first. Only `requires_now` ever runs by itself. */
export const EDGE_TYPES = ["requires_now", "requires_later", "reference_only"] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** From one skill to another, by the text of one of them. */
export interface Edge {
  /** Names for people; the paths identify the skills. */
  readonly from: string;
  readonly to: string;
  readonly fromPath: string;
  /** `null` if the name means no skill, or several that are equally near. Such an edge never runs. */
  readonly toPath: string | null;
  readonly type: EdgeType;
  /** One of several options in the text: none of them runs by itself. */
  readonly alternative: boolean;
  /** Line in the `SKILL.md` that has the reference. */
  readonly line: number;
  /** The sentence, cut if it is long. */
  readonly text: string;
  /** Only if an explanation was requested. */
  readonly reason?: EdgeReason;
}

export interface ExplainOption {
  /** Whether edges have an explanation. */
  readonly explain?: boolean;
}

/** Why an edge exists. */
export interface EdgeReason {
  /** The form of the name, then the ids of the rules that decided. */
  readonly rules: readonly string[];
  /** The whole sentence, up to 2,000 characters. */
  readonly sentence: string;
  /** The `SKILL.md` that has the reference. */
  readonly file: string;
}

/** A reference that clearly means a skill which does not exist. */
export interface Dangling {
  readonly from: string;
  readonly name: string;
  readonly line: number;
}

export interface SkillEdges {
  readonly edges: readonly Edge[];
  readonly dangling: readonly Dangling[];
}

export interface SkillGraph extends SkillEdges {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly path: string }[];
  /** Names, each of which requires the next now, and the last requires the first. */
  readonly cycles: readonly (readonly string[])[];
}

function weakness({ type, alternative }: Edge): number {
  return EDGE_TYPES.indexOf(type) * 2 + (alternative ? 1 : 0);
}

/** The strongest of several mentions of one skill counts; among equals, one without alternatives. */
export function keepStrongest(edges: Map<string, Edge>, edge: Edge): void {
  const key = `${edge.fromPath}\n${edge.toPath ?? edge.to}`;
  const known = edges.get(key);
  if (!known || weakness(edge) < weakness(known)) edges.set(key, edge);
}
