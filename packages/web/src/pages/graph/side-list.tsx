import { List } from "../../parts/list.tsx";
import { Badge } from "../../parts/look.tsx";
import { Marks } from "../../parts/marks.tsx";
import { EDGE_WORDS } from "../../parts/skill.tsx";
import { LineMark, mark, marked, useGraphAddress } from "./drawing.tsx";
import type { GraphRow } from "./model.ts";

/** The same as the drawing, as a list. Choosing a row marks it in the drawing; Enter or a click on its name goes there. */
export function SideList({ rows, found }: { rows: readonly GraphRow[]; found: string }) {
  const { go } = useGraphAddress();
  return (
    <List
      label="Skills and edges"
      items={rows}
      keyOf={({ key }) => key}
      height={({ other, edge }) => (other === undefined ? 40 : edge ? 56 : 36)}
      isHeading={({ other }) => other === undefined}
      chosen={marked.value}
      onChoose={mark}
      onOpen={({ other }) => other && go(other)}
      row={(row) => <Line row={row} found={found} onOpen={go} />}
    />
  );
}

function Line({ row, found, onOpen }: { row: GraphRow; found: string; onOpen: (id: string) => void }) {
  const { name, other, edge, fault, note } = row;
  if (other === undefined) return <h2>{name}</h2>;
  return (
    <div class={edge ? "side-edge" : "side-line row"}>
      <div class="row fill">
        {edge && <LineMark type={edge.type} cycle={edge.cycle} />}
        {fault && <Badge means="failed" icon={fault === "Cycle" ? "refresh" : "alert"} words={fault} />}
        <button type="button" tabIndex={-1} class="side-name pick clip" onClick={() => onOpen(other)}>
          <span class="mono">
            <bdi>
              <Marks text={name} words={found === "" ? [] : [found]} />
            </bdi>
          </span>
        </button>
      </div>
      {note && <span class="nowrap small quiet">{note}</span>}
      {edge && (
        <p class="small quiet clip">
          {EDGE_WORDS[edge.type]}
          {edge.cycle && ", cycle"}
          {edge.alternative && ", one of several"}
          {" · "}
          <bdi>{edge.sentence}</bdi>
        </p>
      )}
    </div>
  );
}
