import { isUtf8 } from "node:buffer";
import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../shared/errors.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { isInside } from "../shared/paths.ts";
import { type FileFault, readRegularFile } from "../shared/regular-file.ts";
import type { SkillMetadata } from "../skill/schema.ts";

export interface TriggerCase {
  readonly skill: SkillMetadata;
  readonly prompt: string;
  readonly shouldTrigger: boolean;
  readonly source: string;
  /** Its place in that file, from 0; in YAML the prompts that should not trigger are counted after those that should. */
  readonly index: number;
}

export interface TriggerFault {
  readonly path: string;
  readonly message: string;
  readonly line?: number | undefined;
}

interface Reading {
  readonly cases: Pick<TriggerCase, "prompt" | "shouldTrigger" | "index">[];
  readonly faults: Omit<TriggerFault, "path">[];
}

interface Format {
  readonly maxBytes: number;
  readonly read: (text: string) => Reading | Promise<Reading>;
}

/** The prompts of `evals.json` are tasks for the skill, so they should trigger it unless they say otherwise. */
const TASKS: Format = { maxBytes: 4 * 1024 * 1024, read: (text) => readJson(text, true) };
const LABELLED: Format = { maxBytes: 4 * 1024 * 1024, read: (text) => readJson(text, undefined) };
/** Room for thousands of prompts; a hostile megabyte would keep the YAML reader busy for seconds. */
const YAML: Format = { maxBytes: 256 * 1024, read: readYaml };

const FORMATS: Readonly<Record<string, Format>> = {
  "evals/evals.json": TASKS,
  "evals/trigger-eval.json": LABELLED,
  "triggers.yaml": YAML,
  "evals/triggers.yaml": YAML,
};

export const TRIGGER_FILES: readonly string[] = Object.keys(FORMATS);

const MAX_FAULTS = 20;

/** In the order of `TRIGGER_FILES`. */
export async function readTriggerCases(
  skill: SkillMetadata,
): Promise<{ cases: TriggerCase[]; faults: TriggerFault[] }> {
  const cases: TriggerCase[] = [];
  const faults: TriggerFault[] = [];
  for (const [name, { maxBytes, read }] of Object.entries(FORMATS)) {
    const source = join(skill.dir, name);
    const text = readText(source, skill.dir, maxBytes);
    if (text === undefined) continue;
    const reading = typeof text === "string" ? await read(text) : { cases: [], faults: [text] };
    for (const found of reading.cases) cases.push({ skill, ...found, source });
    for (const fault of reading.faults.slice(0, MAX_FAULTS)) faults.push({ path: source, ...fault });
    const more = reading.faults.length - MAX_FAULTS;
    if (more > 0) faults.push({ path: source, message: `${more} more mistakes; fix those above first.` });
  }
  return { cases, faults };
}

/** A link is followed if it stays in the skill's folder. */
function readText(path: string, dir: string, maxBytes: number): string | { message: string } | undefined {
  let real: string;
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    real = realpathSync(path);
    if (!isInside(real, realpathSync(dir)))
      return {
        message:
          "The link leads outside the skill's folder, so it is not read; put the file into the folder.",
      };
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOTDIR") return undefined;
    if (code === "ENOENT") return { message: "The link is broken; fix or remove it." };
    return { message: unreadable({ fault: "UNREADABLE", detail: code }, maxBytes) };
  }
  const content = readRegularFile(real, maxBytes, false);
  if ("fault" in content) return { message: unreadable(content, maxBytes) };
  if (!isUtf8(content.bytes)) return { message: "The file is not valid UTF-8; save it as UTF-8." };
  const text = content.bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function unreadable({ fault, detail }: FileFault, maxBytes: number): string {
  if (fault === "NOT_REGULAR")
    return `This is ${detail}, not a regular file; replace it with a file of prompts, or remove it.`;
  if (fault === "TOO_LARGE")
    return `The file has ${detail} bytes; at most ${maxBytes} are read. Keep fewer or shorter prompts in it.`;
  const hint = detail === "EACCES" || detail === "EPERM" ? "; make it readable" : "";
  return `The file cannot be read (${detail})${hint}.`;
}

/** Keys that published files use for the list of cases. */
const LISTS = ["evals", "cases", "tests", "queries"];

function readJson(text: string, byDefault: true | undefined): Reading {
  const data = parseJson(text);
  if (data instanceof SyntaxError) return syntaxFault(data.message);
  const key = isRecord(data) ? LISTS.find((name) => Array.isArray(data[name])) : undefined;
  const list: unknown = isRecord(data) && key !== undefined ? data[key] : data;
  if (!Array.isArray(list)) {
    const names = LISTS.map((name) => JSON.stringify(name)).join(", ");
    const found = isRecord(data) ? "an object without any of them" : kindOf(data);
    return failed(
      `Expected a list of cases, or an object with the list under one of ${names}; found ${found}.`,
    );
  }
  const reading: Reading = { cases: [], faults: [] };
  for (const [index, entry] of list.entries()) {
    const place = `${key ?? ""}[${index}]`;
    const fail = (message: string): void => void reading.faults.push({ message });
    if (!isRecord(entry)) {
      const example = '{"prompt": "…", "should_trigger": true}';
      fail(`${place} must be an object such as ${example}, found ${kindOf(entry)}.`);
      continue;
    }
    const { should_trigger: shouldTrigger = byDefault } = entry;
    const prompt = entry.prompt ?? entry.query;
    const isQuery = entry.prompt === undefined && entry.query !== undefined;
    const wrong = promptMistake(prompt, `${place}.${isQuery ? "query" : "prompt"}`);
    if (wrong !== undefined) fail(wrong);
    if (typeof shouldTrigger !== "boolean")
      fail(`${place}.should_trigger must be true or false, found ${kindOf(shouldTrigger)}.`);
    else if (typeof prompt === "string" && wrong === undefined)
      reading.cases.push({ prompt, shouldTrigger, index });
  }
  return reading;
}

function failed(message: string, line?: number): Reading {
  return { cases: [], faults: [{ message, line }] };
}

/** The JSON parser's message on one line; it may quote half of a surrogate pair. */
function syntaxFault(words: string): Reading {
  const reason = words.replaceAll(/\s+/g, " ").toWellFormed();
  const line = / in JSON at position \d+ \(line (\d+) column \d+\)$/.exec(reason)?.[1];
  return failed(`Not valid JSON: ${reason}. Fix it, or remove the file.`, line ? Number(line) : undefined);
}

/** Faults that missing quotes can cause: in `- *urgent* fix this` the parser sees an alias. */
const NEEDS_QUOTES: ReadonlySet<string> = new Set(["YAML_SYNTAX", "YAML_ALIAS", "YAML_TAG"]);
const QUOTES_HINT = '. A prompt that begins with a special character, or has ": " in it, needs quotes.';

async function readYaml(text: string): Promise<Reading> {
  const { parseYaml } = await import("../skill/yaml/yaml-profile.ts");
  const document = parseYaml(text.replaceAll("\r\n", "\n"), "failsafe", 1);
  if ("fault" in document) {
    const { fault, message, line = 1 } = document;
    return failed(message.replace(/\.?$/, NEEDS_QUOTES.has(fault) ? QUOTES_HINT : "."), line);
  }
  const { data, lineOf } = document;
  if (data.should_trigger === undefined && data.should_not_trigger === undefined)
    return failed('"should_trigger" and "should_not_trigger" are both missing; list prompts under them.', 1);
  const reading: Reading = { cases: [], faults: [] };
  let index = 0;
  for (const key of ["should_trigger", "should_not_trigger"]) {
    const fail = (message: string, ...at: number[]): void =>
      void reading.faults.push({ message, line: lineOf([key, ...at]) });
    // A key without a value counts as absent.
    const list = data[key] || [];
    if (!Array.isArray(list)) {
      fail(`${key} must be a list of prompts ("- …" lines), found ${kindOf(list)}.`);
      continue;
    }
    for (const [at, prompt] of list.entries()) {
      const wrong = promptMistake(prompt, `${key}[${at}]`);
      const hint = isRecord(prompt) ? ' Put quotes around a prompt with ": " in it.' : "";
      if (wrong !== undefined) fail(`${wrong}${hint}`, at);
      else if (typeof prompt === "string")
        reading.cases.push({ prompt, shouldTrigger: key === "should_trigger", index });
      index++;
    }
  }
  return reading;
}

function promptMistake(prompt: unknown, place: string): string | undefined {
  if (typeof prompt !== "string")
    return `${place} must be text that a user would write, found ${kindOf(prompt)}.`;
  return prompt.trim() === ""
    ? `${place} is empty; write what a user would ask, or remove the case.`
    : undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  return typeof value === "string" ? "text" : String(value);
}
