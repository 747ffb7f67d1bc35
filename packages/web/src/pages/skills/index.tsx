import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { List } from "../../parts/list.tsx";
import { SelectFilter, Split } from "../../parts/list-page.tsx";
import { Button, Command, count, Icon, Key, plural, Time } from "../../parts/look.tsx";
import { isReturn, useMedia, useTitle } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import {
  changePolicy,
  LANGUAGE_WORDS,
  markedWords,
  SCOPE_WORDS,
  type SkillRow,
  STATE_WORDS,
  StateBadge,
  skillPath,
} from "../../parts/skill.tsx";
import { Empty, Failed, Loading, Stale } from "../../parts/states.tsx";
import { LeftOut, Peek } from "./peek.tsx";
import { type Item, itemsOf, type ListQuery, useSkillList } from "./use-skill-list.ts";
import "./skills.css";
import type { Answer } from "../../api/client.ts";
import { Marks } from "../../parts/marks.tsx";

/** The row that was chosen when the user left, for the way back. */
let lastChosen: string | null = null;

export function Page() {
  useTitle("Skills");
  const { route } = useLocation();
  const address = useAddress();
  const { text, chosen: filters } = address;
  const isLeftOut = filters.state === "left_out";
  const { state, ...others } = filters;
  const query = { ...others, ...(state && !isLeftOut ? { state } : {}), ...(text.trim() ? { q: text } : {}) };
  const list = useSkillList(query as ListQuery);
  const [chosen, setChosen] = useState<string | null>(isReturn() ? lastChosen : null);
  const isNarrow = useMedia("(max-width: 999px)");
  const isSmall = useMedia("(max-width: 719px)");
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);

  const items = useMemo(() => itemsOf(list.rows, list.head?.fitting ?? 0), [list.rows, list.head]);
  const hasHeadings = items.some(({ heading }) => heading !== undefined);
  const rowHeight = isSmall ? 60 : 36;
  const first = items.find((item): item is Item & { row: SkillRow } => item.row !== undefined)?.row;
  const found = items.find(({ row }) => row !== undefined && row.id === chosen)?.row;
  const current = found ?? (isNarrow ? undefined : first);
  // A new search chooses its first result.
  useEffect(() => {
    if (!isReturn()) setChosen(null);
  }, [text, JSON.stringify(filters)]);
  useEffect(() => {
    if (!isReturn()) field.current?.focus();
  }, []);

  const open = ({ id }: { readonly id: string }): void => {
    lastChosen = id;
    address.flush();
    route(skillPath(id));
  };
  const toggle = (row: SkillRow): void =>
    void changePolicy(row, row.state === "disabled" ? "enable" : "disable", list.reload);
  const permit = (action: "allow" | "deny") => () =>
    current && void changePolicy(current, action, list.reload);
  const focusList = (): void => box.current?.querySelector<HTMLElement>(".list")?.focus();
  useShortcuts("Skills", [
    { keys: "/", words: "Search", run: () => field.current?.select() },
    { keys: "j", words: "Next skill" },
    { keys: "k", words: "Previous skill" },
    { keys: "Enter", words: "Open the skill" },
    { keys: " ", words: "Enable or disable it" },
    { keys: "a", words: "Allow it", run: permit("allow") },
    { keys: "d", words: "Deny it", run: permit("deny") },
  ]);
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter" && current) open(current);
    else if (event.key === "ArrowDown" && first) {
      setChosen(current?.id ?? first.id);
      focusList();
    } else if (event.key === "Escape" && text !== "") address.setText("");
    else return;
    event.preventDefault();
  };

  return (
    <div class="page-full page-skills">
      <div class="skills-head">
        <h1 tabIndex={-1}>Skills</h1>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label="Search skills"
            placeholder="Search as an agent would: what should be done?"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={(event) => address.setText(event.currentTarget.value)}
            onKeyDown={press}
          />
          {!isSmall && text === "" && <Key>/</Key>}
        </div>
        <Filters head={list.head} chosen={filters} onChoose={address.choose} />
      </div>
      {isLeftOut ? (
        <LeftOut />
      ) : (
        <Split
          hasDetail={false}
          list={
            <div class="skills-list" ref={box}>
              <p class="skills-count small quiet" role="status">
                {list.head && summary(text, list.head)}
              </p>
              {list.error && list.at && <Stale at={list.at} error={list.error} />}
              <Rows list={list} clear={address.clear}>
                <List
                  label="Skills"
                  items={items}
                  keyOf={({ key }) => key}
                  height={hasHeadings ? ({ heading }) => (heading ? 44 : rowHeight) : rowHeight}
                  isHeading={({ heading }) => heading !== undefined}
                  chosen={current?.id ?? null}
                  onChoose={setChosen}
                  onOpen={({ row }) => row && open(row)}
                  onToggle={({ row }) => row && toggle(row)}
                  {...(isNarrow ? { onClick: ({ row }: Item) => row && open(row) } : {})}
                  onRange={list.need}
                  row={({ row, heading }) =>
                    heading ? (
                      <h2 class="skills-group">{heading}</h2>
                    ) : row ? (
                      <SkillLine row={row} />
                    ) : (
                      <span class="skill-wait" />
                    )
                  }
                />
              </Rows>
            </div>
          }
          detail={current ? <Peek key={current.id} row={current} changed={list.reload} /> : null}
        />
      )}
    </div>
  );
}

function Rows({
  list,
  clear,
  children,
}: {
  readonly list: ReturnType<typeof useSkillList>;
  readonly clear: () => void;
  readonly children: ComponentChildren;
}) {
  const { head, rows, error, reload, isOld } = list;
  if (!head) return error ? <Failed error={error} onRetry={reload} /> : <Loading rows={12} />;
  if (rows.length > 0 || isOld) return <>{children}</>;
  if (head.known > 0)
    return (
      <Empty icon="search" title="No skill matches this search and these filters.">
        <Button onClick={clear}>Show all skills</Button>
      </Empty>
    );
  return head.waiting_for_trust > 0 ? (
    <Empty
      icon="trust"
      title={`${plural(head.waiting_for_trust, "skill")} of this project wait until you trust it. In the project, run:`}
    >
      <Command text="knack trust" />
    </Empty>
  ) : (
    <Empty icon="skills" title="There are no skills here yet. Make the first one, or get some:">
      <Command text="knack new my-skill" />
      <Command text="knack add owner/repo" />
    </Empty>
  );
}

function summary(
  text: string,
  { total, fitting, known }: { readonly total: number; readonly fitting: number; readonly known: number },
): string {
  if (text.trim() === "")
    return total === known ? plural(total, "skill") : `${total} of ${plural(known, "skill")}`;
  return fitting === 0 ? "No skill fits" : fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
}

export type FilterName = "scope" | "client" | "state" | "language";
export type Chosen = Readonly<Partial<Record<FilterName, string>>>;

const TITLES: Readonly<Record<FilterName, string>> = {
  scope: "Scope",
  client: "Folder",
  state: "State",
  language: "Language",
};

const WORDS: Readonly<Record<FilterName, Readonly<Record<string, string>>>> = {
  scope: SCOPE_WORDS,
  client: { "": "Knack's own" },
  state: STATE_WORDS,
  language: LANGUAGE_WORDS,
};

/** One choice per filter, each with how many skills it has. */
function Filters({
  head,
  chosen,
  onChoose,
}: {
  readonly head: Answer<"/api/skills"> | undefined;
  readonly chosen: Chosen;
  readonly onChoose: (name: FilterName, value: string | undefined) => void;
}) {
  return (
    <div class="skills-filters row" role="group" aria-label="Filters">
      {(Object.keys(TITLES) as FilterName[]).map((name) => (
        <Filter
          key={name}
          name={name}
          counts={{
            ...head?.filters[name],
            ...(name === "state" && head && head.left_out > 0 ? { left_out: head.left_out } : {}),
          }}
          value={chosen[name]}
          onChoose={(value) => onChoose(name, value)}
        />
      ))}
    </div>
  );
}

const ANY = "any";

function Filter({
  name,
  counts,
  value,
  onChoose,
}: {
  readonly name: FilterName;
  readonly counts: Readonly<Record<string, number>>;
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}) {
  const words = (key: string): string => (key === "left_out" ? "Left out" : (WORDS[name][key] ?? key));
  const keys = Object.keys(counts);
  if (value !== undefined && !keys.includes(value)) keys.push(value);
  keys.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return (
    <SelectFilter
      label={TITLES[name]}
      value={value === undefined ? ANY : `=${value}`}
      isOn={value !== undefined}
      options={[
        { value: ANY, words: `${TITLES[name]}: all` },
        ...keys.map((key) => ({ value: `=${key}`, words: `${words(key)} (${count(counts[key] ?? 0)})` })),
      ]}
      onChange={(next) => onChoose(next === ANY ? undefined : next.slice(1))}
    />
  );
}

/** A skill in the list: its name, what it does, where it is from, its state or last use. */
function SkillLine({ row }: { readonly row: SkillRow }) {
  const words = markedWords(row.match?.matched ?? []);
  return (
    <div class={`skill-line ${row.state === "active" ? "" : "skill-line-off"}`}>
      <span class="skill-name mono clip">
        <Marks text={row.name} words={words} />
      </span>
      <span class="skill-what clip">
        <Marks text={row.description} words={words} />
      </span>
      <span class="skill-where clip quiet">{row.client ?? SCOPE_WORDS[row.scope]}</span>
      <span class="skill-state clip quiet">
        {row.state !== "active" ? (
          <StateBadge state={row.state} reason={row.reason} />
        ) : row.last_used ? (
          <DayTime day={row.last_used} />
        ) : (
          "Never used"
        )}
      </span>
    </div>
  );
}

/** A day has no time of day: today is "today", not "in 3 hours". */
function DayTime({ day }: { readonly day: string }) {
  const isToday = day === new Date().toLocaleDateString("sv");
  return isToday ? <span title={day}>Today</span> : <Time at={`${day}T12:00:00`} />;
}

const NAMES: readonly FilterName[] = ["scope", "client", "state", "language"];
/** The address follows the typing at a distance, so that not each letter is a navigation. */
const PAUSE_MS = 250;

interface Address {
  readonly text: string;
  readonly chosen: Chosen;
  readonly setText: (text: string) => void;
  readonly choose: (name: FilterName, value: string | undefined) => void;
  readonly clear: () => void;
  /** Writes what was typed to the address now, before another page is opened. */
  readonly flush: () => void;
}

/** The query and the filters of the list; the address has them, so that a link and the back button show the same. */
function useAddress(): Address {
  const { query, route, path } = useLocation();
  const given = query.q ?? "";
  const [text, setTyped] = useState(given);
  const written = useRef(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const chosen = Object.fromEntries(
    NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as Chosen;

  // The back button changes the address and not the field.
  useEffect(() => {
    if (given === written.current) return;
    written.current = given;
    setTyped(given);
  }, [given]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (q: string, filters: Chosen, isNew: boolean): void => {
    clearTimeout(timer.current);
    written.current = q;
    const search = new URLSearchParams(Object.entries(filters));
    if (q !== "") search.set("q", q);
    const rest = search.toString();
    const to = `${path}${rest === "" ? "" : `?${rest}`}`;
    if (to !== location.pathname + location.search) route(to, !isNew);
  };
  return {
    text,
    chosen,
    setText: (next) => {
      setTyped(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(next, chosen, false), PAUSE_MS);
    },
    choose: (name, value) => {
      const { [name]: _, ...others } = chosen;
      write(text, value === undefined ? others : { ...others, [name]: value }, true);
    },
    clear: () => {
      setTyped("");
      write("", {}, true);
    },
    flush: () => write(text, chosen, false),
  };
}
