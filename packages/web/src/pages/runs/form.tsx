import { useLocation } from "preact-iso";
import { type Answer, post, toApiError } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { SplitBack } from "../../parts/list-page.tsx";
import { Button, Command, Icon } from "../../parts/look.tsx";
import { useDetailTitle } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import "./runs.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { toast } from "../../parts/float.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import type { RunDetail } from "./run.tsx";
import {
  type Fault,
  Field,
  faultsAt,
  idOf,
  initialValue,
  inputProps,
  isRequired,
  propertiesOf,
  type Schema,
  SchemaField,
  withoutEmpty,
} from "./schema-field.tsx";

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
              <LoadedForm key={`${skill} ${from}`} skill={skill} from={from} task={task} />
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
      <ul class="run-choices box">
        {skills.map(({ name, description }) => (
          <li key={name} class="box-item">
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

function LoadedForm({ skill, from, task }: Parameters<typeof RunForm>[0]) {
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

/** The server checks a form this long after the last change. */
const CHECK_MS = 400;

type Entry = Answer<"/api/registry/{name}">;
type Values = Readonly<Record<string, unknown>>;
interface Checked {
  readonly faults: readonly Fault[];
  readonly explanation: { readonly hit: boolean; readonly reasons: readonly string[] } | null;
}

/** The form of one typed skill: its files and its parameters, with the server's own words for what is wrong. */
function EntryForm({
  entry,
  before,
  task,
  known,
}: {
  readonly entry: Entry;
  readonly before: RunDetail | undefined;
  readonly task: string | undefined;
  readonly known: readonly string[];
}) {
  const { route } = useLocation();
  const schema = ((entry.request.properties as Record<string, Schema> | undefined)?.params ?? {}) as Schema;
  const declared = declaredInputs(entry);
  const [inputs, setInputs] = useState<Inputs>(() => inputsOf(before));
  const [params, setParams] = useState<Values>(
    () => (before?.params ?? initialValue(schema) ?? {}) as Values,
  );
  const [checked, setChecked] = useState<Checked>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const body = {
    inputs: declared.flatMap(({ role }) =>
      (inputs[role] ?? []).filter((path) => path.trim() !== "").map((path) => ({ role, path: path.trim() })),
    ),
    // The description of the API calls a free object a record of nothing.
    params: (withoutEmpty(params) ?? {}) as Record<string, never>,
  };
  const given = JSON.stringify(body);
  const check = (): Promise<Checked> =>
    post("/api/registry/{name}/check", body, { path: { name: entry.name } }) as Promise<Checked>;

  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      check().then(
        (answer) => isCurrent && setChecked(answer),
        () => isCurrent && setChecked(undefined),
      );
    }, CHECK_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [given]);

  // What is wrong is said after a try: nobody has typed everything at once.
  const faults = isTried ? (checked?.faults ?? []) : [];
  useEffect(() => {
    if (isTried) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isTried, checked?.faults.length]);

  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      const answer = await check();
      setChecked(answer);
      setTried(true);
      if (answer.faults.length > 0) return;
      const started = await post(
        "/api/run",
        { skill: entry.name, ...body, ...(task ? { task } : {}) },
        { headers: { Prefer: "respond-async" } },
      );
      if (started.cached) toast("The result of an earlier run with the same key was returned.");
      route(`/runs/${started.id}`);
    } catch (error) {
      toast(toApiError(error).message, { isFailure: true });
    } finally {
      setBusy(false);
    }
  };
  useShortcuts("Run a skill", [{ keys: "ctrl+Enter", words: "Run", inFields: true, run: () => void run() }]);

  const general = faults.filter(({ at }) => at.length < 2);
  const properties = Object.entries(propertiesOf(schema));
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Run ${entry.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <p class="quiet prose">{entry.description}</p>
      {task && (
        <p class="small">
          For the task <code>{task}</code>
        </p>
      )}
      {declared.length > 0 && <h3>Files</h3>}
      <InputFields declared={declared} inputs={inputs} onChange={setInputs} faults={faults} known={known} />
      {properties.length > 0 && <h3>Parameters</h3>}
      {properties.map(([name, one]) => (
        <SchemaField
          key={name}
          schema={one}
          name={name}
          path={["params", name]}
          value={params[name]}
          onChange={(value) => setParams((all) => ({ ...all, [name]: value }))}
          faults={faults}
          required={isRequired(schema, name)}
        />
      ))}
      {general.length > 0 && (
        <p class="fault" role="alert">
          {general.map(({ message }) => message).join(" ")}
        </p>
      )}
      <div class="run-form-end row wrap">
        <Button type="submit" icon="play" look="main" needs="runner" disabled={isBusy}>
          Run
        </Button>
        <Forecast of={checked} />
      </div>
    </form>
  );
}

/** Whether it would run, said before it does. */
function Forecast({ of }: { readonly of: Checked | undefined }) {
  const { explanation } = of ?? {};
  return (
    <p class="row small quiet" role="status" title={explanation?.reasons.join("\n")}>
      {explanation && (
        <>
          <Icon name={explanation.hit ? "undo" : "play"} size={14} />
          {explanation.hit ? "It would return the result of an earlier run at once." : "It would run."}
        </>
      )}
    </p>
  );
}

function inputsOf(before: RunDetail | undefined): Inputs {
  const roles = Object.groupBy(before?.inputs ?? [], ({ role }) => role);
  return Object.fromEntries(
    Object.entries(roles).map(([role, files]) => [role, (files ?? []).map(({ path }) => path)]),
  );
}

interface Declared {
  readonly role: string;
  readonly required: boolean;
  readonly multiple: boolean;
}

/** Paths by role. */
type Inputs = Readonly<Record<string, readonly string[]>>;

const declaredInputs = ({ inputs }: Pick<Answer<"/api/registry/{name}">, "inputs">): readonly Declared[] =>
  inputs as unknown as readonly Declared[];

/** The files of a run, one field for each, with the files of earlier runs as suggestions. */
function InputFields({
  declared,
  inputs,
  onChange,
  faults,
  known,
}: {
  readonly declared: readonly Declared[];
  readonly inputs: Inputs;
  readonly onChange: (inputs: Inputs) => void;
  readonly faults: readonly Fault[];
  readonly known: readonly string[];
}) {
  return (
    <>
      {declared.map(({ role, required, multiple }) => {
        const path = ["inputs", role];
        const paths = inputs[role] ?? [""];
        const own = faultsAt(faults, path);
        const set = (next: readonly string[]): void => onChange({ ...inputs, [role]: next });
        return (
          <Field
            key={role}
            path={path}
            name={role}
            about={
              multiple
                ? "One or more files, each as a path in the project."
                : "A file, as a path in the project."
            }
            isRequired={required}
            faults={own}
          >
            {paths.map((one, place) => (
              <span key={place} class="field-item row">
                <input
                  {...inputProps(place === 0 ? path : [...path, String(place)], own, true)}
                  {...(place > 0 ? { "aria-label": `${role} ${place + 1}` } : {})}
                  class="mono"
                  value={one}
                  list="known-files"
                  autoComplete="off"
                  spellcheck={false}
                  placeholder="docs/report.md"
                  onInput={(event) =>
                    set(paths.map((before, other) => (other === place ? event.currentTarget.value : before)))
                  }
                />
                {paths.length > 1 && (
                  <Button
                    small
                    look="quiet"
                    icon="cross"
                    aria-label={`Remove file ${place + 1}`}
                    onClick={() => set(paths.filter((_, other) => other !== place))}
                  />
                )}
              </span>
            ))}
            {multiple && (
              <Button small icon="plus" id={`${idOf(path)}-add`} onClick={() => set([...paths, ""])}>
                Add a file
              </Button>
            )}
          </Field>
        );
      })}
      <datalist id="known-files">
        {known.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}
