import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import type { Pages } from "../api/data.ts";
import { List } from "./list.tsx";
import { Button, Icon } from "./look.tsx";
import { PageHead, useQuery } from "./page.tsx";
import { Empty, Loaded } from "./states.tsx";
import "./list.css";

/** A filter that the address keeps under its name; without options it is a field for a text or a time. */
interface Filter {
  readonly name: string;
  readonly label: string;
  /** The words of "no filter", before the options. */
  readonly any?: string;
  readonly options?: readonly { value: string; words: string }[];
  readonly type?: "search" | "datetime-local";
}

interface ListPageProps<T> {
  /** The page's name, which scopes its style sheet. */
  readonly name: string;
  readonly title: string;
  readonly label: string;
  readonly buttons: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly filters: readonly Filter[];
  /** Names of the address that narrow the list and come from links only. */
  readonly hiddenFilters?: readonly string[];
  readonly filterButtons?: ComponentChildren;
  readonly pages: Pages<T>;
  readonly total?: (isFiltered: boolean) => string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
  readonly chosen: string | null;
  readonly onChoose: (item: T) => void;
  readonly empty: ComponentChildren;
  readonly noMatch: string;
  /** Whether something is open, so that a narrow screen shows it instead of the list. */
  readonly hasDetail: boolean;
  readonly detail: ComponentChildren;
  /** The address without the detail. */
  readonly back: string;
}

/** A list with filters in the address and one of its items beside it, in all states. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { name, title, label, filters, hiddenFilters = [], pages, hasDetail } = props;
  const { query, change } = useQuery();
  const names = [...filters.map((filter) => filter.name), ...hiddenFilters];
  const clear = (): void => change(Object.fromEntries(names.map((one) => [one, undefined])));
  const list = (
    <>
      <div class="split-head stack">
        <PageHead title={title}>{props.buttons}</PageHead>
        {props.below}
        <div class="row wrap" role="search" aria-label={`Filter ${label.toLowerCase()}`}>
          {filters.map((filter) => (
            <FilterField
              {...filter}
              key={filter.name}
              value={query[filter.name] ?? ""}
              onChange={(value) => change({ [filter.name]: value || undefined })}
            />
          ))}
          {props.filterButtons}
        </div>
      </div>
      <Loaded of={pages.first} rows={12}>
        {() => <Rows {...props} isFiltered={names.some((one) => query[one])} clear={clear} />}
      </Loaded>
    </>
  );
  const detail = (
    <>
      {hasDetail && (
        // The way back to the list, where the detail is shown alone.
        <a class="split-back row" href={props.back}>
          <Icon name="back" /> {title}
        </a>
      )}
      {props.detail}
    </>
  );
  return (
    <div class={`page-full column page-${name}`}>
      <Split hasDetail={hasDetail} list={list} detail={detail} />
    </div>
  );
}

/** The last row, while there are more pages. */
const MORE = Symbol("more");

function Rows<T>(props: ListPageProps<T> & { readonly isFiltered: boolean; readonly clear: () => void }) {
  const { pages, keyOf, label, isFiltered, total } = props;
  const { items, hasMore, error, more } = pages;
  if (items.length === 0 && !isFiltered) return <>{props.empty}</>;
  if (items.length === 0)
    return (
      <Empty icon="filter" title={props.noMatch}>
        <Button words="Clear filters" onClick={props.clear} />
      </Empty>
    );
  return (
    <>
      {total && <p class="list-total quiet small">{total(isFiltered)}</p>}
      <List<T | typeof MORE>
        items={hasMore ? [...items, MORE] : items}
        keyOf={(item) => (item === MORE ? "more" : keyOf(item))}
        height={40}
        label={label}
        chosen={props.chosen}
        isHeading={(item) => item === MORE}
        onChoose={(key) => {
          const item = items.find((one) => keyOf(one) === key);
          if (item !== undefined) props.onChoose(item);
        }}
        row={(item) =>
          item === MORE ? (
            <MoreRow error={error} more={more} />
          ) : (
            <div class="list-line row">{props.row(item)}</div>
          )
        }
      />
    </>
  );
}

interface FilterFieldProps extends Omit<Filter, "name"> {
  readonly value: string;
  readonly isOn?: boolean;
  readonly onChange: (value: string) => void;
}

/** A choice, a text or a time; "" means no filter. */
export function FilterField(props: FilterFieldProps) {
  const { label, any, options, type = "search", value, isOn = value !== "", onChange } = props;
  // The list may change while somebody types: the field keeps what is not entered yet.
  const [typed, setTyped] = useState<string | null>(null);
  const isNamed = type === "datetime-local";
  const shared = {
    class: isOn ? "list-filter-on" : "",
    value: typed ?? value,
    "aria-label": label,
    onChange: (event: { currentTarget: { value: string } }) => {
      setTyped(null);
      onChange(event.currentTarget.value);
    },
  };
  return (
    <span class="list-filter row">
      {isNamed && <span class="quiet small">{label}</span>}
      {options ? (
        <select {...shared}>
          {any !== undefined && <option value="">{any}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.words}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={type as "search"}
          placeholder={isNamed ? "" : label}
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </span>
  );
}

type SplitProps = Pick<ListPageProps<unknown>, "hasDetail" | "detail"> & { list: ComponentChildren };

/** List and detail side by side from 1,000 px on. Below, the detail is shown alone, or not at all. */
export function Split({ list, detail, hasDetail }: SplitProps) {
  return (
    <div class={`split ${hasDetail ? "split-open" : ""}`}>
      <div class="split-list column">{list}</div>
      <div class="split-detail">{detail}</div>
    </div>
  );
}

/** The last row of a list that comes in pages: loads the next one when it comes into view. */
function MoreRow({ error, more }: { error: ApiError | undefined; more: () => void }) {
  useEffect(() => {
    if (!error) more();
  });
  return (
    <div class="list-line row quiet small" role="status">
      {error ? (
        <>
          {error.message}
          <Button words="Try again" small icon="refresh" onClick={more} />
        </>
      ) : (
        "Loading more"
      )}
    </div>
  );
}

/** Names with their values, side by side where there is room. A value that is null or undefined is left out. */
export function Facts({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="fact-list">
      {Object.entries(of)
        .filter(([, value]) => value !== null && value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name} class="row">
            <dt>{name}</dt>
            <dd class="row">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
