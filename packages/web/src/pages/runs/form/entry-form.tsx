import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Answer, ApiError, post } from "../../../api/client.ts";
import { toast } from "../../../parts/float/toast.tsx";
import { Button } from "../../../parts/look/button.tsx";
import { Icon } from "../../../parts/look/icon.tsx";
import { useShortcuts } from "../../../parts/page/shortcuts.ts";
import type { RunDetail } from "../run-state.tsx";
import type { Fault } from "./field.tsx";
import { declaredInputs, InputFields, type Inputs } from "./input-fields.tsx";
import { SchemaField } from "./schema-field.tsx";
import { initialValue, isRequired, propertiesOf, type Schema, withoutEmpty } from "./schema-kind.ts";

/** The server checks a form this long after the last change. */
const CHECK_MS = 400;

type Entry = Answer<"/api/registry/{name}">;
type Values = Readonly<Record<string, unknown>>;
interface Checked {
  readonly faults: readonly Fault[];
  readonly explanation: { readonly hit: boolean; readonly reasons: readonly string[] } | null;
}

/** The form of one typed skill: its files and its parameters, with the server's own words for what is wrong. */
export function EntryForm({
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
      toast(error instanceof ApiError ? error.message : String(error), { isFailure: true });
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
        <p class="field-fault" role="alert">
          {general.map(({ message }) => message).join(" ")}
        </p>
      )}
      <div class="run-form-end">
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
    <p class="run-forecast small quiet" role="status" title={explanation?.reasons.join("\n")}>
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
