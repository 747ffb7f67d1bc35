import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { Empty } from "../../parts/state/states.tsx";
import { Marks } from "../../parts/text/marks.tsx";

export type Trial = Answer<"/api/try">;
type Result = Trial["search"]["results"][number];

const REASONS: Readonly<Record<Result["reason"], string>> = {
  exact_path: "its path was given",
  exact_name: "its name was given",
  prefix: "its name begins like this",
  token_overlap: "name or description match",
  body_match: "only its text matches",
  semantic_match: "no common word, but close in meaning",
};

/** Every skill that a search finds, best first, with why; arrows move, Enter shows what an agent would read of it. */
export function Ranking({
  data,
  onChoose,
}: {
  readonly data: Trial;
  readonly onChoose: (id: string) => void;
}) {
  const { results, fitting } = data.search;
  const list = useRef<HTMLOListElement>(null);
  const chosen = data.skill?.id;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const place = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(Math.max(place + by, 0), rows.length - 1)]?.focus();
    event.preventDefault();
  };
  // A new ranking begins at its top.
  useEffect(() => list.current?.scrollTo({ top: 0 }), [data.search]);
  if (results.length === 0)
    return (
      <section class="ranking" aria-label="Ranking">
        <Empty
          icon="search"
          title="No skill has any of these words. An agent is told to go on without a skill."
        />
      </section>
    );
  return (
    <section class="ranking" aria-label="Ranking">
      <h2>{fitting === 0 ? "Nothing fits" : fitting === 1 ? "1 skill fits" : `${fitting} skills fit`}</h2>
      <ol ref={list} onKeyDown={move}>
        {results.map(({ skill, score, reason, matched, fits }, place) => (
          <li key={skill.id} class={fits ? "" : "ranking-weak"}>
            {!fits && (place === 0 || results[place - 1]?.fits) && (
              <p class="ranking-line small quiet">Nearest, probably about something else</p>
            )}
            <button
              type="button"
              class="ranking-row"
              aria-current={skill.id === chosen ? "true" : undefined}
              onClick={() => onChoose(skill.id)}
            >
              <span class="ranking-head">
                <span class="ranking-place quiet">{place + 1}</span>
                <b class="mono clip">
                  <Marks text={skill.name} words={matched} />
                </b>
                <Badge means="plain">{skill.scope}</Badge>
                <Score value={score} />
              </span>
              <span class="ranking-words small quiet">
                <Marks text={skill.description} words={matched} />
              </span>
              <span class="ranking-why small quiet">
                {REASONS[reason]}
                {matched.length > 0 && <>: {matched.slice(0, 6).join(", ")}</>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** How sure the search is, from 0 to 1. */
function Score({ value }: { readonly value: number }) {
  const shown = Math.round(value * 100);
  return (
    <span class="score small" title="How sure the search is that this skill is meant">
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, shown)}%` }} />
      </span>
      {shown === 0 ? "< 1 %" : `${shown} %`}
    </span>
  );
}
