import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { List } from "../../parts/list/list.tsx";
import { Split } from "../../parts/list/split.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { Key, plural } from "../../parts/look/words.tsx";
import { isReturn } from "../../parts/page/kept-scroll.ts";
import { useShortcuts } from "../../parts/page/shortcuts.ts";
import { useTitle } from "../../parts/page/title.tsx";
import { useMedia } from "../../parts/page/use-media.ts";
import { changePolicy } from "../../parts/skill/change-policy.ts";
import { type SkillRow, skillPath } from "../../parts/skill/skill-words.ts";
import { Empty, Failed, Loading, Stale } from "../../parts/state/states.tsx";
import { Filters } from "./filters.tsx";
import { LeftOut } from "./left-out.tsx";
import { type Item, itemsOf } from "./list-items.ts";
import { Peek } from "./peek.tsx";
import { SkillLine } from "./skill-line.tsx";
import { useAddress } from "./use-address.ts";
import { type ListQuery, useSkillList } from "./use-skill-list.ts";
import "./skills.css";

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
    <div class="page-full skills">
      <div class="skills-head">
        <h1 tabIndex={-1}>Skills</h1>
        <div class="field">
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
  if (head.skills > 0)
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
  { total, fitting, skills }: { readonly total: number; readonly fitting: number; readonly skills: number },
): string {
  if (text.trim() === "")
    return total === skills ? plural(total, "skill") : `${total} of ${plural(skills, "skill")}`;
  return fitting === 0 ? "No skill fits" : fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
}
