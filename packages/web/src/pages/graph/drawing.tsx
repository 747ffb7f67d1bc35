import { useMemo } from "preact/hooks";
import { ErrorBoundary, lazy } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { plural } from "../../parts/look/words.tsx";
import { Empty, Loading } from "../../parts/state/states.tsx";
import { type EdgeType, edgeKey, type Outline, type Part } from "./edge-kinds.tsx";
import { EdgeNote, MissingNote } from "./edge-note.tsx";
import { missingKey } from "./layered/lay-out.ts";
import { LayeredView } from "./layered/layered-view.tsx";
import "./layered/layered.css";

/** Only a large graph needs it. */
const WholeView = lazy(async () => (await import("./whole/whole-view.tsx")).WholeView);

const canDrawMany = (): boolean => {
  const canvas = document.createElement("canvas");
  return (canvas.getContext("webgl2") ?? canvas.getContext("webgl")) !== null;
};

interface Props {
  readonly whole: Outline;
  readonly around: Part | undefined;
  readonly isInLayers: boolean;
  readonly hidden: ReadonlySet<EdgeType>;
  readonly marked: string | null;
  readonly text: string;
  readonly addressOf: (id: string) => string;
  readonly go: (id: string) => void;
  readonly onMark: (key: string | null) => void;
}

/** The drawing with the reason of the edge that is marked. */
export function Drawing({ whole, around, isInLayers, hidden, marked, text, addressOf, go, onMark }: Props) {
  const canDraw = useMemo(canDrawMany, []);
  if (!isInLayers)
    return canDraw ? (
      <ErrorBoundary>
        <WholeView {...{ outline: whole, hidden, marked, text, onMark }} onOpen={go} />
        <WholeNote whole={whole} marked={marked} />
      </ErrorBoundary>
    ) : (
      <Empty
        icon="graph"
        title="This browser has no WebGL, which drawing the whole graph needs. The list has the same skills; open one to draw what is around it."
      />
    );
  if (!around) return <Loading rows={8} />;
  return (
    <>
      <LayeredView part={around} {...{ hidden, marked, addressOf, onMark }} />
      {around.left_out > 0 && (
        <p class="graph-cut small quiet">
          {plural(around.left_out, "skill")} further away {around.left_out === 1 ? "is" : "are"} not drawn.
        </p>
      )}
      <PartNote part={around} marked={marked} />
    </>
  );
}

function PartNote({ part, marked }: { readonly part: Part; readonly marked: string | null }) {
  const nameOf = (id: string): string => part.nodes.find((node) => node.id === id)?.name ?? id;
  const edge = part.edges.find((one) => edgeKey(one) === marked);
  const missing = part.missing.find((one) => missingKey(one) === marked);
  if (edge) return <EdgeNote edge={edge} nameOf={nameOf} />;
  return missing ? <MissingNote missing={missing} nameOf={nameOf} /> : null;
}

/** The outline has no sentences; those of the skill whose edge is marked are fetched. */
function WholeNote({ whole, marked }: { readonly whole: Outline; readonly marked: string | null }) {
  const missing = whole.missing.find(
    ({ from, name }) => missingKey({ from: whole.nodes[from]?.id ?? "", name }) === marked,
  );
  const start = marked?.includes(" ") && !marked.startsWith("cycle ") ? marked.split(" ")[0] : undefined;
  const part = useResource(start && !missing ? "/api/graph/part" : null, {
    query: { around: start ?? "", limit: 300 },
  });
  const nameOf = (id: string): string => whole.nodes.find((node) => node.id === id)?.name ?? id;
  if (missing)
    return (
      <MissingNote missing={{ ...missing, from: whole.nodes[missing.from]?.id ?? "" }} nameOf={nameOf} />
    );
  const edge = part.data?.edges.find((one) => edgeKey(one) === marked);
  return edge ? <EdgeNote edge={edge} nameOf={nameOf} /> : null;
}
