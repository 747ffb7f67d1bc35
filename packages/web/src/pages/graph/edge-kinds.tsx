import type { Answer } from "../../api/client.ts";

export type Part = Answer<"/api/graph/part">;
export type PartEdge = Part["edges"][number];
export type Outline = Answer<"/api/graph/outline">;
export type EdgeType = PartEdge["type"];

export const EDGE_TYPES: readonly EdgeType[] = ["requires_now", "requires_later", "reference_only"];

export const edgeKey = ({ from, to }: Pick<PartEdge, "from" | "to">): string => `${from} ${to}`;

/** A piece of the line of a kind: each has its own stroke, so that colour is not needed. */
export function LineMark({ type, cycle }: { readonly type: EdgeType; readonly cycle?: boolean }) {
  return (
    <svg class={`line-mark edge-${cycle ? "cycle" : type}`} width="28" height="10" aria-hidden="true">
      <path d="M1 5H20" />
      {type !== "reference_only" && <path class="line-head" d="M19 1 27 5 19 9Z" />}
      {type === "reference_only" && <path d="M20 5H27" />}
    </svg>
  );
}
