import type { Compared, Comparison } from "./compare.ts";

export const isWorse = ({ onlyClient, error }: Compared): boolean =>
  onlyClient.length > 0 || error !== undefined;

/** How many skills of each folder every client finds, and Knack. */
export function printComparison({ compared, knack, all }: Comparison): void {
  const count = (row: string, paths: readonly string[]): number =>
    all.filter((one) => one.row === row && [one.path, ...one.alsoAt].some((path) => paths.includes(path)))
      .length;
  for (const [cwd, ofKnack] of Object.entries(knack)) {
    const columns = compared.filter((one) => one.cwd === cwd);
    const head = ["folder", "has", "Knack", ...columns.map(({ client }) => client)];
    const isRead = (row: string): boolean => columns.some(({ lists }) => count(row, lists) > 0);
    const folders = [...new Set(all.map(({ row }) => row))];
    const rows = folders.map((row) => [
      row,
      all.filter((one) => one.row === row).length,
      count(row, ofKnack),
      ...columns.map(({ lists }) => count(row, lists) || "-"),
    ]);
    const sum = (title: string, some: typeof rows) => [
      title,
      ...head.slice(1).map((_, at) => some.reduce((total, row) => total + (Number(row[at + 1]) || 0), 0)),
    ];
    const others = rows.filter(([row]) => !isRead(String(row)));
    const shown = rows.filter((row) => !others.includes(row));
    const cells = [head, ...shown, sum(`${others.length} other folders`, others), sum("all", rows)].map(
      (row) => row.map(String),
    );
    const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
    console.log(`\nSkills that are found in ${cwd}:`);
    for (const row of cells)
      console.log(
        row
          .map((cell, at) => (at ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
          .join("  "),
      );
  }
  for (const { client, cwd, onlyClient, leftOut, error } of compared) {
    if (error) console.log(`\n✗ ${client} in ${cwd}: ${error}`);
    for (const path of onlyClient) console.log(`✗ ${client} in ${cwd} finds ${path}, Knack does not`);
    for (const path of leftOut)
      console.log(`  ${client} in ${cwd} lists ${path}, which Knack leaves out with the reason`);
  }
}
