import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { keptScroll } from "../page/kept-scroll.ts";

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

interface Virtual {
  readonly list: List;
  readonly shown: readonly VirtualItem[];
  readonly heightOf: (place: number) => number;
}

/** Which rows of a box are in view. Places are computed again only for other items, not for each scroll. */
export function useVirtual<T>(
  box: RefObject<HTMLDivElement | null>,
  items: readonly T[],
  height: number | ((item: T) => number),
  /** The name of its scroll position, for the way back. */
  name: string,
): Virtual {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const latest = useRef({ items, height });
  latest.current = { items, height };
  const made = useRef<{ list: List; options: List["options"]; heightOf: Virtual["heightOf"] }>(null);
  if (made.current === null) {
    const heightOf = (place: number): number => {
      const { items: all, height: own } = latest.current;
      const item = all[place];
      return typeof own === "number" ? own : item === undefined ? 36 : own(item);
    };
    const list: List = new Virtualizer<HTMLDivElement, HTMLDivElement>({
      count: items.length,
      getScrollElement: () => box.current,
      estimateSize: heightOf,
      overscan: 8,
      initialOffset: keptScroll(name),
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => redraw(0 as never),
    });
    made.current = { list, options: list.options, heightOf };
  }
  const { list, options, heightOf } = made.current;
  list.setOptions({ ...options, count: items.length });

  useLayoutEffect(() => {
    const stop = list._didMount();
    list._willUpdate();
    return stop;
  }, [list]);
  useLayoutEffect(() => list._willUpdate());
  // Rows of one height stay where they are, whatever is in them.
  const heights = typeof height === "number" ? height : items;
  useLayoutEffect(() => list.measure(), [heights]);
  return { list, shown: list.getVirtualItems(), heightOf };
}
