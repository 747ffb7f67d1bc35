import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Answer, type ApiError, get, saveFile, toApiError } from "../../api/client.ts";
import { usePages, useResource } from "../../api/data.ts";
import { ActionButton, FormButton, TextField } from "../../parts/action.tsx";
import { CodeBlock, shownJson } from "../../parts/code.tsx";
import { Facts, ListPage } from "../../parts/list-page.tsx";
import { Badge, Button, Command, CopyButton, CopyText, plural, Time } from "../../parts/look.tsx";
import { planPath, useQuery } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { eventMeaning, eventWords, type LoggedEvent, typeWord } from "./event-words.ts";
import "./audit.css";

const NAMES = ["type", "actor", "skill", "since", "until", "run", "plan"] as const;
const keyOf = ({ seq }: LoggedEvent): string => String(seq);

export function Page() {
  const { route } = useLocation();
  const { query, address, change } = useQuery();
  const facets = useResource("/api/audit/filters");
  const pages = usePages(
    "/api/audit",
    { query: { limit: 200, ...filtersOf(query) } },
    ({ events }) => events,
    keyOf,
    { reloadOn: ["log"] },
  );
  const total = pages.first.data?.total ?? 0;
  const chosen = query.seq ?? null;
  return (
    <ListPage
      name="audit"
      title="Audit"
      label="Records"
      buttons={
        <>
          <Button
            words="Verify"
            icon="refresh"
            disabled={verification.value.kind === "checking"}
            onClick={() => void verify()}
          />
          {/* The whole log, as `knack audit export` prints it. */}
          <ActionButton
            words="Export"
            icon="download"
            run={() => saveFile("/api/audit/export", "knack-audit.jsonl")}
            done="The log was exported. Its last line is the head of the chain."
          />
        </>
      }
      below={<Chain />}
      filters={[
        {
          name: "type",
          label: "Type",
          any: "Any type",
          options: (facets.data?.types ?? []).map((type) => ({ value: type, words: typeWord(type) })),
        },
        {
          name: "actor",
          label: "Client",
          any: "Any client",
          options: (facets.data?.actors ?? []).map((actor) => ({ value: actor, words: actor })),
        },
        { name: "skill", label: "Skill" },
        { name: "since", label: "From", type: "datetime-local" },
        { name: "until", label: "To", type: "datetime-local" },
      ]}
      hiddenFilters={["run", "plan"]}
      filterButtons={
        (query.run || query.plan) && (
          <Button
            words={query.run ? "One run" : `Plan ${query.plan}`}
            small
            icon="cross"
            onClick={() => change({ run: undefined, plan: undefined })}
          />
        )
      }
      pages={pages}
      total={(isFiltered) =>
        `${plural(total, "record")}${isFiltered ? (total === 1 ? " matches" : " match") : ""}`
      }
      keyOf={keyOf}
      row={(event) => <Row event={event} />}
      chosen={chosen}
      onChoose={(event) => route(address("/audit", { seq: keyOf(event) }), chosen !== null)}
      empty={
        <Empty
          icon="audit"
          title="The log is empty. Runs, loads and decisions are recorded from the first run on."
        >
          <Command text="knack run file_fingerprint README.md" />
        </Empty>
      }
      noMatch="No record matches these filters."
      hasDetail={chosen !== null}
      back={address("/audit", { seq: undefined })}
      detail={
        chosen === null ? (
          <Empty
            icon="audit"
            title="Choose a record to see what it says and which run or plan it belongs to."
          />
        ) : (
          <ChosenEvent seq={chosen} listed={pages.items.find((event) => keyOf(event) === chosen)} />
        )
      }
    />
  );
}

function filtersOf(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name): [string, string][] => {
      const value = query[name];
      if (!value) return [];
      if (name !== "since" && name !== "until") return [[name, value]];
      // A field for times has the user's own time; the log has UTC.
      const date = new Date(value);
      return Number.isNaN(date.getTime()) ? [] : [[name, date.toISOString()]];
    }),
  );
}

function Row({ event }: { event: LoggedEvent }) {
  const means = eventMeaning(event);
  return (
    <>
      <span class="audit-seq wide-only quiet small">{event.seq}</span>
      <span class="list-state">
        <Badge
          means={means}
          icon={means === "failed" ? "alert" : undefined}
          title={event.event_type}
          words={typeWord(event.event_type)}
        />
      </span>
      <span class="fill clip">{eventWords(event)}</span>
      <span class="audit-actor wide-only quiet small clip">{event.actor}</span>
      <span class="list-when quiet small">
        <Time at={event.created_at} />
      </span>
    </>
  );
}

/** The record of the address; one that the list does not have, because it is old or filtered out, is loaded. */
function ChosenEvent({ seq, listed }: { seq: string; listed: LoggedEvent | undefined }) {
  const number = /^\d{1,15}$/.test(seq) ? Number(seq) : 0;
  const older = useResource(listed ? null : "/api/audit", { query: { limit: 1, cursor: number + 1 } });
  if (listed) return <EventDetail event={listed} />;
  return (
    <Loaded of={older}>
      {({ events: [first] }) =>
        first?.seq === number ? (
          <EventDetail event={first} />
        ) : (
          <Empty icon="audit" title={`The log has no record ${seq}.`} />
        )
      }
    </Loaded>
  );
}

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function EventDetail({ event }: { event: LoggedEvent }) {
  const { plan_id, task_id, run_id } = event;
  return (
    <article class="audit-detail" aria-label={`Record ${event.seq}`}>
      <h2>
        Record {event.seq}: {typeWord(event.event_type)}
      </h2>
      <p class="apart">{eventWords(event)}</p>
      <Facts
        of={{
          Time: <time dateTime={event.created_at}>{EXACT.format(new Date(event.created_at))}</time>,
          Type: <code>{event.event_type}</code>,
          Client: event.actor,
          Plan: plan_id && <a href={planPath(plan_id)}>{plan_id}</a>,
          Task: task_id && plan_id ? <a href={planPath(plan_id, task_id)}>{task_id}</a> : task_id,
          Run: run_id && <a href={`/runs/${run_id}`}>Open the run</a>,
          Hash: <CopyText text={event.hash} name="Copy the hash" first={16} />,
        }}
      />
      <h3>Content</h3>
      <CodeBlock
        text={shownJson(event.payload)}
        language="json"
        label={`Content of record ${event.seq}`}
        wrap
      />
    </article>
  );
}

type Verification =
  | { readonly kind: "unknown" | "checking" }
  | { readonly kind: "checked"; readonly of: Answer<"/api/audit/verify">; readonly at: Date }
  | { readonly kind: "failed"; readonly error: ApiError };

/** Kept while the tab is open: checking reads the whole log. */
const verification = signal<Verification>({ kind: "unknown" });

async function verify(head?: string): Promise<void> {
  verification.value = { kind: "checking" };
  try {
    const of = await get("/api/audit/verify", head ? { query: { head } } : {});
    verification.value = { kind: "checked", of, at: new Date() };
  } catch (error) {
    verification.value = { kind: "failed", error: toApiError(error) };
  }
}

/** Whether every record of the log still holds, checked when the page opens and on demand. */
function Chain() {
  const [head, setHead] = useState("");
  useEffect(() => {
    if (verification.peek().kind === "unknown") void verify();
  }, []);
  return (
    <div class="row wrap" role="status">
      <Verdict of={verification.value} />
      {/* A head that was kept elsewhere shows that nothing was cut off since. */}
      <FormButton
        words="Verify a head"
        small
        look="quiet"
        class="push"
        submit="Verify"
        canSubmit={head.trim() !== ""}
        run={async () => void verify(head.trim())}
      >
        <p class="quiet small">
          The last line of an export is the head of the chain. If you kept one, check that the log still
          contains it: then nothing was removed or rewritten since.
        </p>
        <TextField
          label="Head"
          class="mono"
          value={head}
          placeholder="64 hexadecimal digits"
          onChange={setHead}
        />
      </FormButton>
    </div>
  );
}

function Verdict({ of }: { of: Verification }) {
  if (of.kind === "failed") return <Badge means="failed" words={of.error.message} />;
  if (of.kind !== "checked") return <Badge means="off" icon="clock" words="Checking the chain" />;
  const { ok, count: records, head, rows, running, message } = of.of;
  if (!ok)
    return (
      <div class="row wrap">
        <Badge means="failed" icon="alert" words="The chain is broken" />
        <span>{message}</span>
        <span class="quiet small">Valid before it: {plural(records, "record")}.</span>
      </div>
    );
  return (
    <>
      <Badge means="done" title={head ? `Head ${head}` : ""} words="Chain verified" />
      <span class="quiet small">
        {plural(records, "record")}
        {rows ? `, ${plural(rows, "row")}` : ""}
        {running ? `, ${plural(running, "run")} in progress` : ""} · <Time at={of.at} />
      </span>
      {head && <CopyButton text={head} name="Copy the head of the chain" />}
    </>
  );
}
