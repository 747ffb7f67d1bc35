import { join, resolve } from "node:path";
import {
  canonical,
  type Diagnostic,
  type FileFault,
  parseYaml,
  readRegularFile,
  type YamlDocument,
} from "@knack/core/internal/engine";
import type { TypedSkill } from "../typed-skill.ts";
import { ENTRY_KEYS, isSkillName, readEntry } from "./read-entry.ts";
import { Mapping, Report } from "./report.ts";

const MAX_BYTES = 1024 * 1024;
/** Typed skills are tools beside these. */
const RESERVED = new Set(["skill_search", "skill_load", "skill_read_file", "skill_dispatch"]);

export interface Registry {
  /** Declared skills in the order of their files, then the built-ins that nobody declared. */
  readonly skills: readonly TypedSkill[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export interface LoadRegistryOptions {
  readonly projectRoot: string;
  readonly builtins: ReadonlyMap<string, TypedSkill>;
}

/**
 * Reads registry files (document 003 §2). An entry with a fault is left out and said why; the others are there. A
 * built-in whose name a faulty entry has is not offered in its place: the entry was meant.
 */
export async function loadRegistry(
  files: readonly string[],
  options: LoadRegistryOptions,
): Promise<Registry> {
  const standard = join(resolve(options.projectRoot), "skills", "registry.yaml");
  const sources = unique(files, options.projectRoot).map((file) => ({
    file,
    ...readDocument(file, standard),
  }));
  const loading: Loading = {
    ...options,
    schemaProblem: await schemaCheck(sources),
    skills: [],
    places: new Map(),
  };
  for (const { file, document, report } of sources) if (document) readSkills(file, document, report, loading);
  const undeclared = [...options.builtins.values()].filter(({ name }) => !loading.places.has(name));
  return {
    skills: [...loading.skills, ...undeclared],
    errors: sources.flatMap(({ report }) => report.errors),
    warnings: sources.flatMap(({ report }) => report.warnings),
  };
}

/** The compiler of schemas takes long to load: only where there is something to compile. */
async function schemaCheck(sources: readonly { document?: unknown }[]): Promise<Loading["schemaProblem"]> {
  if (sources.every(({ document }) => document === undefined)) return () => undefined;
  const { paramsChecker } = await import("./check-params.ts");
  return (schema) => {
    const checker = paramsChecker(schema);
    return "problem" in checker ? checker.problem : undefined;
  };
}

interface Loading extends LoadRegistryOptions {
  readonly schemaProblem: (schema: object) => string | undefined;
  readonly skills: TypedSkill[];
  /** Where each name is declared, in lower case. */
  readonly places: Map<string, string>;
}

function unique(files: readonly string[], projectRoot: string): string[] {
  const byPlace = new Map(
    files.map((file) => [canonical(resolve(projectRoot, file)), resolve(projectRoot, file)]),
  );
  return [...byPlace.values()];
}

function readSkills(file: string, document: YamlDocument, report: Report, loading: Loading): void {
  const top = new Mapping(document.data, [], report, ["version", "skills"]);
  if (top.value("version") !== 1) {
    top.add("E_REG_VERSION", "version", 'The registry must say "version: 1", the only version there is.');
    return;
  }
  if (!("skills" in document.data)) top.add("E_REG_FIELD", undefined, 'The registry has no "skills".');
  for (const entry of top.mappings("skills", ENTRY_KEYS)) addEntry(entry, file, report, loading);
}

function addEntry(entry: Mapping, file: string, report: Report, loading: Loading): void {
  const name = entry.text("name");
  if (name === undefined) {
    if (!entry.has("name")) entry.add("E_REG_NAME", undefined, 'An entry has no "name".');
    return;
  }
  const shown = JSON.stringify(name.slice(0, 80));
  const other = loading.places.get(name.toLowerCase());
  if (other !== undefined) {
    entry.add("E_REG_DUP", "name", `${shown} is already declared in ${other}; the first one counts.`);
    return;
  }
  if (!isSkillName(name)) {
    const rule = 'must be lowercase letters and digits, joined by single "_" or "-", at most 64 characters';
    entry.add("E_REG_NAME", "name", `The name ${shown} ${rule}.`);
    return;
  }
  if (RESERVED.has(name)) {
    entry.add("E_REG_NAME", "name", `The name ${shown} is that of a tool of Knack's own.`);
    return;
  }
  loading.places.set(name, `${file}:${entry.line()}`);
  const before = report.errors.length;
  const skill = readEntry(entry, name, { ...loading, file });
  if (report.errors.length === before) loading.skills.push(skill);
}

interface Source {
  readonly report: Report;
  readonly document?: YamlDocument;
}

function readDocument(file: string, standard: string): Source {
  const fail = (code: "E_REG_FILE" | "E_REG_SYNTAX", message: string, line = 1): Source => {
    const report = new Report(file, () => line);
    report.add(code, [], message);
    return { report };
  };
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content) {
    const absent = content.fault === "UNREADABLE" && content.detail === "ENOENT";
    // Nobody has to have a registry; one that the configuration names must be there.
    if (absent && file === standard) return { report: new Report(file, () => 1) };
    return fail("E_REG_FILE", absent ? "The registry does not exist." : fileProblem(content));
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content.bytes);
  } catch {
    return fail("E_REG_FILE", "The registry is not UTF-8.");
  }
  const document = parseYaml(text.replaceAll("\r\n", "\n"), "core", 1);
  if ("fault" in document) return fail("E_REG_SYNTAX", document.message, document.line);
  if (Object.keys(document.data).length === 0) {
    return fail("E_REG_SYNTAX", 'The registry is empty; it begins with "version: 1" and has "skills".');
  }
  return { report: new Report(file, document.lineOf), document };
}

function fileProblem({ fault, detail }: FileFault): string {
  if (fault === "NOT_REGULAR") return `The registry is ${detail}, not a file.`;
  return fault === "TOO_LARGE"
    ? "The registry has more than 1 MiB."
    : `The registry cannot be read (${detail}).`;
}
