import { spawnSync } from "node:child_process";
import { expect } from "vitest";

/** A strict reader of the text format of Prometheus, version 0.0.4. Throws at the first fault. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/;

export function readPrometheus(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  let last = "";
  for (const line of text.slice(0, -1).split("\n")) {
    if (line === "") continue;
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === undefined && line.startsWith("#")) throw new Error(`Unknown comment: ${line}`);
    if (kind === "HELP") {
      if (families.has(name)) throw new Error(`${name} appears twice`);
      families.set(name, { type: "", help: rest, samples: [] });
      last = name;
      continue;
    }
    const family = families.get(last);
    if (!family) throw new Error(`A line before any HELP: ${line}`);
    if (kind === "TYPE") {
      if (name !== last || family.type !== "") throw new Error(`TYPE of ${name} is out of place`);
      if (!/^(?:counter|gauge|histogram)$/.test(rest)) throw new Error(`${name} has the type ${rest}`);
      family.type = rest;
      continue;
    }
    const sample = readSample(line);
    if (!isOf(sample.name, last, family.type)) throw new Error(`${sample.name} is not of ${last}`);
    family.samples.push(sample);
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function readSample(line: string): Sample {
  const [, name = "", , labels = "", value = ""] = /^([^{ ]+)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (!NAME.test(name)) throw new Error(`Not a sample: ${line}`);
  if (!/^(?:[+-]Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.test(value))
    throw new Error(`Not a number: ${line}`);
  return { name, labels: readLabels(labels), value: Number(value.replace("Inf", "Infinity")) };
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [whole, name, value] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name === undefined || value === undefined)
      throw new Error(`Not a label: ${rest}`);
    if (Object.hasOwn(labels, name)) throw new Error(`The label ${name} appears twice`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function isOf(name: string, family: string, type: string): boolean {
  if (type !== "histogram") return name === family;
  return ["_bucket", "_sum", "_count"].some((end) => name === `${family}${end}`);
}

function checkFamily(name: string, { type, samples }: Family): void {
  if (type === "") throw new Error(`${name} has no TYPE`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`${name} does not end in _total`);
  const seen = new Set<string>();
  for (const sample of samples) {
    const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(series)) throw new Error(`Twice: ${series}`);
    seen.add(series);
    if (type !== "gauge" && !(sample.value >= 0)) throw new Error(`${series} is negative`);
  }
  if (type === "histogram") checkBuckets(name, samples);
}

/** Buckets grow up to +Inf, which is the count. */
function checkBuckets(name: string, samples: readonly Sample[]): void {
  const without = ({ labels }: Sample): string => {
    const { le: _, ...rest } = labels;
    return JSON.stringify(rest);
  };
  for (const [series, own] of Map.groupBy(samples, without)) {
    const buckets = own.filter((one) => one.name.endsWith("_bucket"));
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace("+Inf", "Infinity")));
    const isGrowing = bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? 0));
    const isCumulative = buckets.every(({ value }, at) => value >= (buckets[at - 1]?.value ?? 0));
    const count = own.find((one) => one.name.endsWith("_count"))?.value;
    if (!isGrowing || !isCumulative || bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== count)
      throw new Error(`The buckets of ${name} ${series} are wrong`);
  }
}

/** Prometheus' own check, where it is installed (Debian's package `prometheus`). */
export function checkWithPromtool(text: string): void {
  if (spawnSync("promtool", ["--version"]).status !== 0) return;
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text });
  expect([status, String(stdout), String(stderr)]).toEqual([0, "", ""]);
}
