import { useLocation } from "preact-iso";
import type { Answer } from "../../../api/client.ts";
import { useResource } from "../../../api/resource.ts";
import { SplitBack } from "../../../parts/list/split-parts.tsx";
import { Command } from "../../../parts/look/copy-button.tsx";
import { useDetailTitle } from "../../../parts/page/title.tsx";
import { Empty, Loaded } from "../../../parts/state/states.tsx";
import { EntryForm } from "./entry-form.tsx";
import "./form.css";

/** In the address: no skill is chosen yet. A skill's name begins with a letter. */
export const ANY = "-";

/** Choose a typed skill, fill in its form, run it. */
export function RunForm({
  skill,
  from,
  task,
}: {
  readonly skill: string;
  /** A run whose inputs and parameters are taken over. */
  readonly from: string | undefined;
  /** The task of a plan that the run is for. */
  readonly task: string | undefined;
}) {
  useDetailTitle(skill === ANY ? "Run a skill" : `Run ${skill}`, "Runs");
  const { route } = useLocation();
  const registry = useResource("/api/registry", {}, { reloadOn: ["catalog"] });
  return (
    <div class="run-form">
      <SplitBack href="/runs" words="Runs" />
      <h2>Run a skill</h2>
      <Loaded of={registry}>
        {({ skills }) => (
          <>
            <div class="field">
              <div class="field-name">
                <label for="run-skill">Skill</label>
              </div>
              <select
                id="run-skill"
                class="mono"
                value={skill}
                onChange={(event) =>
                  route(`/runs?new=${encodeURIComponent(event.currentTarget.value)}`, true)
                }
              >
                {skill === ANY && <option value={ANY}>Choose…</option>}
                {skill !== ANY && !skills.some(({ name }) => name === skill) && (
                  <option value={skill}>{skill}</option>
                )}
                {skills.map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
            {skill === ANY ? (
              <Choices skills={skills} />
            ) : (
              <Entry key={`${skill} ${from}`} skill={skill} from={from} task={task} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What there is to run, with a sentence each. */
function Choices({ skills }: { readonly skills: Answer<"/api/registry">["skills"] }) {
  return (
    <>
      <ul class="run-choices">
        {skills.map(({ name, description }) => (
          <li key={name}>
            <a href={`/runs?new=${encodeURIComponent(name)}`}>
              <b class="mono">{name}</b>
              <span class="quiet small">{description}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="quiet small">
        A project declares typed skills of its own in <code>skills/registry.yaml</code>.{" "}
        <Command text="knack registry" />
      </p>
    </>
  );
}

function Entry({ skill, from, task }: Parameters<typeof RunForm>[0]) {
  const entry = useResource("/api/registry/{name}", { path: { name: skill } }, { reloadOn: ["catalog"] });
  const before = useResource(from ? "/api/runs/{id}" : null, { path: { id: from ?? "" } });
  const recent = useResource("/api/runs", { query: { limit: 50 } });
  if (from && before.data === undefined && !before.error) return null;
  return (
    <Loaded of={entry}>
      {(data) =>
        data.refused !== null ? (
          <Empty icon="lock" title={data.refused}>
            <Command text="knack trust" />
          </Empty>
        ) : (
          <EntryForm
            entry={data}
            before={before.data}
            task={task ?? before.data?.task ?? undefined}
            known={[...new Set(recent.data?.runs.flatMap(({ inputs }) => inputs.map(({ path }) => path)))]}
          />
        )
      }
    </Loaded>
  );
}
