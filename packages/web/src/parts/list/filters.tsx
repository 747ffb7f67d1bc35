import type { ComponentChildren } from "preact";
import "./filters.css";

/** A row of filters above a list. */
export function Filters({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="list-filters" role="search" aria-label={label}>
      {children}
    </div>
  );
}

export interface Option {
  readonly value: string;
  readonly words: string;
}

/** A choice; "" means no filter. */
export function SelectFilter({
  label,
  value,
  options,
  isOn = value !== "",
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  /** Whether it narrows the list, which is marked. */
  readonly isOn?: boolean;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class={`list-filter ${isOn ? "list-filter-on" : ""}`}>
      <span class="hidden-name">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A text or a time. */
export function FieldFilter({
  label,
  value,
  type = "search",
  placeholder,
  list,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly type?: "search" | "datetime-local";
  readonly placeholder?: string;
  /** Suggestions. */
  readonly list?: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  const id = `filter-${label.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return (
    <label
      class={`list-filter ${value === "" ? "" : "list-filter-on"} ${type === "search" ? "list-filter-wide" : ""}`}
    >
      <span class={type === "search" ? "hidden-name" : "list-filter-name"}>{label}</span>
      <input
        type={type}
        value={value}
        placeholder={placeholder}
        {...(list ? { list: id } : {})}
        spellcheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {list && (
        <datalist id={id}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}
