import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { Diff } from "../../parts/code.tsx";
import { Table } from "../../parts/list.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, Button, Command, count, Icon, plural, type State } from "../../parts/look.tsx";
import { EDGE_WORDS, skillPath } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

export const fileAddress = (id: string, file: string): string =>
  `${skillPath(id)}?tab=files&file=${encodeURIComponent(file)}`;

const Line = ({ children, ...kind }: State & { children: ComponentChildren }) => (
  <li class="row">
    <Badge {...kind} />
    <div class="row wrap fill">{children}</div>
  </li>
);

function Lines({ title, children }: { title: string; children: readonly VNode[] }) {
  if (children.length === 0) return null;
  return (
    <section class="section">
      <h2>{title}</h2>
      <ul class="lines">{children}</ul>
    </section>
  );
}

const lineMark = (line: number | undefined) => line !== undefined && <span class="quiet">Line {line}: </span>;

type Edge = Omit<Answer<"/api/skills/{id}/edges">["out"][number], "to">;

export function EdgesTab({ id, name }: { id: string; name: string }) {
  return (
    <Loaded of={useResource("/api/skills/{id}/edges", { path: { id } })}>
      {({ out, in: into, dangling }) =>
        out.length + into.length + dangling.length === 0 ? (
          <Empty icon="graph" title={`${name} names no other skill, and no other skill names it.`} />
        ) : (
          <>
            <Lines title="This skill leads to">
              {out.map((edge, place) => (
                <EdgeLine key={place} name={edge.to} edge={edge} />
              ))}
            </Lines>
            <Lines title="Skills that lead here">
              {into.map((edge, place) => (
                <EdgeLine key={place} name={edge.from} edge={edge} />
              ))}
            </Lines>
            <Lines title="Missing skills">
              {dangling.map(({ name: missing, line }) => (
                <Line key={`${missing} ${line}`} means="failed" icon="alert" words="Missing">
                  <code>{missing}</code>
                  <span class="quiet small">line {line}: there is no skill of this name</span>
                </Line>
              ))}
            </Lines>
            <p class="section">
              <Button
                words="Show in the graph"
                icon="graph"
                href={`/graph?focus=${encodeURIComponent(id)}`}
              />
            </p>
          </>
        )
      }
    </Loaded>
  );
}

/** `name`: of the skill at its other end. */
function EdgeLine({ name, edge }: { name: string; edge: Edge }) {
  const { id, type, alternative, line, text, rules } = edge;
  const isNow = type === "requires_now";
  return (
    <Line means={isNow ? "waits" : "plain"} icon={isNow ? "link" : undefined} words={EDGE_WORDS[type]}>
      {id ? (
        <a class="mono" href={skillPath(id)}>
          {name}
        </a>
      ) : (
        <code>{name}</code>
      )}
      {alternative && <span class="quiet small">one of several</span>}
      <p class="small edge-sentence" title={`Rules: ${rules.join(", ")}`}>
        {lineMark(line)}
        {text}
      </p>
    </Line>
  );
}

type Report = Answer<"/api/skills/{id}">;
type Finding = Answer<"/api/skills/{id}/findings">["findings"][number];

const SEVERITIES: Readonly<Record<Finding["severity"], State>> = {
  error: { means: "failed", icon: "alert", words: "Error" },
  warning: { means: "waits", icon: "alert", words: "Warning" },
  note: { means: "plain", words: "Note" },
};

export function FindingsTab({ id, diagnostics }: { id: string; diagnostics: Report["diagnostics"] }) {
  return (
    <Loaded of={useResource("/api/skills/{id}/findings", { path: { id } })}>
      {({ findings, total }) =>
        findings.length + diagnostics.length === 0 ? (
          <Empty icon="check" title="Nothing to report: no security or quality finding." />
        ) : (
          <>
            <ul class="lines">
              {diagnostics.map(({ code, message, line }) => (
                <Line key={code + message} means="waits" icon="alert" words={code}>
                  <span>
                    {lineMark(line)}
                    {message}
                  </span>
                </Line>
              ))}
              {findings.map((finding, place) => (
                <FindingLine key={place} id={id} finding={finding} />
              ))}
            </ul>
            {total > findings.length && (
              <p class="quiet">
                {total - findings.length} more: run <code>knack lint</code>.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function FindingLine({ id, finding }: { id: string; finding: Finding }) {
  const { rule, severity, category, file, line, message, suppressed } = finding;
  return (
    <Line {...SEVERITIES[severity]} {...(suppressed === null ? {} : { means: "off", words: "Suppressed" })}>
      <div>
        <p>{message}</p>
        <p class="small quiet">
          <code>{rule}</code>, {category},{" "}
          <a href={fileAddress(id, file)}>
            {file}
            {line !== null && `:${line}`}
          </a>
          {suppressed !== null && <>, suppressed: {suppressed}</>}
        </p>
      </div>
    </Line>
  );
}

const KINDS = {
  changed: "Changed",
  missing: "Missing",
  extra: "New",
  link: "Replaced by a link",
  unknown: "Cannot be read",
} as const;

export function LockTab({ id, name }: { id: string; name: string }) {
  return (
    <Loaded of={useResource("/api/skills/{id}/lock", { path: { id } })}>
      {({ state, file, source, commit, changes }) =>
        state === "unlocked" ? (
          <Empty
            icon="lock"
            title="This skill is not locked. A lock records every byte, so that a later change is noticed:"
          >
            <Command text={`knack lock ${name}`} />
          </Empty>
        ) : (
          <>
            <p class="apart">
              {state === "same" ? (
                <Badge means="done" icon="lock" words="As it was locked" />
              ) : (
                <Badge means="waits" icon="alert" words="Changed since it was locked" />
              )}
            </p>
            <Facts
              of={{
                Lock: <code>{file}</code>,
                Source: source && (
                  <span>
                    <code>{source}</code>
                    {commit && <span class="quiet"> at {commit.slice(0, 12)}</span>}
                  </span>
                ),
              }}
            />
            {changes.map(({ path, kind, detail, diff }) => (
              <section class="section" key={path}>
                <h2 class="mono">{path || "The folder"}</h2>
                <p class="quiet small">
                  {KINDS[kind]}
                  {detail && `: ${detail}`}
                </p>
                {diff && <Diff text={diff} label={`Changes of ${path}`} />}
              </section>
            ))}
            {state === "changed" && (
              <p class="section row wrap">
                Accept the skill as it is now: <Command text={`knack lock ${name}`} />
                {source && (
                  <>
                    {" "}
                    Get it back from its source: <Command text={`knack update ${name}`} />
                  </>
                )}
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}

type Triggers = Answer<"/api/skills/{id}/triggers">;

/** Would an agent find this skill? A box to try a request, and the tests beside the skill with their results. */
export function TriggersTab({ id, name }: { id: string; name: string }) {
  return (
    <>
      <TryPrompt id={id} name={name} />
      <section class="section">
        <h2>Trigger tests</h2>
        <Loaded of={useResource("/api/skills/{id}/triggers", { path: { id } })}>
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

function TryPrompt({ id, name }: { id: string; name: string }) {
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
      <label class="search-field narrow">
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
          <p class="section row">
            {own?.fits ? (
              <Badge means="done" words={place === 0 ? "Found first" : `Found at place ${place + 1}`} />
            ) : (
              <Badge means="failed" words={own ? "Only a weaker match" : "Not found"} />
            )}
            {own && own.matched.length > 0 && (
              <span class="quiet small">matched: {own.matched.join(", ")}</span>
            )}
          </p>
        )}
      </div>
      {results.length > 0 && (
        <ol class="lines narrow">
          {results.map(({ skill, fits, matched }) => (
            <li key={skill.id} class={fits ? "row" : "row quiet"}>
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

function Cases({ report }: { report: Triggers }) {
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
        <p key={path + message} class="note means-waits small apart">
          {path}: {message}
        </p>
      ))}
      <Table<Triggers["cases"][number]>
        label="Trigger tests"
        rows={cases}
        keyOf={({ prompt, should_trigger: should }) => `${should} ${prompt}`}
        columns={[
          ["Result", ({ ok }) => <Badge means={ok ? "done" : "failed"} words={ok ? "Passed" : "Failed"} />],
          ["Request", ({ prompt }) => prompt],
          ["Expected", ({ should_trigger: should }) => (should ? "this skill" : "another skill, or none")],
          ["Found first", ({ first }) => (first ? <code>{first}</code> : <span class="quiet">nothing</span>)],
        ]}
      />
    </>
  );
}
