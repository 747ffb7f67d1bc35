import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Table } from "../../parts/list/table.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { Time } from "../../parts/look/words.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import type { RunDetail } from "./run-state.tsx";

type Key = Answer<"/api/runs/{id}/key">;
type Part = Key["parts"][number];

const NAMES: Readonly<Record<Part["part"], string>> = {
  version: "Version",
  implementation: "Code",
  input: "Input",
  param: "Parameter",
  environment: "Environment or entry",
};

/** Why the run was executed and no earlier result returned, and when its own result was returned again. */
export function RunKey({ run, served }: { readonly run: RunDetail; readonly served: string | undefined }) {
  const key = useResource("/api/runs/{id}/key", { path: { id: run.id } }, { reloadOn: ["log"] });
  return (
    <Loaded of={key}>
      {(data) => (
        <div class="run-part">
          {served !== undefined && (
            <p class="run-reason">
              This request had the key of the run that is shown here, so its result was returned at once
              {servedBy(data, served)}. The rest of this page says why that run was executed.
            </p>
          )}
          <p class={served === undefined ? "run-reason" : ""}>
            {data.reason}{" "}
            {data.compared_with && (
              <>
                <a href={`/runs/${data.compared_with.id}`}>Open that run</a> (
                <Time at={data.compared_with.started_at} />)
              </>
            )}
          </p>
          <Table
            label="Parts of the key"
            rows={data.parts}
            keyOf={({ part, name }) => `${part} ${name}`}
            columns={[
              {
                title: "Part",
                cell: ({ part, name }) => (
                  <>
                    {NAMES[part]} {part !== "version" && name && <code>{name}</code>}
                  </>
                ),
              },
              {
                title: "Compared",
                cell: (part) =>
                  data.compared_with === null ? (
                    <Badge means="plain">First run</Badge>
                  ) : part.same ? (
                    <Badge means="done">Same</Badge>
                  ) : (
                    <Badge means="waits" icon="alert">
                      Changed
                    </Badge>
                  ),
              },
              { title: "Before", cell: ({ part, before }) => <Value part={part} text={before} /> },
              { title: "Now", cell: ({ part, now }) => <Value part={part} text={now} /> },
            ]}
          />
          <p class="run-path small">
            <span class="quiet">Key</span> <code class="clip">{data.key}</code>
            <CopyButton text={data.key} name="Copy the key" />
          </p>
          <h3>Returned again</h3>
          {data.served.length === 0 ? (
            <p class="quiet">
              Not yet. The next run of {run.skill} with the same key returns this result at once.
            </p>
          ) : (
            <ul class="run-served">
              {data.served.map(({ at, actor, seq, task }) => (
                <li key={seq}>
                  <Time at={at} /> <span class="quiet">to {actor}</span> {task && <code>{task}</code>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Loaded>
  );
}

function servedBy({ served }: Key, seq: string): string {
  const own = served.find((one) => String(one.seq) === seq);
  return own ? ` to ${own.actor}` : "";
}

/** Digests are shortened; the whole is on hover. */
function Value({ part, text }: { readonly part: Part["part"]; readonly text: string | null }) {
  if (text === null || text === "") return <span class="quiet">none</span>;
  const isDigest = part === "implementation" || part === "input";
  const shown = isDigest
    ? text
        .split(" ")
        .map((one) => one.slice(0, 12))
        .join(" ")
    : text;
  return (
    <code class="run-value" title={text}>
      {shown}
    </code>
  );
}
