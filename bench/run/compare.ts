/** Times in milliseconds of the same work done in two ways. */
interface Times {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/** Alternates, so that a busy moment of the machine affects both. */
export async function compare(
  rounds: number,
  ours: (round: number) => unknown,
  theirs: (round: number) => unknown,
): Promise<Times> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.theirs.push(await timed(() => theirs(round)));
    times.ours.push(await timed(() => ours(round)));
  }
  return times;
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Prints a row; a goal is a maximum multiple of the other's time, or a minimum share of its rate. */
export function report(
  work: string,
  { ours, theirs }: Times,
  other: string,
  goal: { readonly atMost: number } | { readonly atLeast: number },
): void {
  const ratio = (of: (times: readonly number[]) => number): string => {
    const slower = of(ours) / of(theirs);
    return "atMost" in goal ? `${slower.toFixed(2)} x` : `${(1 / slower).toFixed(2)} of`;
  };
  const fastest = (times: readonly number[]): number => Math.min(...times);
  console.log(`${work}: ${shown(median(ours))}; ${other}: ${shown(median(theirs))}`);
  const wanted = "atMost" in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
  const what = "atMost" in goal ? "its time" : "its speed";
  console.log(`  ${ratio(median)} ${what} (fastest ${ratio(fastest)}), goal: ${wanted}`);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

function shown(ms: number): string {
  return ms < 10 ? `${(ms * 1000).toFixed(0)} µs` : `${ms.toFixed(0)} ms`;
}
