import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { Badge, Button, Command, count, Icon, type IconName, plural } from "../../parts/look.tsx";
import { PageHead, planPath } from "../../parts/page.tsx";
import { skillPath, WaitingSkills } from "../../parts/skill.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Card, Clients, Cost, Use, UsedSkills } from "./cards.tsx";
import { Questions } from "./questions.tsx";
import "./home.css";

export function Page() {
  return (
    <div class="page page-home">
      <PageHead title="Home" />
      <Questions />
      <div class="with-aside">
        <div class="stack">
          <Needs />
          <Use />
        </div>
        <div class="stack">
          <Clients />
          <UsedSkills />
          <Cost />
        </div>
      </div>
    </div>
  );
}

type NeedsData = Answer<"/api/needs">;

function Needs() {
  const needs = useResource("/api/needs", undefined, { reloadOn: ["catalog", "log", "locks"] });
  // "knack trust" at the terminal says nothing here, and no event tells of the files beside a SKILL.md: look again when the user comes back.
  useEffect(() => {
    addEventListener("focus", needs.reload);
    return () => removeEventListener("focus", needs.reload);
  });
  const total = needs.data ? totalOf(needs.data) : 0;
  return (
    <Card title="Needs you" aside={total > 0 && <Badge means="waits" words={count(total)} />}>
      <Loaded of={needs} rows={3}>
        {(data) =>
          totalOf(data) === 0 ? (
            <Empty icon="check" title="Nothing waits for you." />
          ) : (
            <ul class="lines">
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

interface NeedProps {
  readonly icon: IconName;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

function Need({ icon, title, children }: NeedProps) {
  return (
    <li class="need item row">
      <Icon name={icon} size={18} />
      <div class="fill stack">
        <p>{title}</p>
        {children}
      </div>
    </li>
  );
}

/** Trust is said at the terminal, so that nothing in a browser can say it. */
function Trust({ trust: { waiting, code, project } }: { trust: NeedsData["trust"] }) {
  return (
    <>
      {waiting > 0 && (
        <Need
          icon="trust"
          title={`${plural(waiting, "skill")} of this project ${waiting === 1 ? "waits" : "wait"} for your trust.`}
        >
          <p class="small quiet">
            Trust offers them to models, lets the project's configuration reach outside its folder, and lets
            the code of its typed skills run. Run this in <code>{project}</code>:
          </p>
          <Command text="knack trust" />
          <WaitingSkills />
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

function Blocked({ blocked }: { blocked: NeedsData["blocked"] }) {
  return (
    <>
      {blocked.first.map(({ plan, plan_title, task, title, missing, reason }) => (
        <Need
          key={`${plan}/${task}`}
          icon="plans"
          title={
            <>
              <a href={planPath(plan)}>{title || task}</a> waits for {waitsForWords(reason, missing)}.
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

function Changed({ changed }: { changed: NeedsData["changed"] }) {
  return (
    <>
      {changed.first.map(({ skill, path, files, file_count }) => (
        <Need
          key={path}
          icon="lock"
          title={
            <>
              <a href={skillPath(skill)}>
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
          <div class="row wrap">
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

function LeftOut({ leftOut }: { leftOut: NeedsData["left_out"] }) {
  if (leftOut.count === 0) return null;
  return (
    <Need
      icon="alert"
      title={`${plural(leftOut.count, "skill")} ${leftOut.count === 1 ? "was" : "were"} left out.`}
    >
      <ul class="stack">
        {leftOut.first.slice(0, SHOWN).map(({ path, problems }) => (
          <li key={path}>
            <p class="small mono clip" title={path}>
              {shortPath(path)}
            </p>
            <p class="small quiet">{problems[0]?.message}</p>
          </li>
        ))}
      </ul>
      <div class="row wrap">
        <Command text="knack validate --fix" />
        {leftOut.count > SHOWN && <Button words="Show all" href="/skills?state=left_out" />}
      </div>
    </Need>
  );
}

function Rest({ list, href }: { list: { count: number; first: readonly unknown[] }; href: string }) {
  const rest = list.count - list.first.length;
  if (rest <= 0) return null;
  return (
    <li class="small">
      <a href={href}>{count(rest)} more</a>
    </li>
  );
}

const shortPath = (path: string): string => path.split(/[/\\]/).slice(-3).join("/");

type Waiting = NeedsData["blocked"]["first"][number];

/** What a blocked task waits for, as a part of a sentence: "the file sources (1 of 2)". */
export function waitsForWords(
  reason: Waiting["reason"],
  missing: readonly Pick<Waiting["missing"][number], "name" | "kind" | "have" | "min_count">[],
): string {
  const [first] = missing;
  if (!first)
    return reason === "WAITING_EXTERNAL" ? "you: it failed three times" : "something outside of Knack";
  const { name, kind, have, min_count: needed } = first;
  const nouns = { FILE: "the file", CONFIRMATION: "your confirmation", SKILL_OUTPUT: "the result" } as const;
  const counted = needed > 1 ? ` (${have} of ${needed})` : "";
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : "";
  return `${nouns[kind]} ${name}${counted}${more}`;
}
