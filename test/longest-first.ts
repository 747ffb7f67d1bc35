import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take half a minute or more alone. Begun last, one of them would keep a single core busy while the others wait. */
const LONGEST = [
  ...["add/kill", "attack/clone", "queue/queue", "queue/crash-team", "engine/crash/failpoints"],
  ...["store/postgres/postgres-faults", "packaging/program", "team/walkthrough", "page/graph", "page/skill"],
];

/** Begins with the longest files; vitest knows them by itself only where an earlier run left its times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((name) => moduleId.endsWith(`/${name}.slow.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
