import { count } from "../../parts/look/words.tsx";
import { EDGE_WORDS } from "../../parts/skill/skill-words.ts";
import { EDGE_TYPES, type EdgeType, LineMark } from "./edge-kinds.tsx";

/** What the lines mean, and which of them are shown. */
export function Legend({
  edges,
  hidden,
  onToggle,
}: {
  readonly edges: readonly { readonly type: EdgeType; readonly cycle: boolean }[];
  readonly hidden: ReadonlySet<EdgeType>;
  readonly onToggle: (type: EdgeType) => void;
}) {
  const hasCycle = edges.some(({ cycle }) => cycle);
  return (
    <div class="legend" role="group" aria-label="Edges that are shown">
      {EDGE_TYPES.map((type) => (
        <button
          key={type}
          type="button"
          class="legend-type small"
          aria-pressed={!hidden.has(type)}
          onClick={() => onToggle(type)}
        >
          <LineMark type={type} />
          {EDGE_WORDS[type]}
          <span class="quiet">{count(edges.filter((edge) => edge.type === type).length)}</span>
        </button>
      ))}
      {hasCycle && (
        <span class="legend-note small">
          <LineMark type="requires_now" cycle />
          In a cycle
        </span>
      )}
    </div>
  );
}
