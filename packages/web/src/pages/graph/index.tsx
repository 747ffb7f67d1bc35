import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ApiError } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { List } from "../../parts/list.tsx";
import { Badge, Button, Command, count, Icon, Key, Marks, plural } from "../../parts/look.tsx";
import { PageHead, useTitle } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { EDGE_WORDS, NoSkills, skillPath } from "../../parts/skill.tsx";
import { Empty, Failed, Loaded } from "../../parts/states.tsx";
import { Drawing, LineMark, mark, marked, useGraphAddress } from "./drawing.tsx";
import { EDGE_TYPES, type EdgeType, type GraphRow, type Outline, rowsAround, rowsOfWhole } from "./model.ts";
import "./graph.css";

/** More skills with edges are only listed: a drawing of them shows nothing. */
const MOST = 400;
/** Boxes around a skill; the rest is counted. */
const MOST_AROUND = 120;
const DEPTHS = [1, 2, 3] as const;
const stepWord = (depth: number): string => (depth === 1 ? "step" : "steps");

export function Page() {
  useTitle("Graph");
  return (
    <div class="page-full column page-graph">
      <Loaded of={useResource("/api/graph/outline", {})} rows={10}>
        {(whole) =>
          whole.nodes.length === 0 ? (
            <div class="page">
              <PageHead title="Graph" />
              <NoSkills />
            </div>
          ) : (
            <GraphView whole={whole} />
          )
        }
      </Loaded>
    </div>
  );
}

function GraphView({ whole }: { whole: Outline }) {
  const { focus, depth, hidden, go, setDepth } = useGraphAddress();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const connected = useMemo(() => countConnected(whole), [whole]);
  const isDrawn = focus !== "" || (connected > 0 && connected <= MOST);
  const part = useResource(
    isDrawn ? "/api/graph/part" : null,
    { query: focus === "" ? { limit: MOST } : { around: focus, depth, limit: MOST_AROUND } },
    { keepPrevious: true },
  );
  const around = isDrawn ? part.data : undefined;

  useEffect(() => {
    setText("");
    mark(null);
  }, [focus]);
  const rows = useMemo(() => {
    if (text.trim() !== "") return rowsOfWhole(whole, text);
    if (around && around.focus !== null) return rowsAround(around, hidden);
    const all = rowsOfWhole(whole);
    if (!around) return all;
    // The edges come after what is wrong and before the skills.
    const skills = all.findIndex(({ key }) => key.startsWith("# Skills"));
    return [...all.slice(0, skills), ...rowsAround({ ...around, missing: [] }, hidden), ...all.slice(skills)];
  }, [whole, around, text, [...hidden].join()]);

  const pressInField = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter" && text.trim() !== "") {
      const targets = rows.filter(({ other }) => other !== undefined);
      const target = targets.find(({ key }) => key === marked.value) ?? targets[0];
      if (target?.other) go(target.other);
    } else if (event.key === "Escape" && text !== "") setText("");
    else if (event.key === "ArrowDown") {
      mark(rows.find(({ other }) => other !== undefined)?.key ?? null);
      side.current?.querySelector<HTMLElement>(".list")?.focus();
    } else return;
    event.preventDefault();
  };
  useShortcuts("Graph", [
    { keys: "f", words: "Find a skill in the graph", run: () => field.current?.select() },
    { keys: "w", words: "Show the whole graph", run: () => go("") },
    ...(focus === "" ? [] : DEPTHS).map((steps) => ({
      keys: String(steps),
      words: `Show ${steps} ${stepWord(steps)} around the skill`,
      run: () => setDepth(steps),
    })),
    { keys: "j", words: "Next row of the list" },
    { keys: "k", words: "Previous row" },
    { keys: "Enter", words: "Show what is around the skill" },
  ]);

  const middle = around?.nodes.find(({ id }) => id === around.focus);
  return (
    <>
      <Head outline={whole} focus={focus === "" ? undefined : middle}>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label="Find a skill in the graph"
            placeholder="Find a skill"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={pressInField}
          />
          {text === "" && <Key>f</Key>}
        </div>
      </Head>
      {part.error && !around ? (
        <NoFocus error={part.error} onRetry={part.reload} />
      ) : (
        <div class="graph-body split">
          <div class="graph-drawing column">
            {isDrawn ? (
              <>
                <Legend edges={around?.edges ?? whole.edges} />
                <Loaded of={part} rows={8}>
                  {(data) => <Drawing part={data} />}
                </Loaded>
              </>
            ) : connected === 0 ? (
              <NoEdges />
            ) : (
              <Empty
                icon="graph"
                title={`${plural(connected, "skill")} have edges, too many to draw at once. Choose one in the list to draw what is around it.`}
              />
            )}
          </div>
          <div class="graph-side column" ref={side}>
            <SideList rows={rows} found={text.trim()} />
            {rows.length === 0 && (
              <p class="graph-nothing quiet">
                {text.trim() === "" ? "No edge is shown here." : "No skill has this in its name."}
              </p>
            )}
          </div>
        </div>
      )}
    </>
  );
}

function countConnected({ edges, missing }: Outline): number {
  return new Set([...edges.flatMap(({ from, to }) => [from, to]), ...missing.map(({ from }) => from)]).size;
}

interface HeadProps {
  readonly outline: Outline;
  readonly focus: { readonly id: string; readonly name: string } | undefined;
  readonly children: ComponentChildren;
}

function Head({ outline, focus, children }: HeadProps) {
  const { depth, setDepth, go } = useGraphAddress();
  return (
    <div class="page-bar row wrap">
      <div class="graph-title row">
        <h1 tabIndex={-1}>Graph</h1>
        {focus ? (
          <p class="row clip">
            <span class="quiet">around</span>
            <a class="mono clip" href={skillPath(focus.id)} title="Open the skill">
              <bdi>{focus.name}</bdi>
            </a>
          </p>
        ) : (
          <p class="quiet small clip">{summary(outline)}</p>
        )}
      </div>
      {children}
      {focus && (
        <>
          <div class="choices" role="group" aria-label="How many steps around it">
            {DEPTHS.map((one) => (
              <button
                key={one}
                type="button"
                class="pick"
                aria-pressed={one === depth}
                onClick={() => setDepth(one)}
              >
                {one}
                <span class="wide-only"> {stepWord(one)}</span>
              </button>
            ))}
          </div>
          <Button
            icon="graph"
            aria-label="Show the whole"
            words={<span class="wide-only">Show the whole</span>}
            onClick={() => go("")}
          />
        </>
      )}
    </div>
  );
}

function summary({ nodes, edges, cycles, missing }: Outline): string {
  const faults = [
    ...(cycles.length > 0 ? [plural(cycles.length, "cycle")] : []),
    ...(missing.length > 0 ? [plural(missing.length, "unresolved reference")] : []),
  ];
  return [plural(nodes.length, "skill"), plural(edges.length, "edge"), ...faults].join(", ");
}

function Legend({ edges }: { edges: readonly { readonly type: EdgeType; readonly cycle: boolean }[] }) {
  const { hidden, toggle } = useGraphAddress();
  return (
    <div class="legend row wrap" role="group" aria-label="Edges that are shown">
      {EDGE_TYPES.map((type) => (
        <Button
          key={type}
          words={
            <>
              <LineMark type={type} />
              {EDGE_WORDS[type]}
              <span class="quiet">{count(edges.filter((edge) => edge.type === type).length)}</span>
            </>
          }
          small
          look="quiet"
          aria-pressed={!hidden.has(type)}
          onClick={() => toggle(type)}
        />
      ))}
      {edges.some(({ cycle }) => cycle) && (
        <span class="row small">
          <LineMark type="requires_now" cycle />
          In a cycle
        </span>
      )}
    </div>
  );
}

/** The same as the drawing, as a list. Choosing a row marks it in the drawing; Enter or a click on its name goes there. */
function SideList({ rows, found }: { rows: readonly GraphRow[]; found: string }) {
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

function NoEdges() {
  return (
    <Empty icon="graph" title="No skill names another one yet. Write which skill comes next into a SKILL.md:">
      <Command text="REQUIRED SUB-SKILL: Use code-review." />
      <p class="small">The page draws the edge as soon as the file is saved.</p>
    </Empty>
  );
}

/** The skill of the address cannot be shown; it may have another name, or several have it. */
function NoFocus({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { addressOf } = useGraphAddress();
  return (
    <div class="page">
      <Failed error={error} onRetry={onRetry} />
      <ul class="stack">
        {error.candidates.map((one) => (
          <li key={one}>
            <a class="mono" href={addressOf(one)}>
              {one}
            </a>
          </li>
        ))}
        <li>
          <a href={addressOf("")}>Show the whole graph</a>
        </li>
      </ul>
    </div>
  );
}
