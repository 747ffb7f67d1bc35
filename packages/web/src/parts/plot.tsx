import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Table } from "./list.tsx";
import { count } from "./look.tsx";
import { theme, useMedia } from "./page.tsx";
import "./plot.css";

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** A custom property: "--accent". */
  readonly color: string;
}

const UNITS = {
  day: {
    title: "Day",
    seconds: 24 * 60 * 60,
    format: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" }),
    // Noon: the same day in summer and in winter time.
    parse: (time: string) => Date.parse(`${time}T12:00:00`),
  },
  minute: {
    title: "Minute",
    seconds: 60,
    format: new Intl.DateTimeFormat(undefined, { timeStyle: "short" }),
    parse: (time: string) => Date.parse(time),
  },
} as const;

/** Bars on top of each other: each ends where the next begins, and the tallest is drawn first. */
function stacked(series: readonly Series[]): (Series & { readonly tops: readonly number[] })[] {
  let below: readonly number[] = [];
  const all = series.map((one) => {
    below = one.values.map((value, place) => value + (below[place] ?? 0));
    return { ...one, tops: below };
  });
  return all.reverse();
}

interface PlotProps {
  readonly label: string;
  /** Days as 2026-03-10, minutes as ISO 8601. */
  readonly times: readonly string[];
  readonly unit?: keyof typeof UNITS;
  readonly series: readonly Series[];
  readonly kind?: "bars" | "line";
  readonly height?: number;
  /** Whether what stands above names the series, so that the legend is only needed for values. */
  readonly isNamed?: boolean;
}

/** One idea: values per day or minute, as bars or lines. Hover shows values; the same numbers are in a table on demand. */
export function Plot({
  label,
  times,
  unit = "day",
  series,
  kind = "bars",
  height = 140,
  isNamed,
}: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const { title, format, parse } = UNITS[unit];
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const scheme = `${theme.value} ${isDark}`;
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    let plot: uPlot | undefined;
    let isOver = false;
    // It is larger than any page, which is there without it. Without a server, the table has the numbers.
    import("uplot").then(
      ({ default: UPlot }) => {
        if (!isOver) plot = draw(UPlot, host, { times, unit, series, kind, height });
      },
      () => undefined,
    );
    const watch = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height }));
    watch.observe(host);
    return () => {
      isOver = true;
      watch.disconnect();
      plot?.destroy();
    };
  }, [JSON.stringify([times, series]), scheme]);
  const rows = times.map((time, place) => ({ time, place }));
  return (
    <figure class="plot" aria-label={label}>
      <div ref={box} class={isNamed ? "plot-quiet" : ""} aria-hidden="true" />
      <details>
        <summary class="small quiet">Show as a table</summary>
        <Table
          label={label}
          rows={rows.toReversed()}
          keyOf={({ time }) => time}
          columns={[
            [title, ({ time }) => format.format(parse(time))],
            ...series.map(
              ({ name, values }) => [name, ({ place }: { place: number }) => values[place] ?? 0] as const,
            ),
          ]}
        />
      </details>
    </figure>
  );
}

function draw(
  UPlot: typeof uPlot,
  host: HTMLElement,
  { times, unit, series, kind, height }: Required<Omit<PlotProps, "label" | "isNamed">>,
): uPlot {
  const { title, seconds, format, parse } = UNITS[unit];
  const style = getComputedStyle(host);
  // A canvas does not know custom properties or light-dark().
  const colorOf = (name: string): string => {
    host.style.color = `var(${name})`;
    const { color } = style;
    host.style.color = "";
    return color;
  };
  const drawn = kind === "bars" ? stacked(series) : series.map((one) => ({ ...one, tops: one.values }));
  const grid = { stroke: colorOf("--line"), width: 1 };
  const axis = { stroke: colorOf("--quiet"), font: `11px ${style.fontFamily}`, ticks: { show: false } };
  const options: uPlot.Options = {
    width: host.clientWidth,
    height,
    legend: { live: true },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      // Half a unit more at each end, so that the first and last bar are whole.
      x: { range: (_plot, min, max) => [min - seconds / 2, max + seconds / 2] },
      y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        values: (_plot, ticks) => ticks.map((tick) => format.format(tick * 1_000)),
      },
      {
        ...axis,
        grid,
        size: 36,
        values: (_plot, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? count(tick) : "")),
      },
    ],
    series: [
      { label: title, value: (_plot, time) => (time ? format.format(time * 1_000) : "") },
      ...drawn.map(({ name, color, values }) => ({
        label: name,
        stroke: colorOf(color),
        width: kind === "bars" ? 0 : 2,
        points: { show: false },
        value: (_plot: uPlot, _drawn: number, _series: number, place: number | null) =>
          place === null ? "" : count(values[place] ?? 0),
        ...(kind === "bars" && UPlot.paths.bars
          ? { fill: colorOf(color), paths: UPlot.paths.bars({ size: [0.7, 24], radius: 0.2 }) }
          : {}),
      })),
    ],
  };
  const data: uPlot.AlignedData = [
    times.map((time) => parse(time) / 1_000),
    ...drawn.map(({ tops }) => [...tops]),
  ];
  return new UPlot(options, data, host);
}
