import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../api/data.ts";
import { Dialog } from "../parts/float.tsx";
import { Icon, type IconName, Key, Marks } from "../parts/look.tsx";
import { shortcutGroups } from "../parts/shortcuts.ts";
import { skillPath } from "../parts/skill.tsx";
import { nextTheme } from "./bars.tsx";
import { DESTINATIONS, openFloat } from "./frame.ts";

interface Choice {
  readonly id: string;
  readonly icon: IconName;
  readonly words: string;
  readonly note: string;
  readonly marked?: readonly string[];
  readonly run: () => void;
}

/** Goes anywhere by typing: pages, actions, and skills with the server's own ranking. */
export function Palette() {
  const { route } = useLocation();
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const query = text.trim();
  const found = useResource(
    query === "" ? null : "/api/search",
    { query: { q: query, limit: 8 } },
    { keepPrevious: true },
  );

  const go = (to: string) => () => route(to);
  const fixed: readonly Choice[] = [
    ...DESTINATIONS.map(({ path, words, icon }) => ({ id: path, icon, words, note: "Page", run: go(path) })),
    { id: "theme", icon: "sun", words: "Switch between light and dark", note: "Action", run: nextTheme },
    {
      ...{ id: "keys", icon: "keyboard", words: "Show keyboard shortcuts", note: "Action" },
      run: () => openFloat("keys"),
    },
  ];
  const beginsWithQuery = (word: string): boolean => word.startsWith(query.toLowerCase());
  const matching = (): readonly Choice[] => [
    ...fixed.filter(({ words }) => words.toLowerCase().split(" ").some(beginsWithQuery)),
    ...(found.data?.results ?? []).map(
      ({ skill, matched }): Choice => ({
        ...{ id: skill.id, icon: "skills", words: skill.name, note: skill.description, marked: matched },
        run: go(skillPath(skill.id)),
      }),
    ),
    {
      ...{ id: "all", icon: "search", words: `All skills for “${query}”`, note: "Skills" },
      run: go(`/skills?q=${encodeURIComponent(query)}`),
    },
  ];
  const all = query === "" ? fixed : matching();
  const chosen = Math.min(place, all.length - 1);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const run = (choice: Choice | undefined): void => {
    closeFloat();
    choice?.run();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setPlace((chosen + step + all.length) % all.length);
    else if (event.key === "Enter") run(all[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" bare onClose={closeFloat}>
      <div class="palette-field search-field">
        <Icon name="search" size={18} />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={`palette-${chosen}`}
          aria-label="Search skills and pages"
          placeholder="Search skills and pages"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setPlace(0);
          }}
          onKeyDown={press}
        />
      </div>
      <ul id="palette-list" class="palette-list" role="listbox" aria-label="Results" ref={list}>
        {all.map((choice, at) => (
          <li
            key={choice.id}
            id={`palette-${at}`}
            role="option"
            aria-selected={at === chosen}
            class="place row pick"
            onMouseMove={() => setPlace(at)}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span class="palette-words clip">
              <Marks text={choice.words} words={choice.marked ?? []} />
            </span>
            <span class="palette-note fill clip quiet small">
              <Marks text={choice.note} words={choice.marked ?? []} />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const closeFloat = (): void => openFloat(undefined);

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  " ": "Space",
  Escape: "Esc",
  ctrl: navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl",
};

export function ShortcutSheet() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeFloat}>
      {shortcutGroups.value.map(({ title, shortcuts }) => (
        <section key={title} class="apart">
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ keys, words }) => (
              <div key={keys} class="keys-row row">
                <dt class="fill">{words}</dt>
                <dd class="row">
                  {(keys === " " ? [" "] : keys.split(/[ +]/)).map((key) => (
                    <Key key={key}>{NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</Key>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
