import { gatesMet, keysOf } from "../hook/gates.ts";
import { useOf } from "../hook/tool-use.ts";
import { withProject } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { note } from "../terminal/output.ts";
import { type CellColumn, showTable } from "../terminal/table.ts";

interface Tested {
  readonly number: number;
  readonly needs: string;
  readonly by: string;
  /** Whether a model can load the skill; without it the gate refuses nothing. */
  readonly available: boolean;
  readonly message?: string | undefined;
}

const COLUMNS: readonly CellColumn<Tested>[] = [
  { title: "GATE", cell: ({ number }) => String(number) },
  { title: "NEEDS", cell: ({ needs }) => needs },
  { title: "BY", cell: ({ by }) => by },
  {
    title: "MESSAGE",
    flexible: true,
    cell: ({ available, message = "" }) =>
      available ? message : "has no effect: no model can load this skill",
  },
];

/** Shows which gates a write of a file, or a shell command, meets. The first that has an effect refuses. */
export async function testGate(given: string, options: GlobalOptions): Promise<void> {
  await withProject(options, async (project) => {
    const runtime = await project.runtime();
    const { cwd } = project.place;
    const { catalog } = runtime;
    const { offered } = runtime.session();
    const uses = [
      useOf({ tool: "write", args: { path: given }, cwd }),
      useOf({ tool: "shell", args: { command: given }, cwd }),
    ];
    const met = uses.flatMap((use) => gatesMet(use, catalog));
    const tested = catalog.config.gates.flatMap((gate, at): Tested[] => {
      const found = met.find(({ number }) => number === at + 1);
      const { needs, message } = gate;
      return found
        ? [{ number: at + 1, needs, by: found.by, available: keysOf(gate, offered).length > 0, message }]
        : [];
    });
    const decides = tested.find(({ available }) => available)?.number ?? null;
    const summary = tested.length === 0 ? "No gate meets this" : `Gate ${decides ?? "none"} decides`;
    showTable(options, () => ({ gates: tested, decides }), tested, COLUMNS, summary);
    if (catalog.config.gates.length === 0 && !options.json)
      note(
        `There are no gates. Add one to .knack/config.yaml, such as: gates: [{files: ["**/*.sql"], needs: db-migration}]`,
      );
  });
}
