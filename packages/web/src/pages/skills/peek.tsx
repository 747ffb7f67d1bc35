import { useResource } from "../../api/data.ts";
import { Facts } from "../../parts/list-page.tsx";
import { Button, Command, CopyText, Key, Marks, plural, useAfter } from "../../parts/look.tsx";
import {
  MATCH_WORDS,
  markedWords,
  PolicyButtons,
  SCOPE_WORDS,
  type SkillRow,
  StateBadge,
  skillPath,
} from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";

/** The chosen skill beside the list: enough to decide, and the way to all of it. */
export function Peek({ row, changed }: { row: SkillRow; changed: () => void }) {
  const { id, name, match, state, reason } = row;
  // Who types or moves on has no use for what is beside the list.
  const isSettled = useAfter(120);
  const report = useResource(isSettled ? "/api/skills/{id}" : null, { path: { id } });
  const words = markedWords(match?.matched ?? []);
  return (
    <article class="peek" aria-label={name}>
      <header class="row wrap">
        <h2 class="mono">{name}</h2>
        <StateBadge state={state} reason={reason} />
      </header>
      {reason !== "" && <p class="small quiet">{reason}</p>}
      <div class="row wrap apart">
        <Button words="Open" href={skillPath(id)} look="main" />
        <PolicyButtons skill={row} state={state} changed={changed} />
      </div>
      <p class="quiet small apart">
        <Key>Enter</Key> opens, <Key>Space</Key> switches
      </p>
      {match && (
        <p class="note note-chosen small apart">
          <b>{MATCH_WORDS[match.reason]}</b>
          {match.matched.length > 0 && <> — {match.matched.join(", ")}</>}
        </p>
      )}
      <p class="prose peek-what apart">
        <Marks text={report.data?.skill.description ?? row.description} words={words} />
      </p>
      <Loaded of={report} rows={4}>
        {({ skill, files, edges, diagnostics }) => (
          <Facts
            of={{
              Where: `${SCOPE_WORDS[skill.scope]}${skill.client ? `, folder of ${skill.client}` : ""}`,
              File: <CopyText text={skill.path} name="Copy path" />,
              Contains: `${plural(files.length + 1, "file")}, ${plural(edges.length, "reference")} to other skills`,
              Remarks: diagnostics.length > 0 && (
                <div>
                  {diagnostics.slice(0, 5).map(({ code, message }) => (
                    <p key={code + message}>{message}</p>
                  ))}
                </div>
              ),
            }}
          />
        )}
      </Loaded>
    </article>
  );
}

/** More are seldom looked at one by one; the terminal lists them all. */
const SHOWN = 200;

export function LeftOut() {
  return (
    <div class="left-out">
      <Loaded of={useResource("/api/left-out", { query: { limit: SHOWN } })}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty icon="check" title="No skill was left out." />
          ) : (
            <>
              <p class="quiet">
                These files were found, but something in them is wrong, so no agent sees them. Many faults
                have one safe fix, which <code>knack validate --fix</code> shows before it writes it.
              </p>
              <ul class="lines">
                {rows.map(({ path, name, problems }) => (
                  <li key={path} class="stack">
                    <h3 class="mono">{name}</h3>
                    <CopyText text={path} name={`Copy the path of ${name}`} />
                    {problems.map(({ code, message, line }) => (
                      <p key={code + message}>
                        {line !== undefined && <span class="quiet">Line {line}: </span>}
                        {message}
                      </p>
                    ))}
                    <p>
                      <Command text={`knack validate --fix ${shellWord(path)}`} />
                    </p>
                  </li>
                ))}
              </ul>
              {total > rows.length && (
                <p class="quiet">
                  {total - rows.length} more: <Command text="knack validate" />
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
