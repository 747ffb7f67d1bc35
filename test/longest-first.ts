import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take half a minute or more alone. Begun last, one of them would keep a single core busy while the others wait. */
const LONGEST = [
  ...["add/kill", "attack/clone", "queue/queue", "queue/crash-team", "engine/crash/failpoints"],
  ...["store/postgres/postgres-faults", "packaging/program", "team/walkthrough", "page/graph", "page/skill"],
  ...[
    "attack/bombs",
    "attack/isolation",
    "page/queue",
    "page/hostile",
    "store/crash",
    "cli/tui",
    "isolate/limits",
  ],
];

/**
 * Begins with the longest files, then the other slow ones, which wait most; what is short and keeps the processor busy comes
 * last. Vitest knows the times by itself only where an earlier run left them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId, project }: TestSpecification): number => {
      if (project.name !== "slow") return 2;
      return LONGEST.some((name) => moduleId.endsWith(`/${name}.slow.test.ts`)) ? 0 : 1;
    };
    return (await super.sort(files)).sort((one, other) => turn(one) - turn(other));
  }
}
