import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Answer, type PostAnswer, post } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { act } from "../../parts/action.tsx";
import { Dialog } from "../../parts/float.tsx";
import { Button, Command, Icon } from "../../parts/look.tsx";
import { useDetailTitle } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import type { RunDetail } from "./run.tsx";
import {
  FILE_FORMAT,
  Field,
  initialValue,
  propertiesOf,
  type Schema,
  SchemaFields,
  withoutEmpty,
} from "./schema-field.tsx";

/** In the address: no skill is chosen yet. A skill's name begins with a letter. */
export const NO_SKILL_CHOSEN = "-";

interface RunFormProps {
  readonly skill: string;
  /** A run whose inputs and parameters are taken over. */
  readonly from: string | undefined;
  readonly task: string | undefined;
}

const formAddress = (skill: string): string => `/runs?new=${encodeURIComponent(skill)}`;

export function RunForm({ skill, from, task }: RunFormProps) {
  useDetailTitle(skill === NO_SKILL_CHOSEN ? "Run a skill" : `Run ${skill}`, "Runs");
  const { route } = useLocation();
  return (
    <div class="run-form">
      <h2>Run a skill</h2>
      <Loaded of={useResource("/api/registry")}>
        {({ skills }) => (
          <>
            <Field schema={{}} name="Skill" path={["skill"]} faults={[]} required={false}>
              {(input) => (
                <select
                  {...input}
                  class="mono"
                  value={skill}
                  onChange={(event) => route(formAddress(event.currentTarget.value), true)}
                >
                  {!skills.some(({ name }) => name === skill) && (
                    <option value={skill}>{skill === NO_SKILL_CHOSEN ? "Choose…" : skill}</option>
                  )}
                  {skills.map(({ name }) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            {skill === NO_SKILL_CHOSEN ? (
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

function Choices({ skills }: { skills: Answer<"/api/registry">["skills"] }) {
  return (
    <>
      <ul class="box apart">
        {skills.map(({ name, description }) => (
          <li key={name}>
            <a class="box-item pick" href={formAddress(name)}>
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

function LoadedForm({ skill, from, task }: RunFormProps) {
  const entry = useResource("/api/registry/{name}", { path: { name: skill } });
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
          <>
            <EntryForm entry={data} before={before.data} task={task ?? before.data?.task ?? undefined} />
            <datalist id="known-files">
              {[...new Set(recent.data?.runs.flatMap(({ inputs }) => inputs.map(({ path }) => path)))].map(
                (path) => (
                  <option key={path} value={path} />
                ),
              )}
            </datalist>
          </>
        )
      }
    </Loaded>
  );
}

/** The server checks a form this long after the last change. */
const CHECK_MS = 400;

type Entry = Answer<"/api/registry/{name}">;
type Values = Readonly<Record<string, unknown>>;
type Part = "inputs" | "params";
const PARTS: readonly (readonly [Part, title: string])[] = [
  ["inputs", "Files"],
  ["params", "Parameters"],
];
type Checked = PostAnswer<"/api/registry/{name}/check">;

interface EntryFormProps {
  readonly entry: Entry;
  readonly before: RunDetail | undefined;
  readonly task: string | undefined;
}

/** The form of one typed skill: its files and its parameters, with the server's own words for what is wrong. */
function EntryForm({ entry, before, task }: EntryFormProps) {
  const { route } = useLocation();
  const schemas = { inputs: fileSchema(entry), params: propertiesOf(entry.request as Schema).params ?? {} };
  const [values, setValues] = useState<Readonly<Record<Part, Values>>>(() => ({
    inputs: filesOf(schemas.inputs, before),
    params: (before?.params ?? initialValue(schemas.params) ?? {}) as Values,
  }));
  const [checked, setChecked] = useState<Checked>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const confirmations = confirmationsOf(entry);
  const form = useRef<HTMLFormElement>(null);

  const body = {
    inputs: Object.entries(values.inputs).flatMap(([role, files]) =>
      [files]
        .flat()
        .map((path) => ({ role, path: String(path ?? "").trim() }))
        .filter(({ path }) => path !== ""),
    ),
    // The description of the API calls a free object a record of nothing.
    params: (withoutEmpty(values.params) ?? {}) as Record<string, never>,
  };
  const given = JSON.stringify(body);
  const check = (): Promise<Checked> =>
    post("/api/registry/{name}/check", body, { path: { name: entry.name } });

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
    if (isTried) form.current?.querySelector<HTMLElement>(WRONG)?.focus();
  }, [isTried, checked?.faults.length]);

  const start = async (isConfirmed: boolean): Promise<string | undefined> => {
    const answer = await check();
    setChecked(answer);
    setTried(true);
    setAsked(answer.faults.length === 0 && confirmations.length > 0 && !isConfirmed);
    if (answer.faults.length > 0 || (confirmations.length > 0 && !isConfirmed)) return undefined;
    const started = await post(
      "/api/run",
      { skill: entry.name, ...body, task, ...(isConfirmed && { confirm: confirmations }) },
      { headers: { Prefer: "respond-async" } },
    );
    route(`/runs/${started.id}`);
    return started.cached ? "The result of an earlier run with the same key was returned." : undefined;
  };
  const run = async (isConfirmed = false): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    await act(
      () => start(isConfirmed),
      (words) => words,
    );
    setBusy(false);
  };
  useShortcuts("Run a skill", [{ keys: "ctrl+Enter", words: "Run", inFields: true, run: () => void run() }]);

  const general = faults.filter(({ at }) => at.length < 2);
  const { explanation } = checked ?? {};
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
      {PARTS.filter(([part]) => Object.keys(propertiesOf(schemas[part])).length > 0).map(([part, title]) => (
        <Fragment key={part}>
          <h3>{title}</h3>
          <SchemaFields
            schema={schemas[part]}
            path={[part]}
            values={values[part]}
            onChange={(change) => setValues((all) => ({ ...all, [part]: { ...all[part], ...change } }))}
            faults={faults}
          />
        </Fragment>
      ))}
      {general.length > 0 && (
        <p class="fault" role="alert">
          {general.map(({ message }) => message).join(" ")}
        </p>
      )}
      {isAsked && (
        <Dialog title={`Confirm ${confirmations.join(", ")}`} onClose={() => setAsked(false)}>
          <p class="prose apart">
            Your confirmation of <b>{confirmations.join(", ")}</b> for <code>{entry.name}</code> with these
            files and parameters is recorded with your name:
          </p>
          <ul class="apart">
            {body.inputs.map(({ role, path }) => (
              <li key={`${role} ${path}`}>
                {role}: <code>{path}</code>
              </li>
            ))}
            {Object.entries(body.params).map(([name, value]) => (
              <li key={name}>
                {name}: <code>{JSON.stringify(value)}</code>
              </li>
            ))}
          </ul>
          <div class="row wrap">
            <Button words="Confirm and run" look="main" needs="approver" onClick={() => void run(true)} />
            <Button words="Not yet" onClick={() => setAsked(false)} />
          </div>
        </Dialog>
      )}
      <div class="section row wrap">
        <Button words="Run" type="submit" icon="play" look="main" needs="runner" disabled={isBusy} />
        {/* Whether it would run, said before it does. */}
        <p class="row small quiet" role="status" title={explanation?.reasons.join("\n")}>
          {explanation && (
            <>
              <Icon name={explanation.hit ? "undo" : "play"} size={14} />
              {explanation.hit ? "It would return the result of an earlier run at once." : "It would run."}
            </>
          )}
        </p>
      </div>
    </form>
  );
}

/** The first field that is wrong; of a list that is wrong as a whole its first item or its button. */
const WRONG = '[aria-invalid="true"], [data-wrong] :is(input, button)';

interface Declared {
  readonly role: string;
  readonly kind: string;
  readonly required: boolean;
  readonly multiple: boolean;
}

/** What only a person can give: it is asked for when the skill is to run. */
function confirmationsOf({ inputs }: Entry): string[] {
  const declared = inputs as unknown as readonly Declared[];
  return declared.filter(({ kind }) => kind === "CONFIRMATION").map(({ role }) => role);
}

/** The files of a skill as a JSON Schema, so that they are fields like its parameters. */
function fileSchema({ inputs }: Entry): Schema {
  const all = inputs as unknown as readonly Declared[];
  const declared = all.filter(({ kind }) => kind !== "CONFIRMATION");
  const file = { type: "string", format: FILE_FORMAT };
  const one = { ...file, description: "A file, as a path in the project." };
  const several = {
    type: "array",
    items: file,
    description: "One or more files, each as a path in the project.",
  };
  return {
    properties: Object.fromEntries(declared.map(({ role, multiple }) => [role, multiple ? several : one])),
    required: declared.filter(({ required }) => required).map(({ role }) => role),
  };
}

/** The files of an earlier run by role; a role of several files begins with one empty field. */
function filesOf(schema: Schema, before: RunDetail | undefined): Values {
  const roles = Object.entries(propertiesOf(schema)).map(([role, { type }]) => {
    const paths = (before?.inputs ?? []).filter((input) => input.role === role).map(({ path }) => path);
    return [role, type === "array" ? (paths.length > 0 ? paths : [""]) : paths[0]] as const;
  });
  return Object.fromEntries(roles);
}
