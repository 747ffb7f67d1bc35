import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { me } from "../../api/session.ts";
import { CodeBlock, codeLanguage } from "../../parts/code.tsx";
import { Facts } from "../../parts/list-page.tsx";
import { Badge, Button, CopyButton, CopyText, count, Icon, plural, size, Time } from "../../parts/look.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Section, useTitle } from "../../parts/page.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { changeSkill, PolicyButtons, SCOPE_WORDS, StateBadge, skillPath } from "../../parts/skill.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { EdgesTab, FindingsTab, fileAddress, LockTab, TriggersTab } from "./checks.tsx";
import { UseTab } from "./use.tsx";
import "./skill.css";

const WORDS = {
  text: "Text",
  files: "Files",
  edges: "Connections",
  findings: "Findings",
  lock: "Lock",
  use: "Use",
  triggers: "Triggers",
} as const;
type TabName = keyof typeof WORDS;
const TABS = Object.keys(WORDS) as TabName[];

export function Page() {
  const { params } = useRoute();
  const { query, route } = useLocation();
  const id = params.id ?? "";
  const report = useResource("/api/skills/{id}", { path: { id } });
  const policy = useResource("/api/skills/{id}/policy", { path: { id } });
  const findings = useResource("/api/skills/{id}/findings", { path: { id } });
  const { skill, files = [], edges = [], diagnostics = [] } = report.data ?? {};
  useTitle(skill?.name ?? "Skill");
  const tab = TABS.find((one) => one === query.tab) ?? "text";
  const choose = (next: TabName): void =>
    route(next === "text" ? skillPath(id) : `${skillPath(id)}?tab=${next}`);
  const reload = (): void => {
    report.reload();
    policy.reload();
  };
  const { state = skill?.status, reason = skill?.reason ?? "" } = policy.data?.listed ?? {};
  // Who decides about a skill may read it, whatever keeps it from models.
  const isOwner = me.value?.role === "owner";
  const isKept = isOwner && (state === "denied" || state === "disabled");
  const refused = report.error?.code ?? "";
  useShortcuts("Skill", [
    ...TABS.map((name, place) => ({
      keys: String(place + 1),
      words: `Show ${WORDS[name].toLowerCase()}`,
      run: () => choose(name),
    })),
    {
      keys: "e",
      words: "Enable or disable it",
      run: () => skill && void changeSkill(skill, state === "disabled" ? "enable" : "disable", reload),
    },
    { keys: "a", words: "Allow it", run: () => skill && void changeSkill(skill, "allow", reload) },
    { keys: "d", words: "Deny it", run: () => skill && void changeSkill(skill, "deny", reload) },
    { keys: "u", words: "All skills", run: () => route("/skills") },
  ]);
  const found =
    (findings.data?.findings ?? []).filter(
      ({ suppressed, severity }) => suppressed === null && severity !== "note",
    ).length + diagnostics.length;
  const notes: Partial<Record<TabName, number>> = {
    files: files.length + 1,
    edges: edges.length,
    findings: found,
  };
  const tabs = TABS.map((name) => ({ id: name, words: WORDS[name], note: notes[name] || undefined }));
  return (
    <div class="page page-skill">
      <nav class="small" aria-label="Up">
        <a href="/skills">Skills</a>
      </nav>
      {isOwner && report.data === undefined && (refused === "ACCESS_DENIED" || refused === "NOT_FOUND") ? (
        <Review id={id} />
      ) : (
        <Loaded of={report}>
          {({ skill: one }) => (
            <>
              <div class="page-head row wrap">
                <h1 class="mono row" tabIndex={-1}>
                  {one.name}
                  <CopyButton text={one.name} name="Copy name" />
                </h1>
                {state && <StateBadge state={state} reason={reason} />}
                <Button words="Try" icon="try" href={`/try?skill=${encodeURIComponent(id)}`} />
                {state && <PolicyButtons skill={one} state={state} changed={reload} />}
              </div>
              {reason !== "" && <p class="note means-waits small apart">{reason}</p>}
              <p class="prose apart">{one.description}</p>
              <SkillFacts skill={one} />
              <Tabs tabs={tabs} chosen={tab} onChoose={choose} label="Parts of the skill">
                {tab === "text" && (isKept ? <ReviewText id={id} /> : <TextTab id={id} />)}
                {tab === "files" && (
                  <FilesTab id={id} files={files.map((path) => relative(one.dir, path))} isKept={isKept} />
                )}
                {tab === "edges" && <EdgesTab id={id} name={one.name} />}
                {tab === "findings" && <FindingsTab id={id} diagnostics={diagnostics} />}
                {tab === "lock" && <LockTab id={id} name={one.name} />}
                {tab === "use" && <UseTab id={id} />}
                {tab === "triggers" && <TriggersTab id={id} name={one.name} />}
              </Tabs>
            </>
          )}
        </Loaded>
      )}
      {/* Changed since it was locked: what changed is all that others may see of it. */}
      {report.error?.code === "ACCESS_DENIED" && <LockTab id={id} name={id} />}
    </div>
  );
}

type Skill = Answer<"/api/skills/{id}">["skill"];

function SkillFacts({ skill }: { skill: Skill }) {
  const places = skill.places ?? [skill.path];
  return (
    <Facts
      of={{
        From: (
          <span>
            {SCOPE_WORDS[skill.scope]}
            {skill.client && `, folder of ${skill.client}`}, changed <Time at={skill.mtimeMs} />
          </span>
        ),
        [places.length === 1 ? "Place" : "Places"]: (
          <div>
            {places.map((place) => (
              <CopyText key={place} text={place} name="Copy path" />
            ))}
          </div>
        ),
        For: skill.disableModelInvocation && "people only: a model cannot load it by itself",
        Command: skill.command && `/${skill.command}`,
        "Needs tools": skill.requiresTools?.join(", ") || undefined,
        "May use": skill.allowedTools?.join(", ") || undefined,
        "Works with": skill.compatibility,
        Version: skill.version ?? skill.metadata?.version,
        Licence: skill.license,
      }}
    />
  );
}

/** The text for people, and beside it exactly what a model reads. */
function TextTab({ id }: { id: string }) {
  const { query } = useLocation();
  const [isBeside, setBeside] = useState(query.model !== "off");
  return (
    <Loaded of={useResource("/api/skills/{id}/load", { path: { id } })} rows={12}>
      {({ text, data }) => {
        const content = String(data.content ?? "");
        return (
          <div class={isBeside ? "stack reading reading-both" : "stack reading"}>
            <Section
              title="Text"
              aside={
                <Button
                  words={isBeside ? "Hide what a model reads" : "Show what a model reads"}
                  small
                  look="quiet"
                  icon="eye"
                  aria-pressed={isBeside}
                  onClick={() => setBeside(!isBeside)}
                />
              }
            >
              <Markdown text={content} linkTo={(path) => fileLink(id, path)} />
            </Section>
            {isBeside && (
              <Section
                title="What a model reads"
                aside={
                  <span class="quiet small" title="About four letters each">
                    about {plural(tokensOf(text), "token")}, {count(text.length)} characters
                  </span>
                }
              >
                <CodeBlock text={text} label="what a model reads" wrap />
              </Section>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** A link to a file beside the skill opens it here; others are only text. */
function fileLink(id: string, path: string): string | undefined {
  const clean = path.replace(/^\.\//, "").replace(/#.*$/, "");
  if (clean === "" || /^[a-z][a-z0-9+.-]*:|^\/|\.\.\/|\\/i.test(clean)) return undefined;
  return fileAddress(id, decode(clean));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, only a percent sign.
    return text;
  }
}

function ReviewText({ id }: { id: string }) {
  return (
    <Loaded of={useResource("/api/review/{id}", { path: { id } })} rows={12}>
      {({ content }) => (
        <section aria-label="Text" class="reading">
          <p class="note means-waits small apart">
            No model can read this text now; you can, to decide about it.
          </p>
          <Markdown text={content} linkTo={(path) => fileLink(id, path)} />
        </section>
      )}
    </Loaded>
  );
}

/** A skill that is not in the catalog yet, for its owner: it waits for trust, or has changed since it was locked. */
function Review({ id }: { id: string }) {
  const { query } = useLocation();
  const report = useResource("/api/review/{id}", { path: { id } });
  useTitle(report.data?.skill.name ?? "Skill");
  return (
    <Loaded of={report}>
      {({ skill, why, files }) => (
        <>
          <div class="page-head row wrap">
            <h1 class="mono" tabIndex={-1}>
              {skill.name}
            </h1>
            <Badge means="waits" words="Kept from agents" title={why} />
          </div>
          {why !== "" && <p class="note means-waits small apart">{why}</p>}
          <p class="prose apart">{skill.description}</p>
          <CopyText text={skill.path} name="Copy path" />
          {query.tab === "files" ? null : <ReviewText id={id} />}
          <h2>Files</h2>
          <FilesTab id={id} files={files} isKept />
        </>
      )}
    </Loaded>
  );
}

/** `isKept`: models are kept from it, and its owner reads it. */
function FilesTab({ id, files, isKept }: { id: string; files: readonly string[]; isKept: boolean }) {
  const { query } = useLocation();
  const names = ["SKILL.md", ...files.filter((name) => name !== "SKILL.md")];
  const chosen = query.file ?? "SKILL.md";
  return (
    <div class="stack files">
      <nav aria-label="Files">
        <ul>
          {names.map((name) => (
            <li key={name}>
              <a
                class="place row small pick"
                href={fileAddress(id, name)}
                aria-current={name === chosen ? "true" : undefined}
                title={name}
              >
                <Icon name="file" />
                <span class="clip mono">{name}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <File key={chosen} id={id} name={chosen} isKept={isKept} />
    </div>
  );
}

function File({ id, name, isKept }: { id: string; name: string; isKept: boolean }) {
  const { query } = useLocation();
  const isMarkdown = /\.(?:md|markdown)$/i.test(name) && name !== "SKILL.md";
  const isRendered = isMarkdown && query.as !== "text";
  const base = fileAddress(id, name);
  const source = isKept ? "/api/review/{id}/files/{path}" : "/api/skills/{id}/files/{path}";
  return (
    <section aria-label={name}>
      <Loaded of={useResource(source, { path: { id, path: name } })} rows={10}>
        {({ content, size_bytes: bytes }) => (
          <>
            <p class="row wrap apart">
              <b class="mono">{name}</b>
              <span class="quiet small">{size(bytes)}</span>
              {isMarkdown && (
                <a class="small" href={isRendered ? `${base}&as=text` : base}>
                  {isRendered ? "Show as text" : "Show rendered"}
                </a>
              )}
            </p>
            {isRendered ? (
              <Markdown text={content} />
            ) : (
              <CodeBlock
                text={content}
                language={codeLanguage(name)}
                label={name}
                wrap={/\.(?:md|markdown|txt)$/i.test(name)}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function relative(dir: string, path: string): string {
  const isInside = path.startsWith(dir) && /[/\\]/.test(path[dir.length] ?? "");
  return (isInside ? path.slice(dir.length + 1) : path).replaceAll("\\", "/");
}

/** About as many tokens as a model reads, by the rule of the server: four letters each, of Chinese and the like one. */
export function tokensOf(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) wide++;
  return Math.ceil((text.length - wide) / 4) + wide;
}
