import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Answer } from "../../api/client.ts";
import { List } from "../../parts/list.tsx";
import { FilterField, Split } from "../../parts/list-page.tsx";
import { Button, count, Icon, Key, Marks, plural, Time } from "../../parts/look.tsx";
import { isReturn, useMedia, useQuery, useTitle, useTypedText } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import {
  changeSkill,
  LANGUAGE_WORDS,
  markedWords,
  NoSkills,
  SCOPE_WORDS,
  type SkillRow,
  STATES,
  StateBadge,
  skillPath,
} from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { LeftOut, Peek } from "./peek.tsx";
import { type Item, itemsOf, type ListQuery, useSkillList } from "./use-skill-list.ts";
import "./skills.css";

/** The row that was chosen when the user left, for the way back. */
let lastChosen: string | null = null;
const PAUSE_MS = 250;

type FilterName = "scope" | "client" | "state" | "language";

const stateWords = Object.entries(STATES).map(([state, { words }]) => [state, words]);
const FILTERS: Readonly<
  Record<FilterName, readonly [title: string, words: Readonly<Record<string, string>>]>
> = {
  scope: ["Scope", SCOPE_WORDS],
  client: ["Folder", { "": "Knack's own" }],
  state: ["State", { ...Object.fromEntries(stateWords), left_out: "Left out" }],
  language: ["Language", LANGUAGE_WORDS],
};
const NAMES = Object.keys(FILTERS) as FilterName[];

export function Page() {
  useTitle("Skills");
  const { route } = useLocation();
  const { query, address } = useQuery();
  const { text, setText, flush } = useTypedText(PAUSE_MS);
  const filters = Object.fromEntries(
    NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
  const isLeftOut = filters.state === "left_out";
  const { state, ...others } = filters;
  const list = useSkillList({
    ...others,
    state: isLeftOut ? undefined : state,
    q: text.trim() ? text : undefined,
  } as ListQuery);
  const head = list.head.data;
  // What is shown is still the answer to what was typed before.
  const isPending = list.head.isPrevious;
  const [chosen, setChosen] = useState<string | null>(isReturn() ? lastChosen : null);
  const isNarrow = useMedia("(max-width: 999px)");
  const isSmall = useMedia("(max-width: 719px)");
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);

  const items = useMemo(() => itemsOf(list.rows, head?.fitting ?? 0), [list.rows, head]);
  const hasHeadings = items.some(({ heading }) => heading !== undefined);
  const rowHeight = isSmall ? 60 : 36;
  const first = items.find((item): item is Item & { row: SkillRow } => item.row !== undefined)?.row;
  const found = items.find(({ row }) => row !== undefined && row.id === chosen)?.row;
  const current = found ?? (isNarrow ? undefined : first);
  /** Enter was pressed before the answer came: it opens the first row of that. */
  const [opensFirst, setOpensFirst] = useState(false);
  // A new search chooses its first result.
  useEffect(() => {
    if (!isReturn()) setChosen(null);
    setOpensFirst(false);
  }, [text, JSON.stringify(filters)]);
  useEffect(() => {
    if (!opensFirst || isPending) return;
    setOpensFirst(false);
    if (first) open(first);
  }, [opensFirst, isPending]);
  useEffect(() => {
    if (!isReturn()) field.current?.focus();
  }, []);

  const open = ({ id }: { readonly id: string }): void => {
    lastChosen = id;
    flush();
    route(skillPath(id));
  };
  const showAll = (): void => {
    // What was typed a moment ago must not come back into the address.
    setText("");
    route("/skills");
  };
  const choose = (name: FilterName, value: string | undefined): void =>
    route(address("/skills", { q: text.trim() || undefined, [name]: value }));
  const toggle = (row: SkillRow): void =>
    void changeSkill(row, row.state === "disabled" ? "enable" : "disable", list.reload);
  const permit = (action: "allow" | "deny") => () =>
    current && void changeSkill(current, action, list.reload);
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
    if (event.key === "Enter" && isPending) setOpensFirst(true);
    else if (event.key === "Enter" && current) open(current);
    else if (event.key === "ArrowDown" && first) {
      setChosen(current?.id ?? first.id);
      box.current?.querySelector<HTMLElement>(".list")?.focus();
    } else if (event.key === "Escape" && text !== "") setText("");
    else return;
    event.preventDefault();
  };
  const rows = (
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
          <h2>{heading}</h2>
        ) : row ? (
          <SkillLine row={row} />
        ) : (
          <div class="skill-line loading-row">
            <span />
          </div>
        )
      }
    />
  );

  return (
    <div class={isPending ? "page-full column page-skills is-pending" : "page-full column page-skills"}>
      <div class="skills-head page-bar">
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
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={press}
          />
          {text === "" && <Key>/</Key>}
        </div>
        <div class="skills-filters row" role="group" aria-label="Filters">
          {NAMES.map((name) => (
            <Filter
              key={name}
              name={name}
              head={head}
              value={filters[name]}
              onChoose={(value) => choose(name, value)}
            />
          ))}
        </div>
      </div>
      {isLeftOut ? (
        <LeftOut />
      ) : (
        <Split
          hasDetail={false}
          list={
            <div class="split-list fill column" ref={box} aria-busy={isPending}>
              <p class="skills-count small quiet" role="status">
                {isPending ? "Searching…" : head && summary(text, head)}
              </p>
              <Loaded of={list.head} rows={12}>
                {(data) =>
                  items.length > 0 ? (
                    rows
                  ) : data.known > 0 ? (
                    <Empty icon="search" title="No skill matches this search and these filters.">
                      <Button words="Show all skills" onClick={showAll} />
                    </Empty>
                  ) : (
                    <NoSkills waiting={data.waiting_for_trust} />
                  )
                }
              </Loaded>
            </div>
          }
          detail={current ? <Peek key={current.id} row={current} changed={list.reload} /> : null}
        />
      )}
    </div>
  );
}

function summary(text: string, { total, fitting, known }: Answer<"/api/skills">): string {
  if (text.trim() === "")
    return total === known ? plural(total, "skill") : `${total} of ${plural(known, "skill")}`;
  return fitting === 0 ? "No skill fits" : fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
}

interface FilterProps {
  readonly name: FilterName;
  readonly head: Answer<"/api/skills"> | undefined;
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

function Filter({ name, head, value, onChoose }: FilterProps) {
  const [title, words] = FILTERS[name];
  const counts: Record<string, number> = { ...head?.filters[name] };
  if (name === "state" && head?.left_out) counts.left_out = head.left_out;
  const keys = new Set([...Object.keys(counts), ...(value === undefined ? [] : [value])]);
  const sorted = [...keys].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return (
    <FilterField
      label={title}
      // A folder may be "", which is another choice than any.
      value={value === undefined ? "" : `=${value}`}
      any={`${title}: all`}
      options={sorted.map((key) => ({
        value: `=${key}`,
        words: `${words[key] ?? key} (${count(counts[key] ?? 0)})`,
      }))}
      onChange={(next) => onChoose(next === "" ? undefined : next.slice(1))}
    />
  );
}

function SkillLine({ row }: { row: SkillRow }) {
  const words = markedWords(row.match?.matched ?? []);
  return (
    <div class={`skill-line ${row.state === "active" ? "" : "quiet"}`}>
      <span class="skill-name mono clip">
        <Marks text={row.name} words={words} />
      </span>
      <span class="skill-what clip quiet">
        <Marks text={row.description} words={words} />
      </span>
      <span class="wide-only clip quiet">{row.client ?? SCOPE_WORDS[row.scope]}</span>
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
function DayTime({ day }: { day: string }) {
  const isToday = day === new Date().toLocaleDateString("sv");
  return isToday ? <span title={day}>Today</span> : <Time at={`${day}T12:00:00`} />;
}
