import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, count, Icon, plural } from "../../parts/look.tsx";
import { Empty } from "../../parts/states.tsx";
import { Tabs } from "../../parts/tabs.tsx";

type Trial = NonNullable<Answer<"/api/search">["trial"]>;
type View = "route" | "search" | "load" | "frame";

/** Where the request goes, and the texts that an agent would get on the way. */
export function Outcome({ data }: { data: Trial }) {
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
