import { withEngine } from "../../host/open-engine.ts";
import { typedSkillReport } from "../../host/report/typed-skill-report.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { reportDiagnostics } from "../skills/report.ts";

/** The typed skills and their contracts; exit code 1 where an entry is wrong. */
export async function registry(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine, project) => {
    const { skills, errors, warnings } = engine;
    if (errors.length > 0) process.exitCode = 1;
    if (options.json) {
      printJson({ skills: skills.map(typedSkillReport), errors, warnings });
      return;
    }
    const columns = [
      { title: "NAME" },
      { title: "INPUTS", drop: 2 },
      { title: "MAKES", drop: 1 },
      { title: "DESCRIPTION", flexible: true },
    ];
    const rows = skills.map(({ name, description, inputs, outputs }) => [
      escapeControl(name),
      escapeControl(
        inputs.map(({ role, required, many }) => `${role}${many ? "+" : required ? "" : "?"}`).join(" "),
      ),
      escapeControl(
        [
          ...outputs.artifacts.map((artifact) => artifact.name),
          ...outputs.evidences.map(({ kind }) => kind),
        ].join(" "),
      ),
      escapeControl(description),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    print([painter(options)("bold", head), ...lines].join("\n"));
    for (const line of reportDiagnostics([...errors, ...warnings], project, options)) note(line);
    note(painter(options, 2)("dim", pluralize(skills.length, "typed skill")));
  });
}
