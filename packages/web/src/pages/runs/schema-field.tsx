import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/look.tsx";
import "./runs.css";

interface SchemaFieldProps {
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
        <span class="row">
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
          type={(/key|token|secret|password/i.test(name) ? "password" : "text") as "text"}
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
        <div key={keys[place] ?? `new-${place}`} class="field-item row">
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

/** Any value, typed as JSON. Text that is no JSON yet is kept and said. */
function JsonField({
  input,
  value,
  onChange,
}: {
  readonly input: object;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState("");
  const read = (typed: string): void => {
    setText(typed);
    if (typed.trim() === "") {
      setProblem("");
      onChange(undefined);
      return;
    }
    try {
      const parsed: unknown = JSON.parse(typed);
      setProblem("");
      onChange(parsed);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <textarea
        {...input}
        class="mono"
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        placeholder="JSON"
        value={text}
        onInput={(event) => read(event.currentTarget.value)}
      />
      {problem && (
        <p class="fault" role="status">
          This is no JSON yet: {problem}
        </p>
      )}
    </>
  );
}

/** What the server found wrong, and where. */
export interface Fault {
  readonly at: readonly string[];
  readonly message: string;
}

/** The faults of exactly this place, and for a field that shows a whole value also of what is inside it. */
export function faultsAt(
  faults: readonly Fault[],
  path: readonly string[],
  isWhole = false,
): readonly Fault[] {
  return faults.filter(
    ({ at }) =>
      (at.length === path.length || (isWhole && at.length > path.length)) &&
      path.every((one, place) => one === at[place]),
  );
}

export const idOf = (path: readonly string[]): string => `field-${path.join("-").replaceAll(/[^\w-]/g, "_")}`;

/** A field with its name, what it means, and what is wrong with it. */
export function Field({
  path,
  name,
  about,
  isRequired,
  faults,
  children,
  side,
}: {
  readonly path: readonly string[];
  readonly name: string;
  readonly about?: unknown;
  readonly isRequired: boolean;
  readonly faults: readonly Fault[];
  readonly children: ComponentChildren;
  /** Beside the name. */
  readonly side?: ComponentChildren;
}) {
  const id = idOf(path);
  return (
    <div class={`field ${faults.length > 0 ? "field-wrong" : ""}`}>
      <div class="field-name">
        <label for={id}>{name}</label>
        {isRequired ? <span class="quiet small">required</span> : null}
        {side}
      </div>
      {typeof about === "string" && about !== "" && (
        <p class="field-about quiet small" id={`${id}-about`}>
          {about}
        </p>
      )}
      {children}
      <Wrong id={id} faults={faults} />
    </div>
  );
}

function Wrong({ id, faults }: { readonly id: string; readonly faults: readonly Fault[] }) {
  return (
    <p class="fault" id={`${id}-fault`} aria-live="polite">
      {faults.map(({ message }) => message).join(" ")}
    </p>
  );
}

/** What ties an input to its name, its meaning and its faults. */
export function inputProps(path: readonly string[], faults: readonly Fault[], hasAbout: boolean) {
  const id = idOf(path);
  const described = [hasAbout ? `${id}-about` : "", faults.length > 0 ? `${id}-fault` : ""].filter(Boolean);
  return {
    id,
    "aria-invalid": faults.length > 0,
    ...(described.length > 0 ? { "aria-describedby": described.join(" ") } : {}),
  };
}

/** How a JSON Schema becomes a field of a form. */

export type Schema = Readonly<Record<string, unknown>>;
type FieldKind = "choice" | "switch" | "number" | "text" | "list" | "group" | "json";

/** The kind of field; "json" for what a form cannot show otherwise, such as any value or one of several shapes. */
export function fieldKind(schema: Schema): FieldKind {
  if (Array.isArray(schema.enum)) return "choice";
  if ("const" in schema) return "choice";
  if (["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((word) => word in schema)) return "json";
  const type = typeOf(schema);
  if (type === "boolean") return "switch";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  if (type === "array") return isSchema(schema.items) && fieldKind(schema.items) !== "json" ? "list" : "json";
  if (type === "object" || isSchema(schema.properties))
    return Object.keys(propertiesOf(schema)).length > 0 ? "group" : "json";
  return "json";
}

/** `type` may be a list; null beside another type only says that it may be missing. */
function typeOf({ type }: Schema): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (!isSchema(schema.properties)) return {};
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, one]) => [name, isSchema(one) ? one : {}]),
  );
}

export function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

function choicesOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema.enum) ? schema.enum : [schema.const];
}

/** What the field shows at first: the schema's default. */
export function initialValue(schema: Schema): unknown {
  if ("default" in schema) return schema.default;
  if (fieldKind(schema) !== "group") return undefined;
  const values = Object.entries(propertiesOf(schema)).map(([name, one]) => [name, initialValue(one)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The value without what was left empty; a group with nothing in it is left out too. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutEmpty(one) ?? null);
  if (!isSchema(value)) return value;
  const filled = Object.entries(value)
    .map(([name, one]) => [name, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined);
  return filled.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(filled);
}

/** A number as it was typed; text that is no number stays, so that the server can say what is wrong. */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
