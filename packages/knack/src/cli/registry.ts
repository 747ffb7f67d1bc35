import type { TypedSkill } from "@knack/engine";
import { counted } from "./count.ts";
import { withEngine } from "./open-engine.ts";
import type { GlobalOptions } from "./options.ts";
import { note, painter, print, printJson, terminalWidth } from "./output.ts";
import { reportDiagnostics } from "./report.ts";
import { table } from "./table.ts";
import { visible } from "./visible.ts";

/** What programs are told of a typed skill. */
export function contractOf(skill: TypedSkill): object {
  const { name, description, implementation, inputs, outputs, params, idempotency } = skill;
  return { name, description, implementation, inputs, outputs, params, idempotency };
}

/** The typed skills and their contracts; exit code 1 where an entry is wrong. */
export async function registry(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine, project) => {
    const { skills, errors, warnings } = engine;
    if (errors.length > 0) process.exitCode = 1;
    if (options.json) {
      printJson({ skills: skills.map(contractOf), errors, warnings });
      return;
    }
    const columns = [
      { title: "NAME" },
      { title: "INPUTS" },
      { title: "MAKES" },
      { title: "DESCRIPTION", flexible: true },
    ];
    const rows = skills.map(({ name, description, inputs, outputs }) => [
      visible(name),
      visible(
        inputs.map(({ role, required, many }) => `${role}${many ? "+" : required ? "" : "?"}`).join(" "),
      ),
      visible(
        [
          ...outputs.artifacts.map((artifact) => artifact.name),
          ...outputs.evidences.map(({ kind }) => kind),
        ].join(" "),
      ),
      visible(description),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    print([painter(options)("bold", head), ...lines].join("\n"));
    for (const line of reportDiagnostics([...errors, ...warnings], project, options)) note(line);
    note(painter(options, 2)("dim", counted(skills.length, "typed skill")));
  });
}
