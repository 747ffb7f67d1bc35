import { Icon } from "../../parts/look/icon.tsx";
import { EDGE_WORDS } from "../../parts/skill/skill-words.ts";
import { LineMark, type Part, type PartEdge } from "./edge-kinds.tsx";

/** Why an edge is there: the sentence, its line, the rules that decided. */
export function EdgeNote({
  edge,
  nameOf,
}: {
  readonly edge: PartEdge;
  readonly nameOf: (id: string) => string;
}) {
  const { from, to, type, alternative, cycle, line, sentence, rules } = edge;
  return (
    <div class="edge-note" role="status">
      <p class="edge-note-head">
        <span class="mono">
          <bdi>{nameOf(from)}</bdi>
        </span>
        <LineMark type={type} cycle={cycle} />
        <span class="mono">
          <bdi>{nameOf(to)}</bdi>
        </span>
        <b>{EDGE_WORDS[type]}</b>
        {cycle && <span>in a cycle: a dispatch refuses to enter a skill again</span>}
        {alternative && <span>one of several, so it never runs by itself</span>}
      </p>
      <p class="edge-note-sentence">
        <span class="quiet">Line {line}: </span>
        <bdi>{sentence}</bdi>
      </p>
      {rules.length > 0 && (
        <p class="small quiet">
          {rules.length === 1 ? "Rule" : "Rules"}: <span class="mono">{rules.join(", ")}</span>
        </p>
      )}
    </div>
  );
}

/** Why a reference leads nowhere. */
export function MissingNote({
  missing: { from, name, line, why },
  nameOf,
}: {
  readonly missing: Part["missing"][number];
  readonly nameOf: (id: string) => string;
}) {
  return (
    <div class="edge-note" role="status">
      <p class="edge-note-head edge-note-missing">
        <Icon name="alert" />
        <span class="mono">
          <bdi>{name}</bdi>
        </span>
        <b>{why === "none" ? "Missing" : "Several"}</b>
      </p>
      <p>
        Line {line} of{" "}
        <span class="mono">
          <bdi>{nameOf(from)}</bdi>
        </span>
        {why === "none"
          ? " names it, but there is no such skill. Add it, or correct the name."
          : " names it, but several skills have this name and none is nearer. Rename one of them."}
      </p>
    </div>
  );
}
