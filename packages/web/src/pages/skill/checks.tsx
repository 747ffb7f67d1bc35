import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { type Resource, useResource } from "../../api/data.ts";
import { Diff } from "../../parts/code.tsx";
import { Table } from "../../parts/list.tsx";
import { Facts } from "../../parts/list-page.tsx";
import {
  Badge,
  Command,
  count,
  Icon,
  type IconName,
  LinkButton,
  type Meaning,
  plural,
} from "../../parts/look.tsx";
import { EDGE_WORDS, skillPath } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

/** The address of a file of a skill. */
export const fileAddress = (id: string, file: string): string =>
  `${skillPath(id)}?tab=files&file=${encodeURIComponent(file)}`;

interface Line {
  readonly key: string;
  readonly means: Meaning;
  readonly icon?: IconName | undefined;
  readonly word: string;
  readonly text: ComponentChildren;
}

/** What was found, line by line: a word for its kind, and what it says. */
function Lines({ title, of }: { title?: string; of: readonly Line[] }) {
  if (of.length === 0) return null;
  return (
    <section class={title ? "section" : ""}>
      {title && <h2>{title}</h2>}
      <ul class="lines">
        {of.map(({ key, means, icon, word, text }) => (
          <li key={key} class="row">
            <Badge means={means} icon={icon}>
              {word}
            </Badge>
            <div class="row wrap fill">{text}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lineMark = (line: number | undefined) => line !== undefined && <span class="quiet">Line {line}: </span>;

type Edges = Answer<"/api/skills/{id}/edges">;
type OneEdge = Omit<Edges["out"][number], "to"> & { readonly name: string };

/** Which skills this one leads to, and which lead to it, with the sentence behind each. */
export function EdgesTab({ id, name }: { id: string; name: string }) {
  const edges = useResource("/api/skills/{id}/edges", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={edges}>
      {({ out, in: into, dangling }) =>
        out.length + into.length + dangling.length === 0 ? (
          <Empty icon="graph" title={`${name} names no other skill, and no other skill names it.`} />
        ) : (
          <>
            <Lines
              title="This skill leads to"
              of={out.map(({ to, ...edge }) => edgeLine({ ...edge, name: to }))}
            />
            <Lines
              title="Skills that lead here"
              of={into.map(({ from, ...edge }) => edgeLine({ ...edge, name: from }))}
            />
            <Lines
              title="Missing skills"
              of={dangling.map(({ name: missing, line }) => ({
                ...{ key: `${missing} ${line}`, means: "failed", icon: "alert", word: "Missing" },
                text: (
                  <>
                    <code>{missing}</code>
                    <span class="quiet small">line {line}: there is no skill of this name</span>
                  </>
                ),
              }))}
            />
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

function edgeLine({ id, name, type, alternative, line, text, rules }: OneEdge): Line {
  const isNow = type === "requires_now";
  return {
    ...{ key: `${name} ${line} ${type}`, means: isNow ? "waits" : "plain", icon: isNow ? "link" : undefined },
    word: EDGE_WORDS[type],
    text: (
      <>
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
      </>
    ),
  };
}

type Finding = Answer<"/api/skills/{id}/findings">["findings"][number];

const LOOKS: Readonly<Record<Finding["severity"], readonly [Meaning, string]>> = {
  error: ["failed", "Error"],
  warning: ["waits", "Warning"],
  note: ["plain", "Note"],
};

interface FindingsTabProps {
  readonly id: string;
  readonly diagnostics: Answer<"/api/skills/{id}">["diagnostics"];
  readonly found: Resource<Answer<"/api/skills/{id}/findings">>;
}

/** What knack lint and the catalog say of this skill. */
export function FindingsTab({ id, diagnostics, found }: FindingsTabProps) {
  return (
    <Loaded of={found}>
      {({ findings, total }) =>
        findings.length + diagnostics.length === 0 ? (
          <Empty icon="check" title="Nothing to report: no security or quality finding." />
        ) : (
          <>
            <Lines
              of={[
                ...diagnostics.map(
                  ({ code, message, line }): Line => ({
                    ...{ key: code + message, means: "waits", icon: "alert", word: code },
                    text: (
                      <span>
                        {lineMark(line)}
                        {message}
                      </span>
                    ),
                  }),
                ),
                ...findings.map((finding) => findingLine(id, finding)),
              ]}
            />
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

function findingLine(id: string, finding: Finding): Line {
  const { rule, severity, category, file, line, message, suppressed } = finding;
  const [means, word] = LOOKS[severity];
  return {
    key: `${rule} ${file} ${line} ${message}`,
    ...(suppressed === null ? { means, word } : { means: "off", word: "Suppressed" }),
    icon: severity === "note" ? undefined : "alert",
    text: (
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
    ),
  };
}

const KINDS = {
  changed: "Changed",
  missing: "Missing",
  extra: "New",
  link: "Replaced by a link",
  unknown: "Cannot be read",
} as const;

/** Whether the skill is as it was locked, and what changed since. */
export function LockTab({ id, name }: { id: string; name: string }) {
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
            <p class="apart">
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
export function TriggersTab({ id, name }: { id: string; name: string }) {
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

function Cases({ report }: { report: Report }) {
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
