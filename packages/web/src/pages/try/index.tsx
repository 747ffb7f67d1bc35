import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, Button, Command, count, Icon, Marks, plural } from "../../parts/look.tsx";
import { PageHead, useQuery, useTypedText } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { MATCH_WORDS } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import "./try.css";

/** The answer is asked for when nobody has typed for this long. */
const PAUSE_MS = 180;

/** A playground: what a request would lead to, without recording or loading anything. */
export function Page() {
  const { route } = useLocation();
  const { query, address } = useQuery();
  const { q: asked = "", skill } = query;
  const { text, setText, flush } = useTypedText(PAUSE_MS, { skill: undefined });
  const field = useRef<HTMLTextAreaElement>(null);
  const go = (changes: { readonly q?: string; readonly skill?: string }): void =>
    route(address("/try", changes));
  useEffect(() => field.current?.focus(), []);
  useShortcuts("Try", [{ keys: "e", words: "Edit the request", run: () => field.current?.focus() }]);
  const trial = useResource(
    asked === "" ? null : "/api/search",
    { query: { q: asked, try: true, skill } },
    { keepPrevious: true },
  );
  return (
    <div class="page page-try">
      <PageHead title="Try" />
      <div class="search-field apart">
        <Icon name="try" size={18} />
        <textarea
          ref={field}
          rows={2}
          aria-label="A request, as you would type it to an agent"
          placeholder="Type a request as you would type it to an agent, in any language"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            flush();
          }}
        />
      </div>
      <p class="small quiet apart">Nothing here is recorded, and nothing counts as loaded.</p>
      {asked === "" ? (
        <Starts onChoose={(words) => go({ q: words })} />
      ) : (
        <Loaded of={trial} rows={8}>
          {(data) => (
            <div class="with-aside">
              <Ranking data={data} onChoose={(id) => go({ skill: id })} />
              {data.trial && <Outcome data={data.trial} />}
            </div>
          )}
        </Loaded>
      )}
    </div>
  );
}

/** Before the first request: some to begin with, made from what the skills here say they are for. */
function Starts({ onChoose }: { onChoose: (words: string) => void }) {
  return (
    <Loaded of={useResource("/api/skills", { query: { limit: 5 } })} rows={3}>
      {(data) =>
        data.skills.length === 0 ? (
          <Empty icon="skills" title="There are no skills here yet, so nothing can be found.">
            <Command text="knack new my-skill" />
          </Empty>
        ) : (
          <Empty
            icon="try"
            title="See which skill an agent would find, where the request goes, and the very text the agent would read."
          >
            {data.skills.map(({ id, description }) => (
              <Button
                key={id}
                class="try-start"
                words={<span class="clip">{requestFrom(description)}</span>}
                onClick={() => onChoose(requestFrom(description))}
              />
            ))}
          </Empty>
        )
      }
    </Loaded>
  );
}

/** More letters do not fit on a button. */
const MAX_REQUEST = 80;

/** A request to try, from what a skill says of itself: its first clause, without "Use when". */
export function requestFrom(description: string): string {
  const [sentence = ""] = description.split(/(?<=[.!?])\s|[。！？\n]|(?<=.{8}):\s|：/);
  const plain = sentence.replace(/^Use (?:this )?(?:skill )?(?:when|for|to)\s+/i, "").replace(/[.!?]$/, "");
  if (plain.length <= MAX_REQUEST) return plain;
  // Whole words, where the script has spaces.
  return plain.slice(0, MAX_REQUEST).replace(/\s+\S*$/, "");
}

/** Every skill that a search finds, best first, with why; arrows move, Enter shows what an agent would read of it. */
function Ranking({ data, onChoose }: { data: Answer<"/api/search">; onChoose: (id: string) => void }) {
  const { results, fitting } = data;
  const list = useRef<HTMLOListElement>(null);
  const chosen = data.trial?.skill?.id;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const place = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(Math.max(place + by, 0), rows.length - 1)]?.focus();
    event.preventDefault();
  };
  // A new ranking begins at its top.
  useEffect(() => list.current?.scrollTo({ top: 0 }), [results]);
  return (
    <section aria-label="Ranking">
      {results.length === 0 ? (
        <Empty
          icon="search"
          title="No skill has any of these words. An agent is told to go on without a skill."
        />
      ) : (
        <h2>{fitting === 0 ? "Nothing fits" : fitting === 1 ? "1 skill fits" : `${fitting} skills fit`}</h2>
      )}
      <ol ref={list} onKeyDown={move}>
        {results.map(({ skill, score, reason, matched, fits }, place) => (
          <li key={skill.id} class={fits ? "" : "ranking-weak"}>
            {!fits && (place === 0 || results[place - 1]?.fits) && (
              <p class="ranking-line small quiet">Nearest, probably about something else</p>
            )}
            <button
              type="button"
              class="ranking-row stack pick"
              aria-current={skill.id === chosen ? "true" : undefined}
              onClick={() => onChoose(skill.id)}
            >
              <span class="row">
                <span class="ranking-place quiet">{place + 1}</span>
                <b class="mono clip">
                  <Marks text={skill.name} words={matched} />
                </b>
                <Badge means="plain" words={skill.scope} />
                <Score value={score} />
              </span>
              <span class="ranking-words small quiet">
                <Marks text={skill.description} words={matched} />
              </span>
              <span class="small quiet">
                {MATCH_WORDS[reason]}
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
function Score({ value }: { value: number }) {
  const shown = Math.round(value * 100);
  return (
    <span class="row small push nowrap" title="How sure the search is that this skill is meant">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.min(100, shown)}%` }} />
      </span>
      {shown === 0 ? "< 1 %" : `${shown} %`}
    </span>
  );
}

type Trial = NonNullable<Answer<"/api/search">["trial"]>;
type View = "route" | "search" | "load" | "frame";

/** Where the request goes, and the texts that an agent would get on the way. */
function Outcome({ data }: { data: Trial }) {
  const [view, setView] = useState<View>("route");
  const answerOf = (tool: string) => data.answers.find((one) => one.tool === tool);
  const [search, load] = [answerOf("skill_search"), answerOf("skill_load")];
  return (
    <section class="outcome" aria-label="What happens">
      <Tabs<View>
        label="What happens"
        chosen={view}
        onChoose={setView}
        tabs={[
          { id: "route", words: "Route" },
          { id: "search", words: "Search answer", note: search && count(search.tokens) },
          { id: "load", words: "Load answer", note: load && count(load.tokens) },
          { id: "frame", words: "Frame" },
        ]}
      >
        {view === "route" && <Route data={data} />}
        {view === "search" && <ToolAnswer answer={search} />}
        {view === "load" && (
          <>
            {data.questions.map((question) => (
              <p key={question} class="note means-waits small apart">
                <Icon name="info" /> First a person is asked: {question}
              </p>
            ))}
            <ToolAnswer answer={load} />
          </>
        )}
        {view === "frame" && <Frame data={data} />}
      </Tabs>
    </section>
  );
}

const SOURCES = {
  rule: "a rule of .agents/routing.yaml",
  search: "the search",
  default: "the default",
} as const;

function Route({ data: { route } }: { data: Trial }) {
  const { role, skill, reason, source, rule, matched, others } = route;
  return (
    <>
      <Facts
        of={{
          Role: role,
          Skill: skill === null ? <Badge means="off" words="None" /> : <code>{skill}</code>,
          "Decided by": (
            <span>
              {SOURCES[source]}
              {rule !== null && (
                <>
                  : <code>{rule}</code>
                </>
              )}
            </span>
          ),
          Because: reason,
          Matched: matched.length > 0 && (
            <span class="row wrap">
              {matched.map((word) => (
                <mark key={word}>{word}</mark>
              ))}
            </span>
          ),
        }}
      />
      {others.length > 0 && (
        <>
          <h3 class="section">Also close</h3>
          <ul class="lines">
            {others.map((other) => (
              <li key={`${other.skill} ${other.rule}`} class="row">
                <code class="clip fill">{other.skill}</code>
                <span class="small quiet">
                  {other.role} ·{" "}
                  {other.rule === null ? `search ${other.score?.toFixed(2) ?? ""}` : `rule ${other.rule}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function ToolAnswer({ answer }: { answer: Trial["answers"][number] | undefined }) {
  if (!answer)
    return (
      <Empty
        icon="skills"
        title="No skill fits, so an agent loads none. Choose one in the ranking to see it."
      />
    );
  const { tool, params, status, text, tokens } = answer;
  return (
    <>
      <p class="row small apart">
        <code class="clip fill">
          {tool} {JSON.stringify(params)}
        </code>
        {status !== "success" && <Badge means={status === "error" ? "failed" : "waits"} words={status} />}
        <span class="quiet">{plural(tokens, "token")}</span>
      </p>
      <CodeBlock text={text} label={`answer of ${tool}`} wrap />
    </>
  );
}

function Frame({ data: { dispatch, skill } }: { data: Trial }) {
  if (!dispatch || !skill)
    return <Empty icon="skills" title="The request goes to no skill, so nothing is dispatched." />;
  if (dispatch.frame === null)
    return <Empty icon="alert" title={dispatch.refusal ?? "It cannot be dispatched."} />;
  return (
    <>
      <p class="small quiet apart">
        What <code>knack dispatch</code> would send to a runner, with {plural(dispatch.files.length, "file")}.
      </p>
      <CodeBlock text={dispatch.frame} label="frame" wrap />
    </>
  );
}
