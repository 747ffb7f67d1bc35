import { useResource } from "../../api/resource.ts";
import { Command, CopyButton } from "../../parts/look/copy-button.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";

/** More are seldom looked at one by one; the terminal lists them all. */
const SHOWN = 200;

/** Skills that are not in the catalog: what is wrong with each, and how to fix it. */
export function LeftOut() {
  const found = useResource("/api/left-out", { query: { limit: SHOWN } }, { reloadOn: ["catalog"] });
  return (
    <div class="left-out">
      <Loaded of={found}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty icon="check" title="No skill was left out." />
          ) : (
            <>
              <p class="quiet">
                These files were found, but something in them is wrong, so no agent sees them. Many faults
                have one safe fix, which <code>knack validate --fix</code> shows before it writes it.
              </p>
              <ul>
                {rows.map(({ path, name, problems }) => (
                  <li key={path}>
                    <h3 class="mono">{name}</h3>
                    <p class="small quiet facts-path">
                      <code>{path}</code>
                      <CopyButton text={path} name={`Copy the path of ${name}`} />
                    </p>
                    {problems.map(({ code, message, line }) => (
                      <p key={code + message}>
                        {line !== undefined && <span class="quiet">Line {line}: </span>}
                        {message}
                      </p>
                    ))}
                    <p class="left-out-fix">
                      <Command text={`knack validate --fix ${shellWord(path)}`} />
                      <Command text={`knack edit ${shellWord(path)}`} />
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

/** As one word of a shell. */
function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
