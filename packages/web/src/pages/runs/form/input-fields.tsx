import type { Answer } from "../../../api/client.ts";
import { Button } from "../../../parts/look/button.tsx";
import { type Fault, Field, faultsAt, idOf, inputProps } from "./field.tsx";

interface Declared {
  readonly role: string;
  readonly required: boolean;
  readonly multiple: boolean;
}

/** Paths by role. */
export type Inputs = Readonly<Record<string, readonly string[]>>;

export const declaredInputs = ({
  inputs,
}: Pick<Answer<"/api/registry/{name}">, "inputs">): readonly Declared[] =>
  inputs as unknown as readonly Declared[];

/** The files of a run, one field for each, with the files of earlier runs as suggestions. */
export function InputFields({
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
              <span key={place} class="field-item">
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
