import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { type Pages, usePages } from "../../api/use-pages.ts";
import { FieldFilter, Filters, SelectFilter } from "../../parts/list/filters.tsx";
import { List } from "../../parts/list/list.tsx";
import { MoreRow } from "../../parts/list/more-row.tsx";
import { ListLoading } from "../../parts/list/split-parts.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { plural, Time } from "../../parts/look/words.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Empty, Failed, Stale } from "../../parts/state/states.tsx";
import { eventMeaning, eventWords, type LoggedEvent, typeWord } from "./event-words.ts";

const NAMES = ["type", "actor", "skill", "since", "until", "run", "plan"] as const;
const MORE = "more";

type Events = Pages<LoggedEvent, Answer<"/api/audit">>;

/** The records that match the filters of the address. */
export function useEvents(): Events {
  const { query } = useQuery();
  const filters = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = query[name];
      if (!value) return [];
      // A field for times has the user's own time; the log has UTC.
      const isTime = name === "since" || name === "until";
      const date = new Date(value);
      if (isTime && Number.isNaN(date.getTime())) return [];
      return [[name, isTime ? date.toISOString() : value]];
    }),
  );
  return usePages(
    "/api/audit",
    { query: { limit: 200, ...filters } },
    ({ events }) => events,
    ({ seq }) => String(seq),
    { reloadOn: ["log"] },
  );
}

export function EventList({
  events: { items, first, hasMore, error, more },
  chosen,
  onChoose,
}: {
  readonly events: Events;
  readonly chosen: string | null;
  readonly onChoose: (seq: string) => void;
}) {
  const { query, change } = useQuery();
  const facets = useResource("/api/audit/filters");
  const value = (name: (typeof NAMES)[number]): string => query[name] ?? "";
  const set = (name: (typeof NAMES)[number]) => (next: string) => change({ [name]: next, seq: undefined });
  const isFiltered = NAMES.some((name) => value(name) !== "");
  const rows: readonly (LoggedEvent | typeof MORE)[] = hasMore ? [...items, MORE] : items;
  return (
    <>
      <Filters label="Filter records">
        <SelectFilter
          label="Type"
          value={value("type")}
          options={[
            { value: "", words: "Any type" },
            ...(facets.data?.types ?? []).map((type) => ({ value: type, words: typeWord(type) })),
          ]}
          onChange={set("type")}
        />
        <SelectFilter
          label="Client"
          value={value("actor")}
          options={[
            { value: "", words: "Any client" },
            ...(facets.data?.actors ?? []).map((actor) => ({ value: actor, words: actor })),
          ]}
          onChange={set("actor")}
        />
        <FieldFilter label="Skill" value={value("skill")} placeholder="Skill" onChange={set("skill")} />
        <FieldFilter label="From" type="datetime-local" value={value("since")} onChange={set("since")} />
        <FieldFilter label="To" type="datetime-local" value={value("until")} onChange={set("until")} />
        {(value("run") || value("plan")) && (
          <Button small icon="cross" onClick={() => change({ run: undefined, plan: undefined })}>
            {value("run") ? "One run" : `Plan ${value("plan")}`}
          </Button>
        )}
      </Filters>
      {first.data === undefined ? (
        first.error ? (
          <Failed error={first.error} onRetry={first.reload} />
        ) : (
          <ListLoading />
        )
      ) : (
        <>
          {first.error && first.at && <Stale at={first.at} error={first.error} />}
          {items.length === 0 ? (
            isFiltered ? (
              <Empty icon="filter" title="No record matches these filters.">
                <Button onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>
                  Clear filters
                </Button>
              </Empty>
            ) : (
              <Empty
                icon="audit"
                title="The log is empty. Runs, loads and decisions are recorded from the first run on."
              >
                <Command text="knack run file_fingerprint README.md" />
              </Empty>
            )
          ) : (
            <>
              <p class="audit-total quiet small">
                {plural(first.data.total, "record")}
                {isFiltered ? (first.data.total === 1 ? " matches" : " match") : ""}
              </p>
              <List
                items={rows}
                keyOf={(item) => (item === MORE ? MORE : String(item.seq))}
                height={40}
                label="Records"
                chosen={chosen}
                isHeading={(item) => item === MORE}
                onChoose={onChoose}
                row={(item) => (item === MORE ? <MoreRow error={error} more={more} /> : <Row event={item} />)}
              />
            </>
          )}
        </>
      )}
    </>
  );
}

function Row({ event }: { readonly event: LoggedEvent }) {
  const means = eventMeaning(event);
  return (
    <div class="audit-row">
      <span class="audit-seq quiet small">{event.seq}</span>
      <span class="audit-type">
        <Badge means={means} {...(means === "failed" ? { icon: "alert" } : {})} title={event.event_type}>
          {typeWord(event.event_type)}
        </Badge>
      </span>
      <span class="audit-words clip">{eventWords(event)}</span>
      <span class="audit-actor quiet small clip">{event.actor}</span>
      <span class="audit-when quiet small">
        <Time at={event.created_at} />
      </span>
    </div>
  );
}
