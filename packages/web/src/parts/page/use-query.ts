import { useLocation } from "preact-iso";

/** Changes of the query; undefined and "" remove a name. */
type Changes = Readonly<Record<string, string | undefined>>;

/** The query of the address, which keeps filters and choices, so that a link shows the same. */
export function useQuery(): {
  readonly query: Readonly<Record<string, string>>;
  /** The address of a path with the query changed. */
  readonly address: (path: string, changes?: Changes) => string;
  /** Changes the query in place: going back leaves the page. */
  readonly change: (changes: Changes) => void;
} {
  const { path: here, query, route } = useLocation();
  const address = (path: string, changes: Changes = {}): string => {
    const all = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === "") all.delete(name);
      else all.set(name, value);
    }
    const text = all.toString();
    return text === "" ? path : `${path}?${text}`;
  };
  return { query, address, change: (changes) => route(address(here, changes), true) };
}
