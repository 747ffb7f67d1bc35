import type { Ref } from "preact";
import { Button } from "../../parts/look/button.tsx";
import { Icon } from "../../parts/look/icon.tsx";
import { Key, plural } from "../../parts/look/words.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import type { Outline } from "./edge-kinds.tsx";

const DEPTHS = [1, 2, 3] as const;

/** The title line: what is shown, the search for a skill, how far around it. */
export function Head({
  outline,
  focus,
  depth,
  text,
  field,
  onText,
  onKey,
  onDepth,
  onWhole,
}: {
  readonly outline: Outline | undefined;
  /** The skill in the middle. */
  readonly focus: { readonly id: string; readonly name: string } | undefined;
  readonly depth: number;
  readonly text: string;
  readonly field: Ref<HTMLInputElement>;
  readonly onText: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onDepth: (depth: number) => void;
  readonly onWhole: () => void;
}) {
  return (
    <div class="graph-head">
      <div class="graph-title">
        <h1 tabIndex={-1}>Graph</h1>
        {focus ? (
          <p class="graph-focus clip">
            <span class="quiet">around</span>
            <a class="mono clip" href={skillPath(focus.id)} title="Open the skill">
              <bdi>{focus.name}</bdi>
            </a>
          </p>
        ) : (
          <p class="quiet small clip">{outline && summary(outline)}</p>
        )}
      </div>
      <div class="graph-find">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label="Find a skill in the graph"
          placeholder="Find a skill"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        {text === "" && <Key>f</Key>}
      </div>
      {focus && (
        <>
          <div class="depths" role="group" aria-label="How many steps around it">
            {DEPTHS.map((one) => (
              <button key={one} type="button" aria-pressed={one === depth} onClick={() => onDepth(one)}>
                {one}
                <span class="depths-word"> {one === 1 ? "step" : "steps"}</span>
              </button>
            ))}
          </div>
          <Button icon="graph" aria-label="Show the whole" onClick={onWhole}>
            <span class="depths-word">Show the whole</span>
          </Button>
        </>
      )}
    </div>
  );
}

function summary({ nodes, edges, cycles, missing }: Outline): string {
  const faults = [
    ...(cycles.length > 0 ? [plural(cycles.length, "cycle")] : []),
    ...(missing.length > 0 ? [plural(missing.length, "unresolved reference")] : []),
  ];
  return [plural(nodes.length, "skill"), plural(edges.length, "edge"), ...faults].join(", ");
}
