import { signal } from "@preact/signals";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Role, whyNot } from "../api/session.ts";
import "./look.css";

/** Line icons on a grid of 24, drawn for this page. */
const PATHS = {
  home: "M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  skills: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6",
  graph:
    "M6 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.3 7.2l7.4 3.7M8.3 16.8l7.4-3.7",
  try: "M9 3h6M10 3v6l-5.2 8.6A2.2 2.2 0 0 0 6.700 21h10.600a2.200 2.200 0 0 0 1.900-3.400L14 9V3M8 15h8",
  runs: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM10 8.500v7l5.500-3.500z",
  plans: "M4 6h2M4 12h2M4 18h2M9 6h11M9 12h11M9 18h7",
  queue: "M4 13h4l1.500 3h5l1.500-3h4M4 13v6h16v-6L17 5H7z",
  audit: "M12 3 5 6v5c0 4.500 3 8 7 10 4-2 7-5.500 7-10V6zM9 12l2 2 4-4",
  connect: "M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3",
  search: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.500 15.500 20 20",
  check: "m5 12.500 4.500 4.500L19 7.500",
  cross: "M6 6l12 12M18 6 6 18",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.500 2",
  alert: "M12 4 3 19.500h18zM12 10v4M12 17v.2",
  off: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM5.700 5.700l12.600 12.600",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  link: "M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-5.700-5.700L12 7M14 10a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 5.700 5.700L12 17",
  chevron: "m9 6 6 6-6 6",
  down: "m6 9 6 6 6-6",
  back: "M11 6l-6 6 6 6M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  trust: "M12 3 5 6v5c0 4.500 3 8 7 10 4-2 7-5.500 7-10V6z",
  refresh:
    "M20 11a8 8 0 0 0-14.500-4L4 8.500M4 4v4.500h4.500M4 13a8 8 0 0 0 14.500 4l1.500-1.500M20 20v-4.500h-4.500",
  undo: "M8 5 4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-4",
  play: "M8 5v14l11-7z",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 8v.01",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  download: "M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14",
  upload: "M12 16V5M7.500 9 12 4.500 16.500 9M5 20h14",
  plus: "M12 5v14M5 12h14",
  filter: "M4 6h16M7 12h10M10 18h4",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  collapse: "M4 5h16v14H4zM9.500 5v14M16 10l-2 2 2 2",
  expand: "M4 5h16v14H4zM9.500 5v14M14 10l2 2-2 2",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the word beside it, or the name of its button, says what it means. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

type Meaning = "done" | "waits" | "failed" | "off" | "plain";

const ICONS: Readonly<Record<Exclude<Meaning, "plain">, IconName>> = {
  done: "check",
  waits: "clock",
  failed: "cross",
  off: "off",
};

/** A state as people see it; without an icon, it has that of its meaning. */
export interface State {
  readonly means: Meaning;
  readonly icon?: IconName | undefined;
  readonly words: ComponentChildren;
}

/** A state: always an icon and a word, never colour alone. */
export function Badge({ means, icon, words, title }: State & { readonly title?: string | undefined }) {
  const shown = icon ?? (means === "plain" ? undefined : ICONS[means]);
  return (
    <span class={`badge means-${means}`} title={title}>
      {shown && <Icon name={shown} size={13} />}
      {words}
    </span>
  );
}

const NUMBERS = new Intl.NumberFormat();
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

export const count = (value: number): string => NUMBERS.format(value);

/** "1 skill", "2 skills". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

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

/** The time for relative times, moved on every half minute. */
export const now = signal(Date.now());

/** The time, which moves on this often while the view is shown. */
export function useNow(everyMs: number): number {
  const [time, setTime] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return time;
}

export function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now();
  }, 30_000);
}

const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "3 minutes ago" in the user's language; a moment less than a minute away is "now". */
export function relativeTime(date: Date, now: number, locale?: string): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const away = date.getTime() - now;
  for (const [unit, ms] of UNITS) if (Math.abs(away) >= ms) return words.format(Math.trunc(away / ms), unit);
  return words.format(0, "second");
}

/** A moment: relative, with the exact one on hover. */
export function Time({ at }: { at: string | number | Date }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={date.toISOString()} title={EXACT.format(date)}>
      {relativeTime(date, now.value)}
    </time>
  );
}

export function Key({ children }: { children: string }) {
  return <kbd class="key">{children}</kbd>;
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "type" | "children"> {
  readonly icon?: IconName;
  readonly look?: "plain" | "main" | "danger" | "quiet";
  readonly small?: boolean;
  /** What it does; without words, `aria-label` must say it. */
  readonly words?: ComponentChildren;
  readonly type?: "button" | "submit";
  /** The role that its action needs: without it the button says why it does nothing. */
  readonly needs?: Role;
  /** It is a link, because what it does has an address. */
  readonly href?: string;
}

export function Button(props: ButtonProps) {
  const {
    icon,
    look = "plain",
    small,
    words,
    type = "button",
    class: more = "",
    needs,
    href,
    ...rest
  } = props;
  const name = rest["aria-label"];
  const why = needs && whyNot(needs);
  const looks = `button button-${look} ${small ? "button-small" : ""} ${words ? "" : "button-icon"} ${more}`;
  const content = [icon && <Icon key="icon" name={icon} />, words];
  if (href !== undefined)
    return (
      <a class={looks} href={href}>
        {content}
      </a>
    );
  return (
    <button
      type={type}
      class={looks}
      {...(!words && name && !rest.title ? { title: name } : {})}
      {...rest}
      {...(why ? { "aria-disabled": true, title: why, onClick: refuse } : {})}
    >
      {content}
    </button>
  );
}

/** Not `disabled`, so that the keyboard reaches it and its reason is read. */
function refuse(event: Event): void {
  event.preventDefault();
}

export function CopyButton({ text, name = "Copy", words }: { text: string; name?: string; words?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (event: Event): Promise<void> => {
    event.stopPropagation();
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <Button
        words={words && (isCopied ? "Copied" : words)}
        look="quiet"
        small
        icon={isCopied ? "check" : "copy"}
        aria-label={words ? undefined : name}
        onClick={(event) => void copy(event)}
      />
      <span class="hidden-name" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

export function Command({ text }: { text: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={text} name={`Copy: ${text}`} />
    </span>
  );
}

/** A path, an id or a digest with its copy button; a long one may be shown by its beginning. */
export function CopyText({ text, name, first }: { text: string; name: string; first?: number }) {
  return (
    <span class="row">
      <code title={first ? text : undefined}>{text.slice(0, first)}</code>
      <CopyButton text={text} name={name} />
    </span>
  );
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
/** These scripts have no spaces between words. */
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Cuts a text where one of the words begins a word of it, so that "review" marks "reviewing" too: every second piece is marked. */
export function splitMarks(text: string, words: readonly string[]): readonly string[] {
  const patterns = words
    .filter((word) => word.trim() !== "")
    .sort((a, b) => b.length - a.length)
    .map((word) => {
      const literal = word.replace(SPECIAL, "\\$&");
      return NO_SPACES.test(word) ? literal : `(?<![\\p{L}\\p{N}])${literal}[\\p{L}\\p{N}]*`;
    });
  return patterns.length === 0 ? [text] : text.split(new RegExp(`(${patterns.join("|")})`, "giu"));
}

export function Marks({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <>
      {splitMarks(text, words).map((piece, place) => (place % 2 ? <mark key={place}>{piece}</mark> : piece))}
    </>
  );
}
