import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { count } from "./look.tsx";

/** The title of the page that is shown; the frame announces it after a navigation. */
export const pageTitle = signal("Knack");

function setTitle(title: string): void {
  pageTitle.value = title;
  document.title = `${title} · Knack`;
}

export function useTitle(title: string): void {
  useLayoutEffect(() => setTitle(title), [title]);
}

/** Names the document after what is open in a page, and after the page again when it is closed. */
export function useDetailTitle(title: string, page: string): void {
  useTitle(`${title} · ${page}`);
  useLayoutEffect(() => () => setTitle(page), [page]);
}

export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  useTitle(title);
  return (
    <div class="page-head row wrap">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly number?: number | undefined;
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with its title and, at the right, what belongs to all of it. */
export function Section({ title, number, aside, class: look = "stack", children }: SectionProps) {
  return (
    <section class={look} aria-label={title}>
      <header class="row">
        <h2 class="fill">
          {title} {number !== undefined && <span class="quiet">{count(number)}</span>}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Changes of the query; undefined removes a name. */
type Changes = Readonly<Record<string, string | undefined>>;

/** The query of the address, which keeps filters and choices, so that a link shows the same. */
export function useQuery(): {
  readonly query: Readonly<Record<string, string>>;
  readonly address: (path: string, changes?: Changes) => string;
  /** Changes the query in place: going back leaves the page. */
  readonly change: (changes: Changes) => void;
} {
  const { path: here, query, route } = useLocation();
  const address = (
    path: string,
    changes: Changes = {},
    from: URLSearchParams | typeof query = query,
  ): string => {
    const all = new URLSearchParams(from);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) all.delete(name);
      else all.set(name, value);
    }
    const text = all.toString();
    return text === "" ? path : `${path}?${text}`;
  };
  // Two changes may come before the page is drawn again: the second starts from what the first made of the address.
  const change = (changes: Changes): void =>
    route(address(here, changes, new URLSearchParams(location.search)), true);
  return { query, address, change };
}

/**
 * A text that is typed and that the address keeps as `q`. The address follows at a distance, so that not each letter is a
 * navigation; it has no spaces at the end, and what the page wrote there does not come back into the field.
 */
export function useTypedText(pauseMs: number, alsoChanged: Changes = {}) {
  const { query, change } = useQuery();
  const given = query.q ?? "";
  const [text, setTyped] = useState(given);
  const written = useRef(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Going back and links change the address without a key.
  useEffect(() => {
    if (given !== written.current) setTyped(given);
    written.current = given;
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** Writes what was typed to the address now, before another page is opened. */
  const flush = (typed = text): void => {
    clearTimeout(timer.current);
    if (typed.trim() === written.current) return;
    written.current = typed.trim();
    change({ q: typed.trim() || undefined, ...alsoChanged });
  };
  const setText = (typed: string): void => {
    setTyped(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => flush(typed), pauseMs);
  };
  return { text, setText, flush };
}

export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const change = (): void => setHolds(media.matches);
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, [query]);
  return holds;
}

export const planPath = (plan: string, task?: string | null): string =>
  `/plans/${encodeURIComponent(plan)}${task ? `?task=${encodeURIComponent(task)}` : ""}`;

type Theme = "system" | "light" | "dark";

const KEY = "knack-theme";

/** The user's choice; "system" follows the browser. */
export const theme = signal<Theme>("system");

export function startTheme(): void {
  const stored = localStorage.getItem(KEY);
  if (stored === "light" || stored === "dark") theme.value = stored;
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === "system") delete dataset.theme;
    else dataset.theme = theme.value;
    localStorage.setItem(KEY, theme.value);
  });
}

/** Scroll positions by address, for the way back: a page that is opened anew starts at its top. */

const positions = new Map<string, number>();
let returnedTo: string | undefined;

const here = (): string => location.pathname + location.search;

/** Before the router hears of a navigation. */
export function watchReturns(): void {
  addEventListener("popstate", () => {
    returnedTo = here();
  });
}

/** The router shows another address. */
export function noteAddress(): void {
  if (returnedTo !== here()) returnedTo = undefined;
}

export const isReturn = (): boolean => returnedTo === here();

export function keepScroll(name: string, top: number): void {
  positions.set(`${here()}\n${name}`, top);
}

/** Where it was when the user left this address; 0 unless they came back to it. */
export function keptScroll(name: string): number {
  return isReturn() ? (positions.get(`${here()}\n${name}`) ?? 0) : 0;
}
