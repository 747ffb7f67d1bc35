/** What one skill's text says of another (document 000 §3). Only `requires_now` ever runs by itself. */
export const EDGE_TYPES = ["requires_now", "requires_later", "reference_only"] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** From one skill to another, by the text of one of them. */
export interface Edge {
  /** Names, as people read them; the paths say which skills are meant. */
  readonly from: string;
  readonly to: string;
  readonly fromPath: string;
  /** `null` where the name means no skill, or several that are equally near. Such an edge never runs. */
  readonly toPath: string | null;
  readonly type: EdgeType;
  /** One of several that the text offers: none of them runs by itself. */
  readonly alternative: boolean;
  /** Of the `SKILL.md` that says so. */
  readonly line: number;
  /** The sentence, cut where it is long. */
  readonly text: string;
  /** Only where an explanation was asked for. */
  readonly reason?: EdgeReason;
}

export interface ExplainOption {
  /** Whether edges carry what made them. */
  readonly explain?: boolean;
}

/** What made an edge. */
export interface EdgeReason {
  /** The form of the name, then the rules that decided, by their ids. */
  readonly rules: readonly string[];
  /** The whole sentence, up to 2,000 characters. */
  readonly sentence: string;
  /** The `SKILL.md` that says so. */
  readonly file: string;
}

/** A reference that clearly means a skill, and no such skill is there. */
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
  /** Names, each of which requires the next now, and the last the first. */
  readonly cycles: readonly (readonly string[])[];
}

const STRENGTH: Readonly<Record<EdgeType, number>> = {
  requires_now: 4,
  requires_later: 2,
  reference_only: 0,
};

/** Of several mentions of one skill the strongest counts; of equals one that leaves no choice. */
export function strength({ type, alternative }: Pick<Edge, "type" | "alternative">): number {
  return STRENGTH[type] + (alternative ? 0 : 1);
}
