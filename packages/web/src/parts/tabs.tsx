import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import "./look.css";

export interface Tab<T extends string> {
  readonly id: T;
  readonly words: ComponentChildren;
  readonly note?: ComponentChildren;
}

interface TabsProps<T extends string> {
  readonly tabs: readonly Tab<T>[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Tabs with arrow keys; the content of the chosen one is the children. */
export function Tabs<T extends string>({ tabs, chosen, onChoose, label, children }: TabsProps<T>) {
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (tab && bar.current) bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft - 40;
  }, [chosen]);
  const move = (event: KeyboardEvent): void => {
    const place = tabs.findIndex((tab) => tab.id === chosen);
    const places: Record<string, number> = {
      ArrowRight: (place + 1) % tabs.length,
      ArrowLeft: (place - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[places[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    bar.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tabs-bar" role="tablist" aria-label={label} ref={bar} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.words}
            {tab.note !== undefined && <span class="badge means-plain">{tab.note}</span>}
          </button>
        ))}
      </div>
      <div
        class="tabs-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
