import { useState } from "preact/hooks";
import type { Answer } from "../../../api/client.ts";
import { useResource } from "../../../api/resource.ts";
import { SelectFilter } from "../../../parts/list/filters.tsx";
import { Table } from "../../../parts/list/table.tsx";
import { Badge } from "../../../parts/look/badge.tsx";
import { size, Time } from "../../../parts/look/words.tsx";
import { Empty, Loaded } from "../../../parts/state/states.tsx";
import { Diff } from "../../../parts/text/diff.tsx";
import type { RunDetail } from "../run-state.tsx";

type Version = Answer<"/api/runs/{id}/artifacts/{name}/versions">["versions"][number];

/** The versions of an artifact, and the difference between two of them. */
export function Compare({
  run,
  artifact,
}: {
  readonly run: string;
  readonly artifact: RunDetail["artifacts"][number];
}) {
  const path = { id: run, name: artifact.name };
  const versions = useResource("/api/runs/{id}/artifacts/{name}/versions", { path }, { reloadOn: ["log"] });
  return (
    <Loaded of={versions} rows={3}>
      {({ versions: all }) => <Versions run={run} artifact={artifact} all={all} />}
    </Loaded>
  );
}

function Versions({
  run,
  artifact: { name, version },
  all,
}: {
  readonly run: string;
  readonly artifact: RunDetail["artifacts"][number];
  readonly all: readonly Version[];
}) {
  const older = all.find((one) => one.version < version) ?? all.find((one) => one.version !== version);
  const [from, setFrom] = useState(String(older?.version ?? ""));
  const [to, setTo] = useState(String(version));
  const options = all.map((one) => ({ value: String(one.version), words: `Version ${one.version}` }));
  return (
    <>
      <Table
        label={`Versions of ${name}`}
        rows={all}
        keyOf={(one) => String(one.version)}
        columns={[
          {
            title: "Version",
            cell: (one) => (
              <>
                {one.version} {one.version === version && <Badge means="plain">This run</Badge>}
              </>
            ),
          },
          { title: "Made", cell: (one) => <Time at={one.created_at} /> },
          { title: "Size", cell: (one) => size(one.size_bytes), isNumber: true },
          { title: "Run", cell: (one) => <a href={`/runs/${one.run}`}>Open the run</a> },
        ]}
      />
      {older === undefined ? (
        <p class="quiet small">There is one version only; a run that makes other bytes adds the next.</p>
      ) : (
        <>
          <div class="artifact-compare" role="group" aria-label="Compare two versions">
            <span class="small quiet">Compare</span>
            <SelectFilter
              isOn={false}
              label="Older version"
              value={from}
              options={options}
              onChange={setFrom}
            />
            <span class="small quiet">with</span>
            <SelectFilter isOn={false} label="Newer version" value={to} options={options} onChange={setTo} />
          </div>
          <Difference run={run} name={name} from={from} to={to} />
        </>
      )}
    </>
  );
}

function Difference({
  run,
  name,
  from,
  to,
}: {
  readonly run: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}) {
  const diff = useResource("/api/runs/{id}/artifacts/{name}/diff", {
    path: { id: run, name },
    query: { from, to },
  });
  return (
    <Loaded of={diff} rows={4}>
      {(data) =>
        data.diff === "" ? (
          <Empty icon="check" title="The two versions are the same." />
        ) : (
          <Diff text={data.diff} label={`Difference between version ${from} and ${to}`} />
        )
      }
    </Loaded>
  );
}
