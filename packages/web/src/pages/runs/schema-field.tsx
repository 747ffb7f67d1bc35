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
  /** What the server found wrong, and where. */
  readonly faults: readonly { at: readonly string[]; message: string }[];
  readonly required: boolean;
}

/** The input of one value: what ties it to its name, meaning and faults comes first. */
type InputProps = Pick<SchemaFieldProps, "schema" | "name" | "value" | "onChange"> & {
  readonly input: object;
};

/** One value of a JSON Schema as a field; groups and lists contain further fields. */
function SchemaField(props: SchemaFieldProps) {
  const { schema, value, onChange } = props;
  const name = typeof schema.title === "string" && schema.title !== "" ? schema.title : props.name;
  const kind = fieldKind(schema);
  const Input = kind === "group" || kind === "list" ? undefined : INPUTS[kind];
  return (
    <Field {...props} name={name} isWhole={kind === "json"} isGroup={Input === undefined}>
      {(input) =>
        Input ? (
          <Input {...{ input, schema, name, value, onChange }} />
        ) : kind === "group" ? (
          <SchemaFields
            {...props}
            values={isObject(value) ? value : {}}
            onChange={(change) => onChange({ ...(isObject(value) ? value : {}), ...change })}
          />
        ) : (
          <ListItems {...props} name={name} />
        )
      }
    </Field>
  );
}

/** A field for a text: what it looks like, and what the text becomes. */
const textInput =
  (attributes: (props: InputProps) => object, read: (text: string) => unknown = (text) => text) =>
  (props: InputProps) => (
    <input
      {...props.input}
      autoComplete="off"
      spellcheck={false}
      value={textOf(props.value)}
      onInput={(event) => props.onChange(read(event.currentTarget.value))}
      {...attributes(props)}
    />
  );
const SECRET = /key|token|secret|password/i;

const INPUTS: Readonly<
  Record<Exclude<FieldKind, "group" | "list">, (props: InputProps) => ComponentChildren>
> = {
  switch: ({ input, value, onChange }) => (
    <span class="row">
      <input
        {...input}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="quiet small">{value === true ? "Yes" : "No"}</span>
    </span>
  ),
  choice: ChoiceInput,
  number: textInput(({ schema }) => ({ inputMode: "decimal", placeholder: rangeOf(schema) }), readNumber),
  file: textInput(() => ({ class: "mono", list: "known-files", placeholder: "docs/report.md" })),
  text: textInput(
    ({ name }) => ({ type: SECRET.test(name) ? "password" : "text" }),
    (text) => text || undefined,
  ),
  json: JsonInput,
};

const textOf = (value: unknown): string => (value === undefined ? "" : String(value));

function ChoiceInput({ input, schema, value, onChange }: InputProps) {
  const choices = Array.isArray(schema.enum) ? (schema.enum as unknown[]) : [schema.const];
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

/** Any value, typed as JSON. Text that is no JSON yet is kept and said. */
function JsonInput({ input, value, onChange }: InputProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState("");
  const read = (typed: string): void => {
    setText(typed);
    try {
      onChange(typed.trim() === "" ? undefined : JSON.parse(typed));
      setProblem("");
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

interface SchemaFieldsProps extends Pick<SchemaFieldProps, "schema" | "path" | "faults"> {
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (change: Readonly<Record<string, unknown>>) => void;
}

export function SchemaFields({ schema, path, values, onChange, faults }: SchemaFieldsProps) {
  return (
    <>
      {Object.entries(propertiesOf(schema)).map(([key, one]) => (
        <SchemaField
          key={key}
          schema={one}
          name={key}
          path={[...path, key]}
          value={values[key]}
          onChange={(next) => onChange({ [key]: next })}
          faults={faults}
          required={Array.isArray(schema.required) && schema.required.includes(key)}
        />
      ))}
    </>
  );
}

function ListItems({ schema, name, path, value, onChange, faults }: SchemaFieldProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const itemSchema = schema.items as Schema;
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
    <>
      {items.map((item, place) => (
        <div key={keys[place] ?? `new-${place}`} class="row">
          <SchemaField
            schema={itemSchema}
            name={`${name} ${place + 1}`}
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
            aria-label={`Remove ${name} ${place + 1}`}
            onClick={() => remove(place)}
          />
        </div>
      ))}
      <Button words={`Add to ${name}`} small icon="plus" onClick={add} />
    </>
  );
}

interface FieldProps extends Pick<SchemaFieldProps, "schema" | "name" | "path" | "faults" | "required"> {
  /** Whether it shows a whole value, and with it the faults of what is inside. */
  readonly isWhole?: boolean;
  /** Whether it contains fields instead of an input. */
  readonly isGroup?: boolean;
  readonly children: (input: object) => ComponentChildren;
}

export function Field({ schema, name, path, faults, required, isWhole, isGroup, children }: FieldProps) {
  const id = `field-${path.join("-").replaceAll(/[^\w-]/g, "_")}`;
  const own = faults.filter(
    ({ at }) =>
      (at.length === path.length || (isWhole && at.length > path.length)) &&
      path.every((one, place) => one === at[place]),
  );
  const isWrong = own.length > 0;
  const about = typeof schema.description === "string" ? schema.description : "";
  const described = [...(about ? [`${id}-about`] : []), ...(isWrong ? [`${id}-fault`] : [])].join(" ");
  const mark = required && <span class="quiet small">required</span>;
  const content = (
    <>
      {about && (
        <p class="quiet small" id={`${id}-about`}>
          {about}
        </p>
      )}
      {children({ id, "aria-invalid": isWrong, ...(described ? { "aria-describedby": described } : {}) })}
      <p class="fault" id={`${id}-fault`} aria-live="polite">
        {own.map(({ message }) => message).join(" ")}
      </p>
    </>
  );
  return isGroup ? (
    <fieldset class="field-group stack box" data-wrong={isWrong || undefined}>
      <legend>
        {name} {mark}
      </legend>
      {content}
    </fieldset>
  ) : (
    <div class="field stack fill">
      <p class="row">
        <label for={id}>{name}</label>
        {mark}
      </p>
      {content}
    </div>
  );
}

/** How a JSON Schema becomes a field of a form. */

export type Schema = Readonly<Record<string, unknown>>;
type FieldKind = "choice" | "switch" | "number" | "file" | "text" | "list" | "group" | "json";

/** The kind of field; "json" for what a form cannot show otherwise, such as any value or one of several shapes. */
export function fieldKind(schema: Schema): FieldKind {
  if (Array.isArray(schema.enum) || "const" in schema) return "choice";
  if (["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((word) => word in schema)) return "json";
  const type = typeOf(schema);
  if (type === "boolean") return "switch";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return schema.format === FILE_FORMAT ? "file" : "text";
  if (type === "array") return isObject(schema.items) && fieldKind(schema.items) !== "json" ? "list" : "json";
  if (type === "object" || isObject(schema.properties))
    return Object.keys(propertiesOf(schema)).length > 0 ? "group" : "json";
  return "json";
}

/** The `format` of a text that is the path of a file in the project. */
export const FILE_FORMAT = "knack-file";

/** `type` may be a list; null beside another type only says that it may be missing. */
function typeOf({ type }: Schema): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

function rangeOf({ minimum, maximum, type }: Schema): string {
  const kind = type === "integer" ? "a whole number" : "a number";
  if (typeof minimum === "number" && typeof maximum === "number")
    return `${kind} from ${minimum} to ${maximum}`;
  if (typeof minimum === "number") return `${kind}, at least ${minimum}`;
  if (typeof maximum === "number") return `${kind}, at most ${maximum}`;
  return kind;
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (!isObject(schema.properties)) return {};
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, one]) => [name, isObject(one) ? one : {}]),
  );
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
  if (!isObject(value)) return value;
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
