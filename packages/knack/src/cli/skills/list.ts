import type { Catalog, Entry } from "@knack/core";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { describeLeftOut } from "./left-out.ts";

export interface ListOptions extends GlobalOptions {
  readonly scope?: string;
  readonly all?: boolean;
}

export async function list(options: ListOptions): Promise<void> {
  const project = openProject(options);
  const catalog = await project.catalog();
  const ofScope = catalog.entries.filter(({ skill }) => !options.scope || skill.scope === options.scope);
  const entries = ofScope.filter(({ status }) => options.all || status === "active");
  if (options.json) {
    const skills = entries.map(({ skill, status, reason }) =>
      options.all ? { ...skill, status, reason } : skill,
    );
    printJson({ ...catalog.toJSON(), skills });
    return;
  }
  print(render(entries, options).join("\n"));
  note(painter(options, 2)("dim", summaryOf(entries, catalog)));
  const inactive = options.all ? [] : ofScope.filter(({ status }) => status !== "active");
  for (const line of describeLeftOut(catalog, {
    scope: options.scope,
    inactive,
    isTrusted: project.isTrusted,
  }))
    note(line);
}

function summaryOf(entries: readonly Entry[], { entries: all, errors, config }: Catalog): string {
  if (!config.skills.enabled)
    return `${pluralize(entries.length, "skill")}; all skills are disabled by skills.enabled in the configuration`;
  if (all.length + errors.length > 0) return pluralize(entries.length, "skill");
  return "No skills found. Create one: knack new <name>. See where Knack looks: knack doctor";
}

function render(entries: readonly Entry[], options: ListOptions): string[] {
  if (entries.length === 0) return [];
  const columns = [
    { title: "NAME" },
    { title: "SCOPE", drop: 1 },
    ...(options.all ? [{ title: "STATUS", drop: 2 }] : []),
    { title: "DESCRIPTION", flexible: true },
  ];
  const rows = entries.map(({ skill, status, reason }) => [
    escapeControl(skill.name),
    skill.scope,
    ...(options.all ? [status] : []),
    escapeControl(reason === "" ? skill.description : `(${reason}) ${skill.description}`),
  ]);
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  return [painter(options)("bold", head), ...lines];
}
