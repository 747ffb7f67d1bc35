import { now } from "./clock.ts";
import { relativeTime } from "./relative-time.ts";
import "./words.css";

const NUMBERS = new Intl.NumberFormat();
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** A number in the user's locale. */
export const count = (value: number): string => NUMBERS.format(value);

/** "1 skill", "2 skills". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A size in bytes as people read it. */
export function size(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = bytes < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}

/** A duration: "240 ms", "1.2 s", "3 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${count(Math.round(ms))} ms`;
  if (ms < 60_000)
    return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${count(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** A moment: relative, with the exact one on hover. */
export function Time({ at }: { readonly at: string | number | Date }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={EXACT.format(date)}>
      {relativeTime(date, now.value)}
    </time>
  );
}

/** A key on the keyboard. */
export function Key({ children }: { readonly children: string }) {
  return <kbd class="key">{children}</kbd>;
}
