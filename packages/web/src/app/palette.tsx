import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../api/data.ts";
import { Dialog } from "../parts/float.tsx";
import { Icon, type IconName, Key } from "../parts/look.tsx";
import { Marks } from "../parts/marks.tsx";
import { nextTheme } from "./bars.tsx";
import { closeFloat, DESTINATIONS, openFloat } from "./frame.ts";
import "./app.css";
import { shortcutGroups } from "../parts/shortcuts.ts";

interface Choice {
  readonly id: string;
  readonly icon: IconName;
  readonly words: string;
  readonly note: string;
  readonly marked: readonly string[];
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
  const fixed: Choice[] = [
    ...DESTINATIONS.map(({ path, words, icon }) => ({
      id: path,
      icon,
      words,
      note: "Page",
      marked: [],
      run: go(path),
    })),
    {
      id: "theme",
      icon: "sun",
      words: "Switch between light and dark",
      note: "Action",
      marked: [],
      run: nextTheme,
    },
    {
      id: "keys",
      icon: "keyboard",
      words: "Show keyboard shortcuts",
      note: "Action",
      marked: [],
      run: () => openFloat("keys"),
    },
  ];
  const skills: Choice[] =
    query === ""
      ? []
      : (found.data?.results ?? []).map(({ skill, matched }) => ({
          id: skill.id,
          icon: "skills",
          words: skill.name,
          note: skill.description,
          marked: matched,
          run: go(`/skills/${encodeURIComponent(skill.id)}`),
        }));
  const low = query.toLowerCase();
  const pages = fixed.filter(({ words }) =>
    words
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(low)),
  );
  const all: Choice[] =
    query === ""
      ? fixed
      : [
          ...pages,
          ...skills,
          {
            id: "all",
            icon: "search",
            words: `All skills for “${query}”`,
            note: "Skills",
            marked: [],
            run: go(`/skills?q=${encodeURIComponent(query)}`),
          },
        ];
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
      <div class="palette-field">
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
            onMouseMove={() => setPlace(at)}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span class="palette-words clip">
              <Marks text={choice.words} words={choice.marked} />
            </span>
            <span class="palette-note clip quiet small">
              <Marks text={choice.note} words={choice.marked} />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  " ": "Space",
  Escape: "Esc",
  ctrl: navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl",
};

/** Every key that works on this page. */
export function ShortcutSheet() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeFloat}>
      {shortcutGroups.value.map(({ title, shortcuts }) => (
        <section key={title} class="keys-group">
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ keys, words }) => (
              <div key={keys}>
                <dt>{words}</dt>
                <dd>
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
