import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { randomFrom } from "../packages/engine/src/store/testing/crash-cycles.ts";
import { ACTIVITIES, type Soak } from "./soak/activities.ts";
import { makeSoakProject } from "./soak/make-project.ts";
import { descendantsOf, type Taken, takenBy } from "./soak/processes.ts";

/**
 * soak.ts [--minutes 60] [--csv soak.csv] [--seed N]: one `knack serve` and four MCP clients under work, edits, kills and
 * reconnects. Fails if memory, descriptors or processes grow, or if something unexpected happens. Build first.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    csv: { type: "string", default: "soak.csv" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const SAMPLE_MS = 10_000;
/** How many samples apart the servers are asked to collect their garbage: often would hide what they are like without. */
const LIVE_EVERY = 6;
const MAX_GROWTH = 1.2;
/** Of resident memory, which has pages that the system has lent and nobody uses; only a leak outside of V8's heap shows here alone. */
const MAX_RESIDENT_GROWTH = 1.5;
const SHORT_SECONDS = 20 * 60;
/** The servers that live as long as the soak. */
const JUDGED = ["serve", "mcp stdio 1"];
const PROGRAM = [
  "--expose-gc",
  ...["--import", join(import.meta.dirname, "soak/live-memory.ts")],
  join(import.meta.dirname, "../packages/knack/bin/knack.js"),
];

interface Sample extends Taken {
  readonly seconds: number;
  readonly server: string;
  /** What is alive after a whole collection, taken shortly before; `null` if it was not asked for. */
  readonly liveMb: number | null;
}

if (process.platform !== "linux") throw new Error("The soak reads /proc, so it needs Linux.");
const problems = await soak(Number(values.minutes) * 60_000, resolve(values.csv), Number(values.seed));
for (const problem of problems) console.error(`PROBLEM ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);

async function soak(durationMs: number, csv: string, seed: number): Promise<string[]> {
  using folder = makeSoakProject();
  const token = randomBytes(32).toString("hex");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder.at("home"),
    XDG_CACHE_HOME: folder.at("cache"),
    KNACK_TRUST: "all",
    KNACK_TOKEN: token,
    KNACK_SOAK_LIVE: folder.at("live"),
  };
  mkdirSync(folder.at("live"));
  const server = spawn(process.execPath, [...PROGRAM, "serve", "--port", "0", "--json"], {
    cwd: folder.at("repo"),
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const problems: string[] = [];
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const { url } = JSON.parse(String(line)) as { url?: string };
    if (url === undefined) throw new Error(`The server did not start: ${line}`);
    const end = new AbortController();
    const counts = new Map<string, number>();
    const unexpected = new Map<string, number>();
    const servers = new Map([["serve", server.pid ?? 0]]);
    const context: Soak = {
      ...{ folder, url: new URL(url).origin },
      longest: new Map(),
      ...{ token, env, program: PROGRAM, end: end.signal, random: randomFrom(seed), servers },
      count: (what, expected = true) => {
        counts.set(what, (counts.get(what) ?? 0) + 1);
        if (!expected) unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
      },
    };
    console.log(`seed ${seed}: ${url.split("#")[0]} for ${durationMs / 60_000} minutes; samples in ${csv}`);
    writeFileSync(csv, "seconds,server,rss_mb,live_mb,descriptors,children\n");
    const died = exited.then(([code, signal]) => {
      if (!end.signal.aborted) problems.push(`the server ended with ${code ?? signal}`);
      end.abort();
    });
    const working = ACTIVITIES.map((activity) => activity(context));
    const samples = await sampleUntil(durationMs, end.signal, servers, csv, folder.at("live"));
    end.abort();
    await Promise.all(working);
    const waits = [...context.longest].map(([what, ms]) => `${what} ${(ms / 1000).toFixed(1)} s`);
    console.log(
      `load ${loadavg().map(Math.round).join(" ")} on ${availableParallelism()} processors; longest: ${waits.join(", ")}`,
    );
    for (const [what, count] of [...counts].sort()) console.log(`  ${String(count).padStart(7)} ${what}`);
    for (const [what, count] of unexpected) problems.push(`${count} times: ${what}`);
    problems.push(...judge(samples, durationMs));
    problems.push(...(await endOf(server.pid ?? 0, () => server.kill("SIGTERM"), exited)));
    await died;
  } finally {
    if (server.exitCode === null && server.signalCode === null) server.kill("SIGKILL");
    await exited;
  }
  return problems;
}

async function sampleUntil(
  durationMs: number,
  end: AbortSignal,
  servers: ReadonlyMap<string, number>,
  csv: string,
  live: string,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const begin = performance.now();
  for (let round = 1; ; round++) {
    const left = durationMs - (performance.now() - begin);
    if (left <= 0 || end.aborted) return samples;
    await wait(Math.min(SAMPLE_MS, left), undefined, { signal: end }).catch(() => undefined);
    const seconds = Math.round((performance.now() - begin) / 1000);
    for (const [server, pid] of servers) {
      const taken = takenBy(pid);
      if (!taken) continue;
      const liveMb = round % LIVE_EVERY === 0 ? liveOf(pid, live) : null;
      if (round % LIVE_EVERY === LIVE_EVERY - 1 && JUDGED.includes(server)) process.kill(pid, "SIGUSR2");
      samples.push({ seconds, server, liveMb, ...taken });
      const { rssMb, descriptors, children } = taken;
      appendFileSync(
        csv,
        `${seconds},${server},${rssMb.toFixed(1)},${liveMb?.toFixed(1) ?? ""},${descriptors},${children}\n`,
      );
    }
  }
}

/** What a server wrote when it was asked, one sample ago; `null` if it did not get to it, or is new. */
function liveOf(pid: number, folder: string): number | null {
  try {
    return Number(readFileSync(join(folder, String(pid)), "utf8")) / 2 ** 20;
  } catch {
    return null;
  }
}

/** Medians over a window after ten minutes (in a shorter soak, after a third) and over the last one. */
function judge(samples: readonly Sample[], durationMs: number): string[] {
  const problems: string[] = [];
  const whole = durationMs / 1000;
  const window = Math.max(30, Math.min(300, whole / 6));
  const early = Math.min(600, whole / 3);
  for (const server of JUDGED) {
    const own = samples.filter((sample) => sample.server === server);
    const first = own.filter(({ seconds }) => seconds >= early && seconds < early + window);
    const last = own.filter(({ seconds }) => seconds > whole - window);
    const of = (part: readonly Sample[], field: keyof Taken): number =>
      median(part.map((sample) => sample[field]));
    const ratio = of(last, "rssMb") / of(first, "rssMb");
    const [live, liveNow] = [first, last].map((part) =>
      median(part.flatMap(({ liveMb }) => liveMb ?? [])),
    ) as [number, number];
    console.log(
      `${server}: alive ${live.toFixed(1)} MB after ${Math.round(early / 60)} min, ${liveNow.toFixed(1)} MB at the end (x ${(liveNow / live).toFixed(2)}); ` +
        `RSS ${of(first, "rssMb").toFixed(1)}, ${of(last, "rssMb").toFixed(1)} MB (x ${ratio.toFixed(2)}); ` +
        `descriptors ${of(first, "descriptors")} → ${of(last, "descriptors")}; children ${of(first, "children")} → ${of(last, "children")}`,
    );
    // A server that has just started still fills its caches.
    if (whole < SHORT_SECONDS) continue;
    if (!(liveNow <= live * MAX_GROWTH))
      problems.push(`${server}: more stays alive, x ${(liveNow / live).toFixed(2)}`);
    if (!(ratio <= MAX_RESIDENT_GROWTH)) problems.push(`${server}: memory grew x ${ratio.toFixed(2)}`);
    if (of(last, "descriptors") > of(first, "descriptors") * MAX_GROWTH + 10)
      problems.push(`${server}: descriptors grew`);
    if (of(last, "children") > of(first, "children") + 6) problems.push(`${server}: processes grew`);
  }
  if (whole < SHORT_SECONDS) console.log("Too short to judge growth: that needs 20 minutes.");
  return problems;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** The server shuts down cleanly, and no process that it started remains. */
async function endOf(pid: number, stop: () => void, exited: Promise<unknown[]>): Promise<string[]> {
  const children = descendantsOf(pid);
  stop();
  const code = await Promise.race([
    exited.then(([own]) => own),
    wait(15_000, "no end in 15 s", { ref: false }),
  ]);
  let left = children;
  // The system needs a moment to end them.
  for (let round = 0; round < 50 && left.length > 0; round++) {
    left = left.filter((child) => takenBy(child) !== null);
    if (left.length > 0) await wait(100);
  }
  return [
    ...(code === 0 ? [] : [`the server ended with ${code}`]),
    ...(left.length === 0 ? [] : [`${left.length} processes were left`]),
  ];
}
