import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { LinkButton } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Icon, type IconName } from "../../parts/look/icon.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { Card } from "./card.tsx";
import { missingWords } from "./missing-words.ts";
import "./needs.css";

type NeedsData = Answer<"/api/needs">;

/** What waits for the user, with the step that ends the wait. */
export function Needs() {
  const needs = useResource("/api/needs", undefined, { reloadOn: ["catalog", "log"] });
  // "knack lock" and "knack trust" at the terminal say nothing here: look again when the user comes back.
  useEffect(() => {
    addEventListener("focus", needs.reload);
    return () => removeEventListener("focus", needs.reload);
  });
  const total = needs.data ? totalOf(needs.data) : 0;
  return (
    <Card title="Needs you" aside={total > 0 && <Badge means="waits">{count(total)}</Badge>}>
      <Loaded of={needs} rows={3}>
        {(data) =>
          totalOf(data) === 0 ? (
            <Empty icon="check" title="Nothing waits for you." />
          ) : (
            <ul class="needs">
              <Trust trust={data.trust} />
              <Blocked blocked={data.blocked} />
              <Changed changed={data.changed} />
              <LeftOut leftOut={data.left_out} />
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

const totalOf = ({ trust, left_out, changed, blocked }: NeedsData): number =>
  (trust.waiting > 0 ? 1 : 0) + trust.code.length + left_out.count + changed.count + blocked.count;

function Need({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <li class="need">
      <Icon name={icon} size={18} />
      <div class="need-body">
        <p class="need-title">{title}</p>
        {children}
      </div>
    </li>
  );
}

/** Trust is said at the terminal, so that nothing in a browser can say it. */
function Trust({ trust: { waiting, code, project } }: { readonly trust: NeedsData["trust"] }) {
  return (
    <>
      {waiting > 0 && (
        <Need
          icon="trust"
          title={`${plural(waiting, "skill")} of this project ${waiting === 1 ? "waits" : "wait"} for your trust.`}
        >
          <p class="small quiet">
            Read them first. Trust offers them to models, lets the project's configuration reach outside its
            folder, and lets the code of its typed skills run. Run this in <code>{project}</code>:
          </p>
          <Command text="knack trust" />
        </Need>
      )}
      {code.length > 0 && (
        <Need
          icon="trust"
          title={`${plural(code.length, "typed skill")} cannot run until you approve the code.`}
        >
          <p class="small quiet">
            {code
              .slice(0, 5)
              .map(({ skill, change }) => `${skill} (${change})`)
              .join(", ")}
            . This shows what changed and asks:
          </p>
          <Command text="knack trust" />
        </Need>
      )}
    </>
  );
}

function Blocked({ blocked }: { readonly blocked: NeedsData["blocked"] }) {
  return (
    <>
      {blocked.first.map(({ plan, plan_title, task, title, missing, reason }) => (
        <Need
          key={`${plan}/${task}`}
          icon="plans"
          title={
            <>
              <a href={`/plans/${encodeURIComponent(plan)}`}>{title || task}</a> waits for{" "}
              {missingWords(reason, missing)}.
            </>
          }
        >
          <p class="small quiet">Plan: {plan_title || plan}</p>
        </Need>
      ))}
      <Rest list={blocked} href="/plans" />
    </>
  );
}

function Changed({ changed }: { readonly changed: NeedsData["changed"] }) {
  return (
    <>
      {changed.first.map(({ skill, path, files, file_count }) => (
        <Need
          key={path}
          icon="lock"
          title={
            <>
              <a href={`/skills/${encodeURIComponent(skill)}`}>
                <code>{skill}</code>
              </a>{" "}
              changed since you locked it.
            </>
          }
        >
          <p class="small quiet clip" title={path}>
            {files.map((file) => `${file.path || "the folder"} (${file.kind})`).join(", ")}
            {file_count > files.length && `, ${count(file_count - files.length)} more`}
          </p>
          <div class="need-commands">
            <Command text={`knack diff ${skill}`} />
            <Command text={`knack lock ${skill}`} />
          </div>
        </Need>
      ))}
      <Rest list={changed} href="/skills" />
    </>
  );
}

/** At first the few that matter most; a folder of broken skills should not fill the page. */
const SHOWN = 3;

function LeftOut({ leftOut }: { readonly leftOut: NeedsData["left_out"] }) {
  if (leftOut.count === 0) return null;
  return (
    <Need
      icon="alert"
      title={`${plural(leftOut.count, "skill")} ${leftOut.count === 1 ? "was" : "were"} left out.`}
    >
      <ul class="left-out">
        {leftOut.first.slice(0, SHOWN).map(({ path, problems }) => (
          <li key={path}>
            <p class="small mono clip" title={path}>
              {shortPath(path)}
            </p>
            <p class="small quiet">{problems[0]?.message}</p>
          </li>
        ))}
      </ul>
      <div class="need-commands">
        <Command text="knack validate --fix" />
        {leftOut.count > SHOWN && <LinkButton href="/skills">Show all</LinkButton>}
      </div>
    </Need>
  );
}

function Rest({
  list,
  href,
}: {
  readonly list: { readonly count: number; readonly first: readonly unknown[] };
  readonly href: string;
}) {
  const rest = list.count - list.first.length;
  if (rest <= 0) return null;
  return (
    <li class="need-rest small">
      <a href={href}>{count(rest)} more</a>
    </li>
  );
}

/** The end of a path says which skill it is. */
const shortPath = (path: string): string => path.split(/[/\\]/).slice(-3).join("/");
