import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Chosen, FilterName } from "./filters.tsx";

const NAMES: readonly FilterName[] = ["scope", "client", "state", "language"];
/** The address follows the typing at a distance, so that not each letter is a navigation. */
const PAUSE_MS = 250;

interface Address {
  readonly text: string;
  readonly chosen: Chosen;
  readonly setText: (text: string) => void;
  readonly choose: (name: FilterName, value: string | undefined) => void;
  readonly clear: () => void;
  /** Writes what was typed to the address now, before another page is opened. */
  readonly flush: () => void;
}

/** The query and the filters of the list; the address has them, so that a link and the back button show the same. */
export function useAddress(): Address {
  const { query, route, path } = useLocation();
  const given = query.q ?? "";
  const [text, setTyped] = useState(given);
  const written = useRef(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const chosen = Object.fromEntries(
    NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as Chosen;

  // The back button changes the address and not the field.
  useEffect(() => {
    if (given === written.current) return;
    written.current = given;
    setTyped(given);
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (q: string, filters: Chosen, isNew: boolean): void => {
    clearTimeout(timer.current);
    written.current = q;
    const search = new URLSearchParams(Object.entries(filters));
    if (q !== "") search.set("q", q);
    const rest = search.toString();
    const to = `${path}${rest === "" ? "" : `?${rest}`}`;
    if (to !== location.pathname + location.search) route(to, !isNew);
  };
  return {
    text,
    chosen,
    setText: (next) => {
      setTyped(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(next, chosen, false), PAUSE_MS);
    },
    choose: (name, value) => {
      const { [name]: _, ...others } = chosen;
      write(text, value === undefined ? others : { ...others, [name]: value }, true);
    },
    clear: () => {
      setTyped("");
      write("", {}, true);
    },
    flush: () => write(text, chosen, false),
  };
}
