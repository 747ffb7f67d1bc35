import { useLocation } from "preact-iso";
import { EDGE_TYPES, type EdgeType } from "./edge-kinds.tsx";

/** What the address says: the skill in the middle, how far around it, which edges are hidden. */
export interface GraphAddress {
  /** An id or a name; "" shows the whole. */
  readonly focus: string;
  readonly depth: number;
  readonly hidden: ReadonlySet<EdgeType>;
  readonly addressOf: (focus: string) => string;
  readonly go: (focus: string) => void;
  readonly setDepth: (depth: number) => void;
  readonly toggle: (type: EdgeType) => void;
}

export function useGraphAddress(): GraphAddress {
  const { query, route } = useLocation();
  const depth = /^[123]$/.test(query.depth ?? "") ? Number(query.depth) : 1;
  const hidden = new Set(EDGE_TYPES.filter((type) => (query.hide ?? "").split(",").includes(type)));
  const focus = query.focus ?? "";
  const write = (next: { focus: string; depth: number; hidden: ReadonlySet<EdgeType> }): string => {
    const search = new URLSearchParams();
    if (next.focus !== "") search.set("focus", next.focus);
    if (next.focus !== "" && next.depth !== 1) search.set("depth", String(next.depth));
    if (next.hidden.size > 0) search.set("hide", [...next.hidden].join(","));
    const text = search.toString();
    return text === "" ? "/graph" : `/graph?${text}`;
  };
  const addressOf = (next: string): string => write({ focus: next, depth, hidden });
  return {
    focus,
    depth,
    hidden,
    addressOf,
    go: (next) => route(addressOf(next)),
    setDepth: (next) => route(write({ focus, depth: next, hidden }), true),
    toggle: (type) => {
      const changed = new Set(hidden);
      if (!changed.delete(type)) changed.add(type);
      route(write({ focus, depth, hidden: changed }), true);
    },
  };
}
