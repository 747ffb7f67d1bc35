import { useLocation, useRoute } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { LinkButton } from "../../parts/look/button.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { type Tab, Tabs } from "../../parts/look/tabs.tsx";
import { useShortcuts } from "../../parts/page/shortcuts.ts";
import { useTitle } from "../../parts/page/title.tsx";
import { changePolicy } from "../../parts/skill/change-policy.ts";
import { PolicyButtons } from "../../parts/skill/policy-buttons.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import { StateBadge } from "../../parts/skill/state-badge.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { EdgesTab } from "./edges-tab.tsx";
import { Facts } from "./facts.tsx";
import { FilesTab } from "./files-tab.tsx";
import { FindingsTab } from "./findings-tab.tsx";
import { LockTab } from "./lock-tab.tsx";
import { TextTab } from "./text-tab.tsx";
import { TriggersTab } from "./triggers-tab.tsx";
import { UseTab } from "./use-tab.tsx";
import "../skills/skills.css";
import "./skill.css";

const TABS = ["text", "files", "edges", "findings", "lock", "use", "triggers"] as const;
type TabName = (typeof TABS)[number];

export function Page() {
  const { params } = useRoute();
  const { query, route } = useLocation();
  const id = params.id ?? "";
  const report = useResource("/api/skills/{id}", { path: { id } }, { reloadOn: ["catalog"] });
  const policy = useResource("/api/skills/{id}/policy", { path: { id } }, { reloadOn: ["catalog"] });
  const findings = useResource("/api/skills/{id}/findings", { path: { id } }, { reloadOn: ["catalog"] });
  const { skill, files = [], edges = [], diagnostics = [] } = report.data ?? {};
  useTitle(skill?.name ?? "Skill");
  const tab = TABS.find((one) => one === query.tab) ?? "text";
  const choose = (next: TabName): void =>
    route(next === "text" ? skillPath(id) : `${skillPath(id)}?tab=${next}`);
  const reload = (): void => {
    report.reload();
    policy.reload();
  };
  const isDenied = policy.data?.decision === "deny";
  const state = skill?.status === "active" && isDenied ? "denied" : skill?.status;
  useShortcuts("Skill", [
    ...TABS.map((name, place) => ({
      keys: String(place + 1),
      words: `Show ${WORDS[name].toLowerCase()}`,
      run: () => choose(name),
    })),
    {
      keys: "e",
      words: "Enable or disable it",
      run: () => skill && void changePolicy(skill, state === "disabled" ? "enable" : "disable", reload),
    },
    { keys: "a", words: "Allow it", run: () => skill && void changePolicy(skill, "allow", reload) },
    { keys: "d", words: "Deny it", run: () => skill && void changePolicy(skill, "deny", reload) },
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
  const tabs = TABS.map(
    (name): Tab<TabName> => ({ id: name, words: WORDS[name], ...(notes[name] ? { note: notes[name] } : {}) }),
  );
  return (
    <div class="page skill-page">
      <nav class="skill-up" aria-label="Up">
        <a href="/skills">Skills</a>
      </nav>
      <Loaded of={report}>
        {({ skill: one }) => (
          <>
            <div class="page-head">
              <h1 class="mono" tabIndex={-1}>
                {one.name}
                <CopyButton text={one.name} name="Copy name" />
              </h1>
              {state && <StateBadge state={state} reason={isDenied ? policy.data?.reason : one.reason} />}
              <LinkButton icon="try" href={`/try?skill=${encodeURIComponent(id)}`}>
                Try
              </LinkButton>
              {state && <PolicyButtons skill={one} state={state} changed={reload} />}
            </div>
            {one.reason !== "" && <p class="stale">{one.reason}</p>}
            <p class="prose skill-description">{one.description}</p>
            <Facts skill={one} />
            <Tabs tabs={tabs} chosen={tab} onChoose={choose} label="Parts of the skill">
              {tab === "text" && <TextTab id={id} />}
              {tab === "files" && <FilesTab id={id} dir={one.dir} files={files} />}
              {tab === "edges" && <EdgesTab id={id} name={one.name} />}
              {tab === "findings" && <FindingsTab id={id} diagnostics={diagnostics} />}
              {tab === "lock" && <LockTab id={id} name={one.name} />}
              {tab === "use" && <UseTab id={id} />}
              {tab === "triggers" && <TriggersTab id={id} name={one.name} />}
            </Tabs>
          </>
        )}
      </Loaded>
      {/* Changed since it was locked: what changed is all that may be seen of it. */}
      {report.error?.code === "ACCESS_DENIED" && <LockTab id={id} name={id} />}
    </div>
  );
}

const WORDS: Readonly<Record<TabName, string>> = {
  text: "Text",
  files: "Files",
  edges: "Connections",
  findings: "Findings",
  lock: "Lock",
  use: "Use",
  triggers: "Triggers",
};
