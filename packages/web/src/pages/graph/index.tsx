import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { connection } from "../../api/events.ts";
import { useResource } from "../../api/resource.ts";
import { useShortcuts } from "../../parts/page/shortcuts.ts";
import { useTitle } from "../../parts/page/title.tsx";
import { GoneNote } from "../../parts/state/gone.tsx";
import { Failed, Loading, Stale } from "../../parts/state/states.tsx";
import { Drawing } from "./drawing.tsx";
import type { Outline } from "./edge-kinds.tsx";
import { Head } from "./head.tsx";
import { Legend } from "./legend.tsx";
import { NoEdges, NoFocus, NoSkills } from "./no-graph.tsx";
import { rowsAround, rowsOfWhole } from "./side/rows.ts";
import { SideList } from "./side/side-list.tsx";
import { useGraphAddress } from "./use-graph-address.ts";
import "./graph.css";
import "./side/side.css";

/** Up to this many skills are legible as boxes in layers; more are dots. */
const FEW = 40;
/** Boxes around a skill; the rest is counted. */
const MOST = 120;

export function Page() {
  useTitle("Graph");
  const { focus, depth, hidden, addressOf, go, setDepth, toggle } = useGraphAddress();
  const [text, setText] = useState("");
  const [marked, setMarked] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const outline = useResource("/api/graph/outline", {}, { reloadOn: ["catalog"] });
  const connected = useMemo(() => (outline.data ? countConnected(outline.data) : 0), [outline.data]);
  const isDrawnInLayers = focus !== "" || (connected > 0 && connected <= FEW);
  const part = useResource(
    isDrawnInLayers ? "/api/graph/part" : null,
    { query: focus === "" ? { limit: FEW } : { around: focus, depth, limit: MOST } },
    { reloadOn: ["catalog"], keepPrevious: true },
  );
  const { data: whole } = outline;
  const around = isDrawnInLayers ? part.data : undefined;

  useEffect(() => {
    setText("");
    setMarked(null);
  }, [focus]);
  const rows = useMemo(() => {
    if (text.trim() !== "" && whole) return rowsOfWhole(whole, text);
    if (around && around.focus !== null) return rowsAround(around, hidden);
    if (!whole) return [];
    const all = rowsOfWhole(whole);
    if (!around) return all;
    const skills = all.findIndex((row) => "skill" in row) - 1;
    return [...all.slice(0, skills), ...rowsAround({ ...around, missing: [] }, hidden), ...all.slice(skills)];
  }, [whole, around, text, [...hidden].join()]);

  const openFirst = (): void => {
    const first =
      rows.find((row) => row.key === marked && "other" in row) ?? rows.find((row) => "other" in row);
    if (first && "other" in first) go(first.other);
  };
  const pressInField = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter" && text.trim() !== "") openFirst();
    else if (event.key === "Escape" && text !== "") setText("");
    else if (event.key === "ArrowDown") {
      setMarked(rows.find((row) => !("heading" in row))?.key ?? null);
      side.current?.querySelector<HTMLElement>(".list")?.focus();
    } else return;
    event.preventDefault();
  };
  useShortcuts("Graph", [
    { keys: "f", words: "Find a skill in the graph", run: () => field.current?.select() },
    { keys: "w", words: "Show the whole graph", run: () => go("") },
    ...(focus === ""
      ? []
      : [1, 2, 3].map((steps) => ({
          keys: String(steps),
          words: `Show ${steps} ${steps === 1 ? "step" : "steps"} around the skill`,
          run: () => setDepth(steps),
        }))),
    { keys: "j", words: "Next row of the list" },
    { keys: "k", words: "Previous row" },
    { keys: "Enter", words: "Show what is around the skill" },
  ]);

  const shown = focus === "" ? outline : part;
  if (!whole)
    return (
      <div class="page">
        {outline.error ? <Failed error={outline.error} onRetry={outline.reload} /> : <Loading rows={10} />}
      </div>
    );
  if (whole.nodes.length === 0) return <NoSkills />;
  const middle = around?.nodes.find(({ id }) => id === around.focus);
  const isGone = connection.value.state === "gone";
  const failure = isGone ? undefined : shown.error;
  return (
    <div class="page-full graph">
      <Head
        {...{ outline: whole, focus: focus === "" ? undefined : middle, depth, text, field }}
        onText={setText}
        onKey={pressInField}
        onDepth={setDepth}
        onWhole={() => go("")}
      />
      <GoneNote />
      {failure && shown.at && <Stale at={shown.at} error={failure} />}
      {part.error && !around ? (
        <NoFocus error={part.error} onRetry={part.reload} addressOf={addressOf} />
      ) : (
        <div class={`graph-body ${failure || isGone ? "is-stale" : ""}`}>
          <div class="graph-drawing">
            {connected === 0 && focus === "" ? (
              <NoEdges />
            ) : (
              <>
                <Legend edges={around?.edges ?? whole.edges} hidden={hidden} onToggle={toggle} />
                <Drawing
                  {...{ whole, around, hidden, marked, addressOf, go, text }}
                  isInLayers={isDrawnInLayers}
                  onMark={setMarked}
                />
              </>
            )}
          </div>
          <div class="graph-side" ref={side}>
            <SideList
              rows={rows}
              label="Skills and edges"
              marked={marked}
              onMark={setMarked}
              onOpen={go}
              found={text.trim()}
            />
            {rows.length === 0 && (
              <p class="graph-nothing quiet">
                {text.trim() === "" ? "No edge is shown here." : "No skill has this in its name."}
              </p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

function countConnected({ edges, missing }: Outline): number {
  return new Set([...edges.flatMap(({ from, to }) => [from, to]), ...missing.map(({ from }) => from)]).size;
}
