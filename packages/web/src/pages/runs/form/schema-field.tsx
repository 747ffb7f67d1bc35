import { useState } from "preact/hooks";
import { Button } from "../../../parts/look/button.tsx";
import { type Fault, Field, faultsAt, idOf, inputProps, Wrong } from "./field.tsx";
import { JsonField } from "./json-field.tsx";
import {
  choicesOf,
  fieldKind,
  initialValue,
  isRequired,
  propertiesOf,
  readNumber,
  type Schema,
} from "./schema-kind.ts";

export interface SchemaFieldProps {
  readonly schema: Schema;
  readonly name: string;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly faults: readonly Fault[];
  readonly required: boolean;
}

/** One value of a JSON Schema as a field; groups and lists contain further fields. */
export function SchemaField(props: SchemaFieldProps) {
  const { schema, name, path, value, onChange, faults, required } = props;
  const kind = fieldKind(schema);
  if (kind === "group") return <GroupField {...props} />;
  if (kind === "list") return <ListField {...props} />;
  const own = faultsAt(faults, path, kind === "json");
  const about = schema.description;
  const input = inputProps(path, own, typeof about === "string" && about !== "");
  const text = value === undefined ? "" : String(value);
  return (
    <Field path={path} name={titleOf(schema, name)} about={about} isRequired={required} faults={own}>
      {kind === "switch" && (
        <span class="field-switch">
          <input
            {...input}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span class="quiet small">{value === true ? "Yes" : "No"}</span>
        </span>
      )}
      {kind === "choice" && <ChoiceInput input={input} schema={schema} value={value} onChange={onChange} />}
      {kind === "number" && (
        <input
          {...input}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          placeholder={rangeOf(schema)}
          onInput={(event) => onChange(readNumber(event.currentTarget.value))}
        />
      )}
      {kind === "text" && (
        <input
          {...input}
          autoComplete="off"
          spellcheck={false}
          value={text}
          {...(/key|token|secret|password/i.test(name) ? { type: "password" } : {})}
          onInput={(event) =>
            onChange(event.currentTarget.value === "" ? undefined : event.currentTarget.value)
          }
        />
      )}
      {kind === "json" && <JsonField input={input} value={value} onChange={onChange} />}
    </Field>
  );
}

function ChoiceInput({
  input,
  schema,
  value,
  onChange,
}: { readonly input: object } & Pick<SchemaFieldProps, "schema" | "value" | "onChange">) {
  const choices = choicesOf(schema);
  const chosen = choices.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
  return (
    <select
      {...input}
      value={String(chosen)}
      onChange={(event) => onChange(choices[Number(event.currentTarget.value)])}
    >
      <option value="-1">Choose…</option>
      {choices.map((one, place) => (
        <option key={place} value={String(place)}>
          {typeof one === "string" ? one : JSON.stringify(one)}
        </option>
      ))}
    </select>
  );
}

function GroupField({ schema, name, path, value, onChange, faults, required }: SchemaFieldProps) {
  const values = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const own = faultsAt(faults, path);
  return (
    <fieldset class="field-group">
      <legend>
        {titleOf(schema, name)} {required && <span class="quiet small">required</span>}
      </legend>
      {typeof schema.description === "string" && <p class="field-about quiet small">{schema.description}</p>}
      <Wrong id={idOf(path)} faults={own} />
      {Object.entries(propertiesOf(schema)).map(([key, one]) => (
        <SchemaField
          key={key}
          schema={one}
          name={key}
          path={[...path, key]}
          value={values[key]}
          onChange={(next) => onChange({ ...values, [key]: next })}
          faults={faults}
          required={isRequired(schema, key)}
        />
      ))}
    </fieldset>
  );
}

function ListField({ schema, name, path, value, onChange, faults, required }: SchemaFieldProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const itemSchema = schema.items as Schema;
  const own = faultsAt(faults, path);
  // Removing an item must not move what was typed into the next.
  const [keys, setKeys] = useState<readonly number[]>(() => items.map((_, place) => place));
  const add = (): void => {
    setKeys([...keys.slice(0, items.length), Math.max(-1, ...keys) + 1]);
    onChange([...items, initialValue(itemSchema) ?? (fieldKind(itemSchema) === "text" ? "" : undefined)]);
  };
  const remove = (place: number): void => {
    setKeys(keys.filter((_, one) => one !== place));
    const left = items.filter((_, one) => one !== place);
    onChange(left.length === 0 ? undefined : left);
  };
  return (
    <fieldset class="field-group field-list">
      <legend>
        {titleOf(schema, name)} {required && <span class="quiet small">required</span>}
      </legend>
      {typeof schema.description === "string" && <p class="field-about quiet small">{schema.description}</p>}
      <Wrong id={idOf(path)} faults={own} />
      {items.map((item, place) => (
        <div key={keys[place] ?? `new-${place}`} class="field-item">
          <SchemaField
            schema={itemSchema}
            name={`${titleOf(schema, name)} ${place + 1}`}
            path={[...path, String(place)]}
            value={item}
            onChange={(next) => onChange(items.map((one, other) => (other === place ? (next ?? "") : one)))}
            faults={faults}
            required={false}
          />
          <Button
            small
            look="quiet"
            icon="cross"
            aria-label={`Remove ${titleOf(schema, name)} ${place + 1}`}
            onClick={() => remove(place)}
          />
        </div>
      ))}
      <Button small icon="plus" id={idOf(path)} onClick={add}>
        Add to {titleOf(schema, name)}
      </Button>
    </fieldset>
  );
}

function titleOf({ title }: Schema, name: string): string {
  return typeof title === "string" && title !== "" ? title : name;
}

function rangeOf({ minimum, maximum, type }: Schema): string {
  const kind = type === "integer" ? "a whole number" : "a number";
  if (typeof minimum === "number" && typeof maximum === "number")
    return `${kind} from ${minimum} to ${maximum}`;
  if (typeof minimum === "number") return `${kind}, at least ${minimum}`;
  if (typeof maximum === "number") return `${kind}, at most ${maximum}`;
  return kind;
}
