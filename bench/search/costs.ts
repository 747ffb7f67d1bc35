/** What an index costs, as one table, and how long `knack search` takes as a new process. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Measured } from "./measure.ts";

export interface Costs {
  readonly name: string;
  readonly skills: number;
  /** Milliseconds, and bytes. */
  readonly made: number;
  readonly stored: number | undefined;
  readonly peak: number;
  readonly process?: number | undefined;
  readonly asked?: Pick<Measured, "median" | "longest"> | undefined;
  readonly strange?: Pick<Measured, "longest"> | undefined;
}

const COLUMNS = [
  "",
  "skills",
  "index made",
  "on disk",
  "resident, at most",
  "knack search, new process",
  "query, median",
  "longest prompt",
  "longest strange query",
];
const ms = (value: number | undefined): string =>
  value === undefined ? "" : value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;
const mb = (bytes: number | undefined): string =>
  bytes === undefined ? "" : `${(bytes / 1e6).toFixed(0)} MB`;

export function costTable(rows: readonly Costs[]): string {
  const cells = [
    COLUMNS,
    COLUMNS.map(() => "---"),
    ...rows.map(({ name, skills, made, stored, peak, process: started, asked, strange }) => [
      name,
      String(skills),
      ms(made),
      mb(stored),
      mb(peak),
      ms(started),
      ms(asked?.median),
      ms(asked?.longest),
      ms(strange?.longest),
    ]),
  ];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const PROGRAM = join(import.meta.dirname, "..", "..", "packages", "knack", "bin", "knack.js");
const TIMES = 7;

/** The fastest of several calls after one that makes the index. `node`: an empty program instead. */
export function timeProcess(home: string, node = false): number {
  const args = node ? ["-e", "0"] : [PROGRAM, "search", "deploy a container to kubernetes"];
  const env = { PATH: process.env.PATH, HOME: home };
  const times = Array.from({ length: TIMES + 1 }, () => {
    const started = performance.now();
    execFileSync(process.execPath, args, { cwd: home, env, stdio: "ignore" });
    return performance.now() - started;
  });
  return Math.min(...times.slice(1));
}

/** A home with these skills: a link to a folder, or copies of some. */
export function makeHome(home: string, skills: string | readonly string[]): string {
  const folder = join(home, ".agents", "skills");
  mkdirSync(join(home, ".knack"), { recursive: true });
  writeFileSync(join(home, ".knack", "config.yaml"), "skills: { validation: lenient }\n");
  if (typeof skills === "string") {
    mkdirSync(dirname(folder), { recursive: true });
    symlinkSync(skills, folder);
    return home;
  }
  for (const [i, path] of skills.entries())
    cpSync(dirname(path), join(folder, `skill-${i}`), { recursive: true });
  return home;
}
