import { useResource } from "../../api/resource.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Diff } from "../../parts/text/diff.tsx";

const KINDS = {
  changed: "Changed",
  missing: "Missing",
  extra: "New",
  link: "Replaced by a link",
  unknown: "Cannot be read",
} as const;

/** Whether the skill is as it was locked, and what changed since. */
export function LockTab({ id, name }: { readonly id: string; readonly name: string }) {
  const lock = useResource("/api/skills/{id}/lock", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={lock}>
      {({ state, file, source, commit, changes }) =>
        state === "unlocked" ? (
          <Empty
            icon="lock"
            title="This skill is not locked. A lock records every byte, so that a later change is noticed:"
          >
            <Command text={`knack lock ${name}`} />
          </Empty>
        ) : (
          <>
            <p class="lock-state">
              {state === "same" ? (
                <Badge means="done" icon="lock">
                  As it was locked
                </Badge>
              ) : (
                <Badge means="waits" icon="alert">
                  Changed since it was locked
                </Badge>
              )}
            </p>
            <dl class="facts">
              <dt>Lock</dt>
              <dd>
                <code>{file}</code>
              </dd>
              {source && (
                <>
                  <dt>Source</dt>
                  <dd>
                    <code>{source}</code>
                    {commit && <span class="quiet"> at {commit.slice(0, 12)}</span>}
                  </dd>
                </>
              )}
            </dl>
            {changes.map(({ path, kind, detail, diff }) => (
              <section class="section" key={path}>
                <h2 class="mono">{path || "The folder"}</h2>
                <p class="quiet small">
                  {KINDS[kind]}
                  {detail && `: ${detail}`}
                </p>
                {diff && <Diff text={diff} label={`Changes of ${path}`} />}
              </section>
            ))}
            {state === "changed" && (
              <p class="section lock-next">
                Accept the skill as it is now: <Command text={`knack lock ${name}`} />
                {source && (
                  <>
                    {" "}
                    Get it back from its source: <Command text={`knack update ${name}`} />
                  </>
                )}
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
