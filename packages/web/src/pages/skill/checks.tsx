import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { type Resource, useResource } from "../../api/data.ts";
import { Diff } from "../../parts/code.tsx";
import { Table } from "../../parts/list.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, Command, count, Icon, LinkButton, type Meaning, plural } from "../../parts/look.tsx";
import { EDGE_WORDS, skillPath } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

type Edges = Answer<"/api/skills/{id}/edges">;
type OneEdge = Omit<Edges["out"][number], "to"> & { readonly name: string };

/** Which skills this one leads to, and which lead to it, with the sentence behind each. */
export function EdgesTab({ id, name }: { readonly id: string; readonly name: string }) {
  const edges = useResource("/api/skills/{id}/edges", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={edges}>
      {({ out, in: into, dangling }) =>
        out.length + into.length + dangling.length === 0 ? (
          <Empty icon="graph" title={`${name} names no other skill, and no other skill names it.`} />
        ) : (
          <>
            <EdgeList
              title="This skill leads to"
              edges={out.map(({ to, ...edge }) => ({ ...edge, name: to }))}
            />
            <EdgeList
              title="Skills that lead here"
              edges={into.map(({ from, ...edge }) => ({ ...edge, name: from }))}
            />
            {dangling.length > 0 && (
              <section class="section">
                <h2>Missing skills</h2>
                <ul class="edges">
                  {dangling.map(({ name: missing, line }) => (
                    <li key={missing + line}>
                      <Badge means="failed" icon="alert">
                        Missing
                      </Badge>
                      <code>{missing}</code>
                      <span class="quiet small">line {line}: there is no skill of this name</span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <p class="section">
              <LinkButton icon="graph" href={`/graph?focus=${encodeURIComponent(id)}`}>
                Show in the graph
              </LinkButton>
            </p>
          </>
        )
      }
    </Loaded>
  );
}

function EdgeList({ title, edges }: { readonly title: string; readonly edges: readonly OneEdge[] }) {
  if (edges.length === 0) return null;
  return (
    <section class="section">
      <h2>{title}</h2>
      <ul class="edges">
        {edges.map(({ id, name, type, alternative, line, text, rules }) => (
          <li key={`${name} ${line} ${type}`}>
            <Badge
              means={type === "requires_now" ? "waits" : "plain"}
              {...(type === "requires_now" ? { icon: "link" as const } : {})}
            >
              {EDGE_WORDS[type]}
            </Badge>
            {id ? (
              <a class="mono" href={skillPath(id)}>
                {name}
              </a>
            ) : (
              <code>{name}</code>
            )}
            {alternative && <span class="quiet small">one of several</span>}
            <p class="small edge-sentence" title={`Rules: ${rules.join(", ")}`}>
              <span class="quiet">Line {line}: </span>
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Finding = Answer<"/api/skills/{id}/findings">["findings"][number];

const LOOKS: Readonly<Record<Finding["severity"], readonly [Meaning, string]>> = {
  error: ["failed", "Error"],
  warning: ["waits", "Warning"],
  note: ["plain", "Note"],
};

/** What knack lint and the catalog say of this skill. */
export function FindingsTab({
  id,
  diagnostics,
  found,
}: {
  readonly id: string;
  readonly diagnostics: Answer<"/api/skills/{id}">["diagnostics"];
  readonly found: Resource<Answer<"/api/skills/{id}/findings">>;
}) {
  return (
    <Loaded of={found}>
      {({ findings, total }) =>
        findings.length + diagnostics.length === 0 ? (
          <Empty icon="check" title="Nothing to report: no security or quality finding." />
        ) : (
          <ul class="findings">
            {diagnostics.map(({ code, message, line }) => (
              <li key={code + message}>
                <Badge means="waits" icon="alert">
                  {code}
                </Badge>
                <span>
                  {line !== undefined && <span class="quiet">Line {line}: </span>}
                  {message}
                </span>
              </li>
            ))}
            {findings.map((one) => (
              <FindingLine key={`${one.rule} ${one.file} ${one.line} ${one.message}`} id={id} finding={one} />
            ))}
            {total > findings.length && (
              <li class="quiet">
                {total - findings.length} more: run <code>knack lint</code>.
              </li>
            )}
          </ul>
        )
      }
    </Loaded>
  );
}

function FindingLine({ id, finding }: { readonly id: string; readonly finding: Finding }) {
  const { rule, severity, category, file, line, message, suppressed } = finding;
  const [means, word] = LOOKS[severity];
  return (
    <li>
      <Badge
        means={suppressed === null ? means : "off"}
        {...(severity === "note" ? {} : { icon: "alert" as const })}
      >
        {suppressed === null ? word : "Suppressed"}
      </Badge>
      <div>
        <p>{message}</p>
        <p class="small quiet">
          <code>{rule}</code>, {category},{" "}
          <a href={`${skillPath(id)}?tab=files&file=${encodeURIComponent(file)}`}>
            {file}
            {line !== null && `:${line}`}
          </a>
          {suppressed !== null && <>, suppressed: {suppressed}</>}
        </p>
      </div>
    </li>
  );
}

const KINDS = {
  changed: "Changed",
  missing: "Missing",
  extra: "New",
  link: "Replaced by a link",
  unknown: "Cannot be read",
} as const;

/** Whether the skill is as it was locked, and what changed since. */
export function LockTab({ id, name }: { readonly id: string; readonly name: string }) {
  const lock = useResource("/api/skills/{id}/lock", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={lock}>
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
            <p class="lock-state">
              {state === "same" ? (
                <Badge means="done" icon="lock">
                  As it was locked
                </Badge>
              ) : (
                <Badge means="waits" icon="alert">
                  Changed since it was locked
                </Badge>
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
      <label class="search-field">
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
          <p class="try-verdict row">
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
