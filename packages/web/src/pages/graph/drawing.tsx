import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { boxStyle, Layers, type Placed, useFit } from "../../parts/layers.tsx";
import { Badge, Icon, plural } from "../../parts/look.tsx";
import { useQuery } from "../../parts/page.tsx";
import { EDGE_WORDS } from "../../parts/skill.tsx";
import {
  type Box,
  EDGE_TYPES,
  type EdgeType,
  edgeKey,
  type GraphPart,
  layOutPart,
  missingKey,
  stepFrom,
  WHY,
} from "./model.ts";

/** The edge, or the box, that is marked in the list and in the drawing. */
export const marked = signal<string | null>(null);

export const mark = (key: string | null): void => {
  marked.value = key;
};

/** What the address says: the skill in the middle ("" for the whole), how far around it, which edges are hidden. */
export function useGraphAddress() {
  const { route } = useLocation();
  const { query, address, change } = useQuery();
  const { focus = "", depth = "", hide = "" } = query;
  const hidden = new Set(EDGE_TYPES.filter((type) => hide.split(",").includes(type)));
  const addressOf = (id: string): string =>
    address("/graph", id === "" ? { focus: undefined, depth: undefined } : { focus: id });
  return {
    focus,
    depth: /^[123]$/.test(depth) ? Number(depth) : 1,
    hidden,
    addressOf,
    go: (id: string) => route(addressOf(id)),
    setDepth: (steps: number) => change({ depth: steps === 1 ? undefined : String(steps) }),
    toggle: (type: EdgeType) => {
      const next = EDGE_TYPES.filter((one) => hidden.has(one) !== (one === type));
      change({ hide: next.join(",") || undefined });
    },
  };
}

/** A drawing in layers. Boxes are links; arrows move between them. The list beside it says the same. */
export function Drawing({ part }: { part: GraphPart }) {
  const { hidden, addressOf } = useGraphAddress();
  const own = marked.value;
  const drawn = useMemo(() => layOutPart(part), [part]);
  const edges = useMemo(() => new Map(part.edges.map((edge) => [edgeKey(edge), edge])), [part]);
  const [view, scale] = useFit(drawn.width);
  const [current, setCurrent] = useState(part.focus ?? part.nodes[0]?.id ?? "");
  const first = drawn.boxes.some(({ id }) => id === current) ? current : (drawn.boxes[0]?.id ?? "");
  const boxOf = (id: string): HTMLElement | null | undefined =>
    view.current?.querySelector(`[data-node="${CSS.escape(id)}"]`);

  // The skill in focus stands in the middle of what can be seen.
  useEffect(() => {
    const middle = drawn.boxes.find(({ isFocus }) => isFocus);
    if (!view.current || !middle) return;
    view.current.scrollTo({
      left: (middle.x + middle.width / 2) * scale - view.current.clientWidth / 2,
      top: (middle.y + middle.height / 2) * scale - view.current.clientHeight / 2,
    });
    setCurrent(middle.id);
  }, [part.focus, drawn, scale]);
  // A row that is chosen in the list may belong to what stands outside of it.
  useEffect(() => {
    if (own === null || view.current?.matches(":hover")) return;
    boxOf(own.split(" ")[0] ?? "")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [own]);

  const press = (event: KeyboardEvent): void => {
    const next = stepFrom(drawn.boxes, first, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    boxOf(next)?.focus();
  };
  const lines = drawn.lines.map(({ from, to, path }) => {
    // A reference that leads nowhere has the key of its box.
    const edge = edges.get(edgeKey({ from, to }));
    if (edge && hidden.has(edge.type)) return null;
    const key = edge ? edgeKey(edge) : to;
    const kind = edge ? (edge.cycle ? "cycle" : edge.type) : "missing";
    const look = own === key || own === from || own === to ? "edge-marked" : own ? "edge-dim" : "";
    return (
      <g key={key} class={`edge edge-${kind} ${look}`} {...marksOnHover(key)}>
        <path class="edge-hit" d={path} />
        <path class="edge-line" d={path} marker-end={`url(#head-${kind})`} />
      </g>
    );
  });
  return (
    <>
      <Layers
        {...{ drawn, view, scale }}
        class="fill"
        role="group"
        aria-label="Drawing"
        onKeyDown={press}
        lines={
          <>
            {lines}
            <Heads />
          </>
        }
      >
        {drawn.boxes.map((box) => (
          <Node
            key={box.id}
            box={box}
            isFirst={box.id === first}
            href={addressOf(box.id)}
            onFocus={() => setCurrent(box.id)}
          />
        ))}
      </Layers>
      {part.left_out > 0 && (
        <p class="list-total small quiet">
          {plural(part.left_out, "skill")} further away {part.left_out === 1 ? "is" : "are"} not drawn.
        </p>
      )}
      <Note part={part} />
    </>
  );
}

const marksOnHover = (key: string) => ({ onMouseEnter: () => mark(key), onMouseLeave: () => mark(null) });

/** The heads of the arrows; a mention has none. */
function Heads() {
  return (
    <defs>
      {["requires_now", "requires_later", "cycle", "missing"].map((kind) => (
        <marker
          key={kind}
          id={`head-${kind}`}
          class={`edge-${kind}`}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path class="line-head" d="M0 0 10 5 0 10Z" />
        </marker>
      ))}
    </defs>
  );
}

/** A piece of the line of a kind: each has its own stroke, so that colour is not needed. */
export function LineMark({ type, cycle }: { type: EdgeType; cycle?: boolean }) {
  return (
    <svg class={`icon edge-${cycle ? "cycle" : type}`} width="28" height="10" aria-hidden="true">
      <path class="edge-line" d={type === "reference_only" ? "M1 5H27" : "M1 5H20"} />
      {type !== "reference_only" && <path class="line-head" d="M19 1 27 5 19 9Z" />}
    </svg>
  );
}

interface NodeProps {
  readonly box: Box & Placed;
  readonly isFirst: boolean;
  readonly href: string;
  readonly onFocus: () => void;
}

function Node({ box, isFirst, href, onFocus }: NodeProps) {
  const { id, name, kind, hidden, isFocus, inCycle } = box;
  const isMarked = marked.value === id;
  const all = {
    class: `node row pick node-${kind} ${isFocus ? "node-focus" : ""} ${isMarked ? "node-marked" : ""}`,
    style: boxStyle(box),
    "data-node": id,
    tabIndex: isFirst ? 0 : -1,
    ...marksOnHover(id),
    onFocus: () => {
      onFocus();
      mark(id);
    },
    onBlur: () => mark(null),
  };
  if (kind !== "skill")
    return (
      <span {...all} role="note" title={WHY[kind].title}>
        <Icon name="alert" size={14} />
        <Name of={name} />
        <span class="small">{WHY[kind].word}</span>
      </span>
    );
  return (
    <a {...all} href={href} aria-current={isFocus ? "true" : undefined} title={name}>
      <Name of={name} />
      {inCycle && <Badge means="failed" icon="refresh" words="Cycle" />}
      {hidden > 0 && (
        <Badge means="off" title={`${hidden} more edges lead elsewhere`} words={<More count={hidden} />} />
      )}
    </a>
  );
}

const More = ({ count }: { count: number }) => (
  <>
    +{count}
    <span class="hidden-name"> more</span>
  </>
);

/** A name of any script, which must not turn around what stands beside it. */
function Name({ of }: { of: string }) {
  return (
    <span class="mono clip">
      <bdi>{of}</bdi>
    </span>
  );
}

/** The reason of the edge, or of the name that means no skill, that is marked. */
function Note({ part }: { part: GraphPart }) {
  const nameOf = (id: string): string => part.nodes.find((node) => node.id === id)?.name ?? id;
  const edge = part.edges.find((one) => edgeKey(one) === marked.value);
  const missing = part.missing.find((one) => missingKey(one) === marked.value);
  if (edge)
    return (
      <NoteBox
        head={
          <>
            <Name of={nameOf(edge.from)} />
            <LineMark type={edge.type} cycle={edge.cycle} />
            <Name of={nameOf(edge.to)} />
            <b>{EDGE_WORDS[edge.type]}</b>
            {edge.cycle && <span>in a cycle: a dispatch refuses to enter a skill again</span>}
            {edge.alternative && <span>one of several, so it never runs by itself</span>}
          </>
        }
      >
        <p>
          <span class="quiet">Line {edge.line}: </span>
          <bdi>{edge.sentence}</bdi>
        </p>
        {edge.rules.length > 0 && (
          <p class="small quiet">
            {edge.rules.length === 1 ? "Rule" : "Rules"}: <span class="mono">{edge.rules.join(", ")}</span>
          </p>
        )}
      </NoteBox>
    );
  if (!missing) return null;
  return (
    <NoteBox
      head={
        <span class="row fault">
          <Icon name="alert" />
          <Name of={missing.name} />
          <b>{WHY[missing.why].word}</b>
        </span>
      }
    >
      <p>
        Line {missing.line} of <Name of={nameOf(missing.from)} />
        {missing.why === "none"
          ? " names it, but there is no such skill. Add it, or correct the name."
          : " names it, but several skills have this name and none is nearer. Rename one of them."}
      </p>
    </NoteBox>
  );
}

function NoteBox({ head, children }: { head: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="edge-note box" role="status">
      <p class="row wrap">{head}</p>
      {children}
    </div>
  );
}
