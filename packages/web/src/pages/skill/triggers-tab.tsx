import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Table } from "../../parts/list/table.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import { Empty, Loaded } from "../../parts/state/states.tsx";

type Report = Answer<"/api/skills/{id}/triggers">;
type Case = Report["cases"][number];

/** Would an agent find this skill? A box to try a request, and the tests beside the skill with their results. */
export function TriggersTab({ id, name }: { readonly id: string; readonly name: string }) {
  const report = useResource("/api/skills/{id}/triggers", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <>
      <TryPrompt id={id} name={name} />
      <section class="section">
        <h2>Trigger tests</h2>
        <Loaded of={report}>
          {(data) =>
            data.total === 0 ? (
              <Empty
                icon="try"
                title="This skill has no trigger tests. Write requests that should find it, and some that should not, into triggers.yaml beside it."
              />
            ) : (
              <Cases report={data} />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function TryPrompt({ id, name }: { readonly id: string; readonly name: string }) {
  const [text, setText] = useState("");
  const query = text.trim();
  const found = useResource(
    query === "" ? null : "/api/search",
    { query: { q: query, limit: 8 } },
    { keepPrevious: true },
  );
  const results = query === "" ? [] : (found.data?.results ?? []);
  const place = results.findIndex(({ skill }) => skill.id === id);
  const own = results[place];
  return (
    <section aria-label="Try a request">
      <label class="field try-field">
        <Icon name="try" />
        <input
          type="text"
          aria-label="A request"
          placeholder={`Type a request: would an agent find ${name}?`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div role="status">
        {query !== "" && found.data && (
          <p class="try-verdict">
            {own?.fits ? (
              <Badge means="done">{place === 0 ? "Found first" : `Found at place ${place + 1}`}</Badge>
            ) : (
              <Badge means="failed">{own ? "Only a weaker match" : "Not found"}</Badge>
            )}
            {own && own.matched.length > 0 && (
              <span class="quiet small">matched: {own.matched.join(", ")}</span>
            )}
          </p>
        )}
      </div>
      {results.length > 0 && (
        <ol class="try-results">
          {results.map(({ skill, fits, matched }) => (
            <li key={skill.id} class={fits ? "" : "quiet"}>
              <a class="mono" href={skillPath(skill.id)} aria-current={skill.id === id ? "true" : undefined}>
                {skill.name}
              </a>
              <span class="small quiet">{fits ? matched.join(", ") : "weaker match"}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Cases({ report }: { readonly report: Report }) {
  const { positives, hit_at_1, negatives, false_triggers, cases, faults } = report;
  return (
    <>
      <p class="quiet">
        {positives > 0 &&
          `Found first for ${count(Math.round(hit_at_1 * positives))} of ${plural(positives, "request")}. `}
        {negatives > 0 &&
          `Of ${plural(negatives, "request")} for others, ${count(false_triggers)} found it by mistake.`}
      </p>
      {faults.map(({ path, message }) => (
        <p key={path + message} class="stale">
          {path}: {message}
        </p>
      ))}
      <Table<Case>
        label="Trigger tests"
        rows={cases}
        keyOf={({ prompt, should_trigger: should }) => `${should} ${prompt}`}
        columns={[
          {
            title: "Result",
            cell: ({ ok }) => <Badge means={ok ? "done" : "failed"}>{ok ? "Passed" : "Failed"}</Badge>,
          },
          { title: "Request", cell: ({ prompt }) => prompt },
          {
            title: "Expected",
            cell: ({ should_trigger: should }) => (should ? "this skill" : "another skill, or none"),
          },
          {
            title: "Found first",
            cell: ({ first }) => (first ? <code>{first}</code> : <span class="quiet">nothing</span>),
          },
        ]}
      />
    </>
  );
}
