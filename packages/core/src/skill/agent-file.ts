import { type Fault, faultAt } from "../shared/diagnostics.ts";
import type { SkillFacts } from "./schema.ts";
import type { FullYaml } from "./skill-text.ts";
import { isMap, parseSimpleYaml, type YamlValue } from "./yaml/simple-yaml.ts";

/** What `agents/openai.yaml` in a skill's folder says of the skill, as far as Knack knows it. */
export interface AgentFile {
  readonly facts: Pick<SkillFacts, "disableModelInvocation" | "displayName" | "shortDescription">;
  readonly faults: readonly Fault[];
}

/** The real ones have a few hundred bytes. */
export const MAX_AGENT_BYTES = 64 * 1024;

/** Never throws, and no fault keeps the skill out. `null` where the text needs the full YAML parser. */
export function readAgentText(text: string, fullYaml: FullYaml | null): AgentFile | null {
  const simple = parseSimpleYaml(text);
  const document = simple ?? fullYaml?.(text.replaceAll("\r\n", "\n"), "failsafe", 1);
  if (!document) return null;
  if ("fault" in document)
    return agentFault(`${document.message.replace(/[^.]$/, "$&.")} The file is ignored.`, document.line);
  const { policy, interface: shown } = document.data;
  const faults: Fault[] = [];
  const textIn = (map: YamlValue | undefined, key: string): string | undefined => {
    const value = isMap(map) ? map[key] : undefined;
    if (value === undefined || typeof value === "string") return value?.trim() || undefined;
    faults.push({ fault: "AGENT_FILE", message: `"${key}" must be text; it is ignored.` });
    return undefined;
  };
  const implicit = textIn(policy, "allow_implicit_invocation");
  const displayName = textIn(shown, "display_name");
  const shortDescription = textIn(shown, "short_description");
  return {
    facts: {
      ...(implicit !== undefined &&
        /^(?:false|no|off|0)$/i.test(implicit) && { disableModelInvocation: true }),
      ...(displayName !== undefined && { displayName }),
      ...(shortDescription !== undefined && { shortDescription }),
    },
    faults,
  };
}

export function agentFault(message: string, line?: number): AgentFile {
  return { facts: {}, faults: [faultAt("AGENT_FILE", message, line)] };
}
