import type { Check } from "./checks/check.ts";
import type { Limit } from "./checks/limits.ts";
import type { Passed } from "./checks/slash-commands.ts";
import type { Tokens } from "./hooks/costs.ts";

/** One client over one transport, or why there is nothing to show. */
export interface Row {
  readonly client: string;
  readonly version: string;
  readonly transport: string;
  readonly checks: readonly Check[];
}

export const isFailed = (row: Row): boolean => row.checks.some(({ ok }) => !ok);

export function printRow(row: Row): void {
  console.log(`\n${row.client} ${row.version}, ${row.transport}: ${isFailed(row) ? "FAILED" : "ok"}`);
  for (const { name, ok, detail } of row.checks)
    console.log(`  ${ok ? "✓" : "✗"} ${name.padEnd(15)} ${detail.replaceAll("\n", "\n    ")}`);
}

/** All rows at one glance. */
export function printTable(rows: readonly Row[]): void {
  const names = [...new Set(rows.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  const cells = rows.map((row) => [
    row.client,
    row.version,
    row.transport,
    ...names.map((name) => {
      const found = row.checks.find((one) => one.name === name);
      return found === undefined ? "-" : found.ok ? "ok" : "FAIL";
    }),
  ]);
  const head = ["client", "version", "over", ...names];
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  console.log(`\n${line(head)}`);
  for (const row of cells) console.log(line(row));
}

export function printTokens(tokens: readonly Tokens[]): void {
  if (tokens.length > 0)
    console.log("\nTokens of the first request: native, with Knack, with Knack's list instead:");
  for (const { client, native, withKnack, instead = "-" } of tokens)
    console.log(`  ${client}: ${native}, ${withKnack}, ${instead}`);
}

export function printPassed(passed: readonly Passed[]): void {
  if (passed.length > 0)
    console.log("\nWhat is passed of a slash command, by the declaration of its arguments:");
  for (const { client, declaration, typed, passed: arrived } of passed)
    console.log(`  ${client}, ${declaration}, ${typed ? "with text" : "without text"}: ${arrived}`);
}

export function printLimits(limits: readonly Limit[]): void {
  if (limits.length > 0)
    console.log("\nThe longest text that arrives uncut, in characters of one byte and of three:");
  for (const { client, narrow, wide } of limits) console.log(`  ${client}: ${narrow} and ${wide}`);
}
