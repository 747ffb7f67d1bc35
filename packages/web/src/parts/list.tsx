import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren, RefObject, VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { count } from "./look.tsx";
import { keepScroll, keptScroll } from "./page.tsx";
import "./list.css";

type VirtualRows = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** Which rows of a box are in view. Places are computed again only for other items, not for each scroll. */
function useVirtual<T>(
  box: RefObject<HTMLDivElement | null>,
  items: readonly T[],
  height: number | ((item: T) => number),
  /** The name of its scroll position, for the way back. */
  name: string,
): { list: VirtualRows; shown: readonly VirtualItem[]; heightOf: (place: number) => number } {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const latest = useRef({ items, height });
  latest.current = { items, height };
  const heightOf = (place: number): number => {
    const { items: all, height: own } = latest.current;
    const item = all[place];
    return typeof own === "number" ? own : item === undefined ? 36 : own(item);
  };
  const made = useRef<{ list: VirtualRows; options: VirtualRows["options"] }>(null);
  if (made.current === null) {
    const list: VirtualRows = new Virtualizer<HTMLDivElement, HTMLDivElement>({
      count: items.length,
      getScrollElement: () => box.current,
      estimateSize: heightOf,
      overscan: 8,
      initialOffset: keptScroll(name),
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => redraw(),
    });
    made.current = { list, options: list.options };
  }
  const { list, options } = made.current;
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

interface ListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly height: number | ((item: T) => number);
  readonly label: string;
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  readonly onOpen?: (item: T) => void;
  /** One click, after the row is chosen. */
  readonly onClick?: (item: T) => void;
  readonly onToggle?: (item: T) => void;
  /** The places of the rows in view and next to it, whenever they change. */
  readonly onRange?: (first: number, last: number) => void;
  /** Rows that cannot be chosen: a heading between the others. */
  readonly isHeading?: (item: T) => boolean;
  readonly row: (item: T, isChosen: boolean) => ComponentChildren;
}

/** Rows that were in view and may come back. */
const MAX_DRAWN = 500;

/** A list of any length: only the rows in view exist. Arrows or j and k move, Enter opens, Space toggles. */
export function List<T>(props: ListProps<T>) {
  const { items, keyOf, height, label, row, isHeading } = props;
  const { chosen, onChoose, onOpen, onClick, onToggle, onRange } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { list, shown, heightOf } = useVirtual(box, items, height, label);
  // While one scrolls, rows that stay are the same objects, which Preact does not compare again.
  const drawn = useRef({ props, rows: new Map<string, VNode>() });
  if (drawn.current.props !== props || drawn.current.rows.size > MAX_DRAWN)
    drawn.current = { props, rows: new Map() };

  const [start, end] = [shown[0]?.index, shown.at(-1)?.index];
  useEffect(() => {
    if (start !== undefined && end !== undefined) onRange?.(start, end);
  }, [start, end, items]);

  const place = chosen === null ? -1 : items.findIndex((item) => keyOf(item) === chosen);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current && place >= 0) list.scrollToIndex(place, { align: "auto" });
    first.current = false;
  }, [chosen]);

  const step = (from: number, by: number): void => {
    let next = Math.min(Math.max(from, 0), items.length - 1);
    const way = by < 0 ? -1 : 1;
    while (items[next] !== undefined && isHeading?.(items[next] as T)) next += way;
    const item = items[next];
    if (item !== undefined) onChoose(keyOf(item));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / heightOf(0)) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
    };
    const by = steps[event.key];
    const item = items[place];
    if (by !== undefined) step(place < 0 ? 0 : place + by, by);
    else if (event.key === "Home") step(0, 1);
    else if (event.key === "End") step(items.length - 1, -1);
    else if (event.key === "Enter" && item !== undefined && onOpen) onOpen(item);
    else if (event.key === " " && item !== undefined && onToggle) onToggle(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="list"
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length}
      tabIndex={0}
      aria-activedescendant={place >= 0 ? `${id}-${place}` : undefined}
      onKeyDown={press}
      onScroll={(event) => keepScroll(label, event.currentTarget.scrollTop)}
    >
      <div role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
        {shown.map(({ index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          const key = keyOf(item);
          const isTitle = isHeading?.(item) ?? false;
          const choose = (event: MouseEvent): void => {
            if (isTitle || !isPlainClick(event)) return;
            box.current?.focus({ preventScroll: true });
            onChoose(key);
            onClick?.(item);
          };
          const line = drawn.current.rows.get(`${key} ${start} ${size}`) ?? (
            <div
              key={key}
              id={`${id}-${index}`}
              class={isTitle ? "list-heading" : "list-row pick"}
              role="row"
              aria-selected={isTitle ? undefined : key === chosen}
              aria-rowindex={index + 1}
              style={{ transform: `translateY(${start}px)`, height: `${size}px` }}
              onClick={choose}
              onDblClick={() => !isTitle && onOpen?.(item)}
            >
              <div class="list-cell" role="gridcell">
                {row(item, key === chosen)}
              </div>
            </div>
          );
          drawn.current.rows.set(`${key} ${start} ${size}`, line);
          return line;
        })}
      </div>
    </div>
  );
}

/** Not on a link or button in the row, and not to open a new tab. */
function isPlainClick(event: MouseEvent): boolean {
  const target = event.target as Element;
  return !event.ctrlKey && !event.metaKey && !event.shiftKey && target.closest("a, button, input") === null;
}

type Column<T> = readonly [title: string, cell: (row: T) => ComponentChildren];

interface TableProps<T> {
  /** A column of numbers stands at the right. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly label: string;
}

/** A short table; a long one is a List. */
export function Table<T>({ columns, rows, keyOf, label }: TableProps<T>) {
  const lookOf = (value: unknown): string => (typeof value === "number" ? "table-number" : "");
  return (
    // Where it is wider than its place it scrolls, also with the keyboard.
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(([title, cell]) => (
              <th key={title} scope="col" class={lookOf(rows[0] && cell(rows[0]))}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([title, cell]) => {
                const value = cell(row);
                return (
                  <td key={title} class={lookOf(value)}>
                    {typeof value === "number" ? count(value) : value}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
