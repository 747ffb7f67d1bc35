import type { Answer } from "../../api/client.ts";
import { count } from "../../parts/look/words.tsx";
import { LANGUAGE_WORDS, SCOPE_WORDS, STATE_WORDS } from "../../parts/skill/skill-words.ts";

export type FilterName = "scope" | "client" | "state" | "language";
export type Chosen = Readonly<Partial<Record<FilterName, string>>>;

const TITLES: Readonly<Record<FilterName, string>> = {
  scope: "Scope",
  client: "Folder",
  state: "State",
  language: "Language",
};

const WORDS: Readonly<Record<FilterName, Readonly<Record<string, string>>>> = {
  scope: SCOPE_WORDS,
  client: { "": "Knack's own" },
  state: STATE_WORDS,
  language: LANGUAGE_WORDS,
};

/** One choice per filter, each with how many skills it has. */
export function Filters({
  head,
  chosen,
  onChoose,
}: {
  readonly head: Answer<"/api/skill-list"> | undefined;
  readonly chosen: Chosen;
  readonly onChoose: (name: FilterName, value: string | undefined) => void;
}) {
  return (
    <div class="filters" role="group" aria-label="Filters">
      {(Object.keys(TITLES) as FilterName[]).map((name) => (
        <Filter
          key={name}
          name={name}
          counts={{
            ...head?.filters[name],
            ...(name === "state" && head && head.left_out > 0 ? { left_out: head.left_out } : {}),
          }}
          value={chosen[name]}
          onChoose={(value) => onChoose(name, value)}
        />
      ))}
    </div>
  );
}

const ANY = "any";

function Filter({
  name,
  counts,
  value,
  onChoose,
}: {
  readonly name: FilterName;
  readonly counts: Readonly<Record<string, number>>;
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}) {
  const words = (key: string): string => (key === "left_out" ? "Left out" : (WORDS[name][key] ?? key));
  const keys = Object.keys(counts);
  if (value !== undefined && !keys.includes(value)) keys.push(value);
  keys.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return (
    <select
      class={value === undefined ? "filter" : "filter filter-on"}
      aria-label={TITLES[name]}
      value={value === undefined ? ANY : `=${value}`}
      onChange={(event) => {
        const next = event.currentTarget.value;
        onChoose(next === ANY ? undefined : next.slice(1));
      }}
    >
      <option value={ANY}>{TITLES[name]}: all</option>
      {keys.map((key) => (
        <option key={key} value={`=${key}`}>
          {words(key)} ({count(counts[key] ?? 0)})
        </option>
      ))}
    </select>
  );
}
