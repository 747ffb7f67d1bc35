import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../../../parts/look/icon.tsx";
import { type EdgeType, edgeKey, type Part } from "../edge-kinds.tsx";
import { type Box, layOut } from "./lay-out.ts";
import { stepFrom } from "./step-from.ts";

/** Names stay legible. */
const SMALLEST = 0.75;

/** A drawing in layers. Boxes are links; arrows move between them. The list beside it says the same. */
export function LayeredView({
  part,
  hidden,
  marked,
  addressOf,
  onMark,
}: {
  readonly part: Part;
  readonly hidden: ReadonlySet<EdgeType>;
  /** The edge, or the box, that is marked here and in the list. */
  readonly marked: string | null;
  readonly addressOf: (id: string) => string;
  readonly onMark: (key: string | null) => void;
}) {
  const drawn = useMemo(() => layOut(part), [part]);
  const kinds = useMemo(() => new Map(part.edges.map((edge) => [edgeKey(edge), edge])), [part]);
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  const [current, setCurrent] = useState(part.focus ?? part.nodes[0]?.id ?? "");
  const first = drawn.boxes.some(({ id }) => id === current) ? current : (drawn.boxes[0]?.id ?? "");

  // A drawing that is a little too wide is made smaller; a larger one scrolls.
  useLayoutEffect(() => {
    const view = box.current;
    if (!view) return;
    const fit = (): void => setScale(Math.min(1, Math.max(SMALLEST, view.clientWidth / drawn.width)));
    const watch = new ResizeObserver(fit);
    watch.observe(view);
    fit();
    return () => watch.disconnect();
  }, [drawn]);

  // The skill in focus stands in the middle of what can be seen.
  useEffect(() => {
    const view = box.current;
    const middle = drawn.boxes.find(({ isFocus }) => isFocus);
    if (!view || !middle) return;
    view.scrollTo({
      left: (middle.x + middle.width / 2) * scale - view.clientWidth / 2,
      top: (middle.y + middle.height / 2) * scale - view.clientHeight / 2,
    });
    setCurrent(middle.id);
  }, [part.focus, drawn, scale]);

  const press = (event: KeyboardEvent): void => {
    const next = stepFrom(drawn.boxes, first, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
  };
  const hover = (key: string) => ({ onMouseEnter: () => onMark(key), onMouseLeave: () => onMark(null) });
  const lines = drawn.lines.filter(({ key }) => !hidden.has(kinds.get(key)?.type ?? ("" as EdgeType)));
  return (
    <div class="layered" ref={box} role="group" aria-label="Drawing" onKeyDown={press}>
      <div
        class="layered-canvas"
        style={{ width: `${drawn.width}px`, height: `${drawn.height}px`, zoom: String(scale) }}
      >
        <svg width={drawn.width} height={drawn.height} aria-hidden="true">
          {lines.map(({ key, from, to, path }) => {
            const edge = kinds.get(key);
            const kind = edge ? (edge.cycle ? "cycle" : edge.type) : "missing";
            const isMarked = marked === key || marked === from || marked === to;
            return (
              <g
                key={key}
                class={`edge edge-${kind} ${isMarked ? "edge-marked" : marked ? "edge-dim" : ""}`}
                data-edge={key}
                {...hover(key)}
              >
                <path class="edge-hit" d={path} />
                <path class="edge-line" d={path} marker-end={`url(#head-${kind})`} />
              </g>
            );
          })}
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
        </svg>
        {drawn.boxes.map((one) => (
          <Node
            key={one.id}
            box={one}
            isFirst={one.id === first}
            isMarked={marked === one.id}
            href={addressOf(one.id)}
            onMark={onMark}
            onFocus={() => setCurrent(one.id)}
          />
        ))}
      </div>
    </div>
  );
}

const WHY = { none: "Missing", several: "Several" } as const;
const WHY_TITLE = {
  none: "There is no skill of this name",
  several: "Several skills have this name, and none is nearer",
} as const;

function Node({
  box,
  isFirst,
  isMarked,
  href,
  onMark,
  onFocus,
}: {
  readonly box: Box;
  readonly isFirst: boolean;
  readonly isMarked: boolean;
  readonly href: string;
  readonly onMark: (key: string | null) => void;
  readonly onFocus: () => void;
}) {
  const { id, name, kind, hidden, isFocus, inCycle, x, y, width, height } = box;
  const all = {
    class: `node node-${kind} ${isFocus ? "node-focus" : ""} ${isMarked ? "node-marked" : ""}`,
    style: { transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${height}px` },
    "data-node": id,
    tabIndex: isFirst ? 0 : -1,
    onMouseEnter: () => onMark(id),
    onMouseLeave: () => onMark(null),
    onFocus: () => {
      onFocus();
      onMark(id);
    },
    onBlur: () => onMark(null),
  };
  if (kind !== "skill")
    return (
      <span {...all} role="note" title={WHY_TITLE[kind]}>
        <Icon name="alert" size={14} />
        <span class="mono clip">
          <bdi>{name}</bdi>
        </span>
        <span class="node-word">{WHY[kind]}</span>
      </span>
    );
  return (
    <a {...all} href={href} aria-current={isFocus ? "true" : undefined} title={name}>
      <span class="mono clip">
        <bdi>{name}</bdi>
      </span>
      {inCycle && (
        <span class="node-word node-cycle">
          <Icon name="refresh" size={12} />
          Cycle
        </span>
      )}
      {hidden > 0 && (
        <span class="node-more" title={`${hidden} more edges lead elsewhere`}>
          +{hidden}
          <span class="hidden-name"> more</span>
        </span>
      )}
    </a>
  );
}
