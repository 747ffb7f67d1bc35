import { useEffect, useState } from "preact/hooks";
import { useResource } from "../../api/resource.ts";
import { LinkButton } from "../../parts/look/button.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { Key, plural } from "../../parts/look/words.tsx";
import { PolicyButtons } from "../../parts/skill/policy-buttons.tsx";
import {
  MATCH_WORDS,
  markedWords,
  SCOPE_WORDS,
  type SkillRow,
  skillPath,
} from "../../parts/skill/skill-words.ts";
import { StateBadge } from "../../parts/skill/state-badge.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { Marks } from "../../parts/text/marks.tsx";

/** The chosen skill beside the list: enough to decide, and the way to all of it. */
export function Peek({ row, changed }: { readonly row: SkillRow; readonly changed: () => void }) {
  const { id, name, match, state, reason } = row;
  const isSettled = useSettled();
  const report = useResource(
    isSettled ? "/api/skills/{id}" : null,
    { path: { id } },
    { reloadOn: ["catalog"] },
  );
  const words = markedWords(match?.matched ?? []);
  return (
    <article class="peek" aria-label={name}>
      <header>
        <h2 class="mono">{name}</h2>
        <StateBadge state={state} reason={reason} />
      </header>
      {reason !== "" && <p class="small quiet">{reason}</p>}
      <div class="peek-actions">
        <LinkButton href={skillPath(id)} look="main">
          Open
        </LinkButton>
        <PolicyButtons skill={row} state={state} changed={changed} />
        <span class="quiet small peek-keys">
          <Key>Enter</Key> opens, <Key>Space</Key> switches
        </span>
      </div>
      {match && (
        <p class="peek-why">
          <b>{MATCH_WORDS[match.reason]}</b>
          {match.matched.length > 0 && <> — {match.matched.join(", ")}</>}
        </p>
      )}
      <p class="prose peek-what">
        <Marks text={report.data?.skill.description ?? row.description} words={words} />
      </p>
      <Loaded of={report} rows={4}>
        {({ skill, files, edges, diagnostics }) => (
          <dl class="facts">
            <dt>Where</dt>
            <dd>
              {SCOPE_WORDS[skill.scope]}
              {skill.client && <>, folder of {skill.client}</>}
            </dd>
            <dt>File</dt>
            <dd class="facts-path">
              <code>{skill.path}</code>
              <CopyButton text={skill.path} name="Copy path" />
            </dd>
            <dt>Contains</dt>
            <dd>
              {plural(files.length + 1, "file")}, {plural(edges.length, "reference")} to other skills
            </dd>
            {diagnostics.length > 0 && (
              <>
                <dt>Remarks</dt>
                <dd>
                  {diagnostics.slice(0, 5).map(({ code, message }) => (
                    <p key={code + message}>{message}</p>
                  ))}
                </dd>
              </>
            )}
          </dl>
        )}
      </Loaded>
    </article>
  );
}

/** Whether the choice has lasted a moment: who types or moves on has no use for what is beside the list. */
function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), 120);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
