import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type Sigma from "sigma";
import { Button } from "../../../parts/look/button.tsx";
import { plural } from "../../../parts/look/words.tsx";
import { theme } from "../../../parts/page/theme.ts";
import { useMedia } from "../../../parts/page/use-media.ts";
import type { EdgeType, Outline } from "../edge-kinds.tsx";
import { readColors } from "./colors.ts";
import { makeGraph, makeSigma } from "./make-sigma.ts";
import { type Shown, showIn } from "./show-in.ts";
import { drawableOf, useSettled } from "./use-settled.ts";
import "./whole.css";

/** All skills that have edges, as dots. Arrows and + and - move the view; a click shows what is around a skill. */
export function WholeView({
  outline,
  hidden,
  marked,
  text,
  onOpen,
  onMark,
}: {
  readonly outline: Outline;
  readonly hidden: ReadonlySet<EdgeType>;
  readonly marked: string | null;
  readonly text: string;
  readonly onOpen: (id: string) => void;
  readonly onMark: (key: string | null) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const sigma = useRef<Sigma>(null);
  const [isLost, setLost] = useState(false);
  const drawable = useMemo(() => drawableOf(outline), [outline]);
  const graph = useMemo(() => makeGraph(outline, drawable), [outline, drawable]);
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const shown = useRef<Shown>({ hidden, marked, text });
  shown.current = { hidden, marked, text };

  const isSettling = useSettled(drawable, (places) => {
    for (const [at, id] of drawable.ids.entries())
      graph.mergeNodeAttributes(id, { x: places[at * 2], y: places[at * 2 + 1] });
  });
  useEffect(() => {
    if (!host.current) return;
    const colors = readColors(host.current);
    const drawing = makeSigma(graph, host.current, colors);
    sigma.current = drawing;
    showIn(drawing, graph, colors, () => shown.current);
    drawing.on("clickNode", ({ node }) => onOpen(node));
    const point = (cursor: string, key: string | null): void => {
      if (host.current) host.current.style.cursor = cursor;
      onMark(key);
    };
    drawing.on("enterNode", ({ node }) => point("pointer", node));
    drawing.on("leaveNode", () => point("", null));
    drawing.on("enterEdge", ({ edge }) => onMark(edge));
    drawing.on("leaveEdge", () => onMark(null));
    const lose = (): void => setLost(true);
    for (const canvas of host.current.querySelectorAll("canvas"))
      canvas.addEventListener("webglcontextlost", lose);
    return () => {
      sigma.current = null;
      drawing.kill();
    };
  }, [graph, theme.value, isDark]);
  useEffect(() => {
    sigma.current?.refresh({ skipIndexation: true });
    const display = marked === null ? undefined : sigma.current?.getNodeDisplayData(marked);
    // A skill chosen in the list may stand outside of what can be seen.
    if (display && !host.current?.matches(":hover"))
      void sigma.current?.getCamera().animate({ x: display.x, y: display.y }, { duration: 200 });
  }, [marked, text, [...hidden].join()]);

  const zoom = (by: "in" | "out" | "all"): void => {
    const camera = sigma.current?.getCamera();
    if (by === "in") void camera?.animatedZoom({ duration: 120 });
    else if (by === "out") void camera?.animatedUnzoom({ duration: 120 });
    else void camera?.animatedReset({ duration: 120 });
  };
  const press = (event: KeyboardEvent): void => {
    const camera = sigma.current?.getCamera();
    if (!camera || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y, ratio } = camera.getState();
    const step = 0.1 * ratio;
    const ways: Record<string, readonly [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    const way = ways[event.key];
    if (way) camera.setState({ x: x + way[0], y: y + way[1] });
    else if (event.key === "+" || event.key === "=") zoom("in");
    else if (event.key === "-") zoom("out");
    else if (event.key === "0") zoom("all");
    else return;
    event.preventDefault();
  };
  const alone = outline.nodes.length - drawable.ids.length;
  return (
    <div class="whole">
      <div
        ref={host}
        class="whole-canvas"
        role="application"
        tabIndex={0}
        aria-label="Drawing of the whole graph. Arrow keys move it, plus and minus zoom. The list beside it has the same skills."
        onKeyDown={press}
      />
      <div class="whole-zoom">
        <Button small icon="plus" aria-label="Zoom in" onClick={() => zoom("in")} />
        <Button small aria-label="Zoom out" onClick={() => zoom("out")}>
          <span aria-hidden="true">−</span>
        </Button>
        <Button small aria-label="Fit" onClick={() => zoom("all")}>
          Fit
        </Button>
      </div>
      <p class="whole-note small quiet" role="status">
        {isLost
          ? "The drawing was lost. Reload the page to draw it again; the list has everything."
          : isSettling
            ? "Arranging…"
            : alone > 0
              ? `${plural(alone, "skill")} without edges ${alone === 1 ? "is" : "are"} only in the list`
              : ""}
      </p>
    </div>
  );
}
