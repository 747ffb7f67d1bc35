import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import type { Pages } from "../api/data.ts";
import { List } from "./list.tsx";
import { Button, Icon } from "./look.tsx";
import { PageHead, useQuery } from "./page.tsx";
import { Empty, Failed, Loading, Stale } from "./states.tsx";
import "./list.css";

/** A filter that the address keeps under its name; without options it is a field for a text or a time. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The words of "no filter", before the options. */
  readonly any?: string;
  readonly options?: readonly Option[];
  readonly type?: "search" | "datetime-local";
}

/** A list with filters in the address and one of its items beside it, in all states. */
export function ListPage<T>({
  name,
  title,
  label,
  buttons,
  below,
  filters,
  hiddenFilters = [],
  filterButtons,
  pages,
  total,
  keyOf,
  row,
  chosen,
  onChoose,
  empty,
  noMatch,
  hasDetail,
  detail,
}: {
  /** The page's name, which scopes its style sheet. */
  readonly name: string;
  readonly title: string;
  /** What the rows are, in the plural. */
  readonly label: string;
  /** Beside the title. */
  readonly buttons: ComponentChildren;
  /** Below the title. */
  readonly below?: ComponentChildren;
  readonly filters: readonly Filter[];
  /** Names of the address that narrow the list and come from links only. */
  readonly hiddenFilters?: readonly string[];
  readonly filterButtons?: ComponentChildren;
  readonly pages: Pages<T>;
  /** How many match, in words. */
  readonly total?: (isFiltered: boolean) => string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
  readonly chosen: string | null;
  readonly onChoose: (item: T) => void;
  readonly empty: ComponentChildren;
  /** What is said if the filters leave nothing. */
  readonly noMatch: string;
  /** Whether something is open, so that a narrow screen shows it instead of the list. */
  readonly hasDetail: boolean;
  readonly detail: ComponentChildren;
}) {
  const { query, change } = useQuery();
  const names = [...filters.map((filter) => filter.name), ...hiddenFilters];
  const isFiltered = names.some((one) => query[one]);
  const { items, first, hasMore, error, more } = pages;
  const rows: readonly (T | typeof MORE)[] = hasMore ? [...items, MORE] : items;
  const rowKey = (item: T | typeof MORE): string => (item === MORE ? "more" : keyOf(item));
  return (
    <div class={`page-full page-${name}`}>
      <Split
        hasDetail={hasDetail}
        list={
          <>
            <div class="split-head">
              <PageHead title={title}>{buttons}</PageHead>
              {below}
            </div>
            <div class="list-filters" role="search" aria-label={`Filter ${label.toLowerCase()}`}>
              {filters.map((filter) => (
                <FilterField
                  key={filter.name}
                  filter={filter}
                  value={query[filter.name] ?? ""}
                  onChange={(value) => change({ [filter.name]: value })}
                />
              ))}
              {filterButtons}
            </div>
            {first.data === undefined ? (
              first.error ? (
                <Failed error={first.error} onRetry={first.reload} />
              ) : (
                <div class="split-loading">
                  <Loading rows={12} height={40} />
                </div>
              )
            ) : (
              <>
                {first.error && first.at && <Stale at={first.at} error={first.error} />}
                {items.length === 0 ? (
                  isFiltered ? (
                    <Empty icon="filter" title={noMatch}>
                      <Button
                        onClick={() => change(Object.fromEntries(names.map((one) => [one, undefined])))}
                      >
                        Clear filters
                      </Button>
                    </Empty>
                  ) : (
                    empty
                  )
                ) : (
                  <>
                    {total && <p class="list-total quiet small">{total(isFiltered)}</p>}
                    <List
                      items={rows}
                      keyOf={rowKey}
                      height={40}
                      label={label}
                      chosen={chosen}
                      isHeading={(item) => item === MORE}
                      onChoose={(key) => {
                        const item = items.find((one) => keyOf(one) === key);
                        if (item !== undefined) onChoose(item);
                      }}
                      row={(item) => (item === MORE ? <MoreRow error={error} more={more} /> : row(item))}
                    />
                  </>
                )}
              </>
            )}
          </>
        }
        detail={detail}
      />
    </div>
  );
}

/** The last row, while there are more pages. */
const MORE = Symbol("more");

function FilterField({
  filter: { label, any, options, type = "search" },
  value,
  onChange,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  if (options)
    return (
      <SelectFilter
        label={label}
        value={value}
        options={any === undefined ? options : [{ value: "", words: any }, ...options]}
        onChange={onChange}
      />
    );
  const isSearch = type === "search";
  return (
    <label class={`list-filter ${value ? "list-filter-on" : ""} ${isSearch ? "list-filter-wide" : ""}`}>
      <span class={isSearch ? "hidden-name" : "list-filter-name"}>{label}</span>
      <input
        type={type as "search"}
        value={value}
        {...(isSearch ? { placeholder: label } : {})}
        spellcheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface Option {
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

/** List and detail side by side from 1,000 px on. Below, the detail is shown alone, or not at all. */
export function Split({
  list,
  detail,
  hasDetail,
}: {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren;
  /** Whether something is open, so that a narrow screen shows it instead of the list. */
  readonly hasDetail: boolean;
}) {
  return (
    <div class={`split ${hasDetail ? "split-open" : ""}`}>
      <div class="split-list">{list}</div>
      <div class="split-detail">{detail}</div>
    </div>
  );
}

/** The way back to the list, where the detail is shown alone. */
export function SplitBack({ href, words }: { readonly href: string; readonly words: string }) {
  return (
    <a class="split-back" href={href}>
      <Icon name="back" /> {words}
    </a>
  );
}

/** The last row of a list that comes in pages: loads the next one when it comes into view. */
function MoreRow({ error, more }: { readonly error: ApiError | undefined; readonly more: () => void }) {
  useEffect(() => {
    if (!error) more();
  });
  return (
    <div class="more-row" role="status">
      {error ? (
        <>
          {error.message}
          <Button small icon="refresh" onClick={more}>
            Try again
          </Button>
        </>
      ) : (
        "Loading more"
      )}
    </div>
  );
}

/** Names with their values, side by side where there is room. A value that is null or undefined is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="fact-list">
      {Object.entries(of).map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== false && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
