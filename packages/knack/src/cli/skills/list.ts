import type { Catalog, Entry } from "@knack/core";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { count, pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface ListOptions extends GlobalOptions {
  readonly scope?: string;
  readonly all?: boolean;
}

export async function list(options: ListOptions): Promise<void> {
  const catalog = await openProject(options).catalog();
  const entries = catalog.entries.filter(
    ({ skill, status }) =>
      (options.all || status === "active") && (!options.scope || skill.scope === options.scope),
  );
  if (options.json) {
    const skills = entries.map(({ skill, status, reason }) =>
      options.all ? { ...skill, status, reason } : skill,
    );
    printJson({ ...catalog.toJSON(), skills });
    return;
  }
  print(render(entries, options).join("\n"));
  summarize(catalog, entries, options);
}

function render(entries: readonly Entry[], options: ListOptions): string[] {
  if (entries.length === 0) return [];
  const columns = [
    { title: "NAME" },
    { title: "SCOPE" },
    ...(options.all ? [{ title: "STATUS" }] : []),
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

function summarize(catalog: Catalog, entries: readonly Entry[], options: ListOptions): void {
  const paint = painter(options, 2);
  const parts = [pluralize(entries.length, "skill")];
  if (!catalog.config.skills.enabled)
    parts.push("all skills are disabled by skills.enabled in the configuration");
  const leftOut = new Set(
    catalog.errors.filter(({ code }) => code !== "E_INELIGIBLE").map(({ path }) => path),
  ).size;
  if (leftOut > 0) parts.push(`${count(leftOut)} skipped; "knack validate" shows why`);
  const waiting = catalog.entries.filter(({ status }) => status === "unverified").length;
  if (waiting > 0) parts.push(`${count(waiting)} changed or not locked; "knack verify --strict" shows them`);
  const inactive = catalog.entries.length - catalog.skills.length - waiting;
  if (inactive > 0 && !options.all) parts.push(`${count(inactive)} inactive; "knack list --all" shows why`);
  note(paint("dim", parts.join(" · ")));
}
