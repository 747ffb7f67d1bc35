import { List } from "../../parts/list.tsx";
import { Badge, plural } from "../../parts/look.tsx";
import { Marks } from "../../parts/marks.tsx";
import { EDGE_WORDS } from "../../parts/skill.tsx";
import { LineMark } from "./drawing.tsx";
import type { GraphRow } from "./model.ts";

interface SideListProps {
  readonly rows: readonly GraphRow[];
  readonly marked: string | null;
  readonly onMark: (key: string) => void;
  readonly onOpen: (id: string) => void;
  /** Words to mark in names. */
  readonly found: string;
}

/** The same as the drawing, as a list. Choosing a row marks it in the drawing; Enter or a click on its name goes there. */
export function SideList({ rows, marked, onMark, onOpen, found }: SideListProps) {
  return (
    <List
      label="Skills and edges"
      items={rows}
      keyOf={({ key }) => key}
      height={heightOf}
      isHeading={(row) => "heading" in row}
      chosen={marked}
      onChoose={onMark}
      onOpen={(row) => "other" in row && onOpen(row.other)}
      row={(row) => <Line row={row} found={found} onOpen={onOpen} />}
    />
  );
}

const heightOf = (row: GraphRow): number => ("heading" in row ? 40 : "edge" in row ? 56 : 36);

function Line({ row, found, onOpen }: { row: GraphRow; found: string; onOpen: (id: string) => void }) {
  if ("heading" in row) return <h2 class="side-heading row small quiet">{row.heading}</h2>;
  const go = (words: string) => (
    <button type="button" tabIndex={-1} class="side-name pick clip" onClick={() => onOpen(row.other)}>
      <span class="mono">
        <bdi>
          <Marks text={words} words={found === "" ? [] : [found]} />
        </bdi>
      </span>
    </button>
  );
  if ("edge" in row) {
    const { type, cycle, alternative, sentence } = row.edge;
    return (
      <div class="side-edge">
        <div class="row">
          <LineMark type={type} cycle={cycle} />
          {go(row.name)}
        </div>
        <p class="small quiet clip">
          {EDGE_WORDS[type]}
          {cycle && ", cycle"}
          {alternative && ", one of several"}
          {" · "}
          <bdi>{sentence}</bdi>
        </p>
      </div>
    );
  }
  if ("missing" in row)
    return (
      <div class="row side-line">
        <Badge means="failed" icon="alert" words={row.missing.why === "none" ? "Missing" : "Several"} />
        {go(row.name)}
        <span class="push nowrap small quiet">line {row.missing.line}</span>
      </div>
    );
  if ("cycle" in row)
    return (
      <div class="row side-line">
        <Badge means="failed" icon="refresh" words="Cycle" />
        {go([...row.cycle, row.cycle[0] ?? ""].join(" → "))}
      </div>
    );
  const facts = [...(row.out > 0 ? [`${row.out} out`] : []), ...(row.in > 0 ? [`${row.in} in`] : [])];
  return (
    <div class="row side-line" title={`${plural(row.out, "edge")} out, ${plural(row.in, "edge")} in`}>
      {go(row.skill)}
      <span class="push nowrap small quiet">{facts.join(" · ")}</span>
    </div>
  );
}
