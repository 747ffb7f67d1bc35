import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take the longest, those first. Begun last, one of them would keep a single core busy while the others wait. */
const LONGEST = `
  attack/bombs live/freshness store/crash queue/queue add/kill cli/serve page/hostile mcp/agents add/update page/work-plans
  queue/crash-team attack/isolation page/queue attack/clone packaging/embedded attack/long-names access/listen contents
  sources/large packaging/program mcp/hostile cli/dispatch queue/plan queue/order team/walkthrough attack/stranger
  postgres/postgres-faults engine/crash/failpoints page/graph page/skill access/roles cli/tui isolate/limits
`
  .trim()
  .split(/\s+/);

/**
 * Begins with the longest files, then the other slow ones, which wait most; what is short and keeps the processor busy comes
 * last. Vitest knows the times by itself only where an earlier run left them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId, project }: TestSpecification): number => {
      if (project.name !== "slow") return LONGEST.length + 1;
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.slow.test.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => turn(one) - turn(other));
  }
}
