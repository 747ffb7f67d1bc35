import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Badge, type Meaning } from "../../parts/look/badge.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import { Empty, Loaded } from "../../parts/state/states.tsx";

type Finding = Answer<"/api/skills/{id}/findings">["findings"][number];

const LOOKS: Readonly<Record<Finding["severity"], readonly [Meaning, string]>> = {
  error: ["failed", "Error"],
  warning: ["waits", "Warning"],
  note: ["plain", "Note"],
};

/** What knack lint and the catalog say of this skill. */
export function FindingsTab({
  id,
  diagnostics,
}: {
  readonly id: string;
  readonly diagnostics: Answer<"/api/skills/{id}">["diagnostics"];
}) {
  const found = useResource("/api/skills/{id}/findings", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={found}>
      {({ findings, total }) =>
        findings.length + diagnostics.length === 0 ? (
          <Empty icon="check" title="Nothing to report: no security or quality finding." />
        ) : (
          <ul class="findings">
            {diagnostics.map(({ code, message, line }) => (
              <li key={code + message}>
                <Badge means="waits" icon="alert">
                  {code}
                </Badge>
                <span>
                  {line !== undefined && <span class="quiet">Line {line}: </span>}
                  {message}
                </span>
              </li>
            ))}
            {findings.map((one) => (
              <FindingLine key={`${one.rule} ${one.file} ${one.line} ${one.message}`} id={id} finding={one} />
            ))}
            {total > findings.length && (
              <li class="quiet">
                {total - findings.length} more: run <code>knack lint</code>.
              </li>
            )}
          </ul>
        )
      }
    </Loaded>
  );
}

function FindingLine({ id, finding }: { readonly id: string; readonly finding: Finding }) {
  const { rule, severity, category, file, line, message, suppressed } = finding;
  const [means, word] = LOOKS[severity];
  return (
    <li>
      <Badge
        means={suppressed === null ? means : "off"}
        {...(severity === "note" ? {} : { icon: "alert" as const })}
      >
        {suppressed === null ? word : "Suppressed"}
      </Badge>
      <div>
        <p>{message}</p>
        <p class="small quiet">
          <code>{rule}</code>, {category},{" "}
          <a href={`${skillPath(id)}?tab=files&file=${encodeURIComponent(file)}`}>
            {file}
            {line !== null && `:${line}`}
          </a>
          {suppressed !== null && <>, suppressed: {suppressed}</>}
        </p>
      </div>
    </li>
  );
}
