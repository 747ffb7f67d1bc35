import { isUtf8 } from "node:buffer";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { canonical, type FileFault, isInside, readRegularFile } from "@knack/core/files";
import { type Diagnostic, isRecord } from "@knack/core/text";
import { parseYamlFile, type YamlDocument, YamlMapping } from "@knack/core/yaml";
import { readInProject } from "../shared/in-project.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { ENTRY_KEYS, readEntry } from "./entry.ts";
import { findImplementation } from "./implementation.ts";
import { isReserved, isSkillName, Report } from "./report.ts";

/** The keys in which an entry with the name of a built-in skill differs from it. Description and position do not affect a run. */
export function redeclared(entry: TypedSkill, builtin: TypedSkill, isBuiltin: boolean): string[] {
  const { outputs, idempotency, env, version } = builtin;
  const inputsOf = ({ inputs }: TypedSkill): unknown => inputs.map(({ schema: _, ...input }) => input);
  const same: Readonly<Record<string, boolean>> = {
    implementation: isBuiltin,
    version: entry.version === version,
    inputs: isDeepStrictEqual(inputsOf(entry), inputsOf(builtin)),
    outputs: isDeepStrictEqual(entry.outputs, outputs),
    params: asksTheSame(entry.params.schema, builtin.params.schema),
    idempotency: isDeepStrictEqual(entry.idempotency, idempotency),
    env: isDeepStrictEqual(entry.env, env),
    timeout_seconds: entry.timeoutSeconds === builtin.timeoutSeconds,
  };
  return Object.keys(same).filter((key) => !same[key]);
}

type Schema = TypedSkill["params"]["schema"];

/** The example of document 003 declares a parameter of `text_extract` with type and default, without its bounds. */
function asksTheSame(entry: Schema, builtin: Schema): boolean {
  if (isDeepStrictEqual(plain(entry), plain(builtin))) return true;
  const { type = "object", properties, additionalProperties = false, ...others } = entry;
  const known = builtin.properties as Readonly<Record<string, Schema>> | undefined;
  return (
    Object.keys(others).length === 0 &&
    type === "object" &&
    additionalProperties === (builtin.additionalProperties ?? false) &&
    isRecord(properties) &&
    Object.entries(properties).every(([name, property]) => says(known?.[name], property))
  );
}

/** Whether this is a part of the built-in's schema for a parameter; with the default, which decides if no value is given. */
function says(known: Schema | undefined, property: unknown): boolean {
  if (!known || !isRecord(property)) return false;
  const isPart = Object.entries(property).every(([key, value]) =>
    isDeepStrictEqual(plain(value), plain(known[key])),
  );
  return isPart && isDeepStrictEqual(plain(property.default), plain(known.default));
}

/** YAML data has no prototype, which a comparison would notice. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

const MAX_BYTES = 1024 * 1024;
export interface Registry {
  /** Declared skills in the order of their files, then the built-ins that are not declared. */
  readonly skills: readonly TypedSkill[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** By name: why an entry was skipped. */
  readonly leftOut: ReadonlyMap<string, Diagnostic>;
}

interface LoadRegistryOptions {
  readonly projectRoot: string;
  readonly builtins: ReadonlyMap<string, TypedSkill>;
  /** For an untrusted project, only registry files inside the project are read, and built-in skills cannot be redeclared. */
  readonly trusted: boolean;
}

/**
 * Reads registry files; an invalid entry is skipped with a diagnostic. If it has the name of a built-in, that is gone too:
 * the user meant the entry. In an untrusted project a built-in skill always stays as it is.
 */
export function loadRegistry(files: readonly string[], options: LoadRegistryOptions): Registry {
  const standard = join(resolve(options.projectRoot), "skills", "registry.yaml");
  const sources = unique(files, options.projectRoot).map((file) => ({
    file,
    ...readDocument(file, standard, options),
  }));
  const loading: Loading = { ...options, skills: [], places: new Map(), leftOut: new Map() };
  for (const { file, document, report } of sources) if (document) readSkills(file, document, report, loading);
  const undeclared = [...options.builtins.values()].filter(({ name }) => !loading.places.has(name));
  return {
    skills: [...loading.skills, ...undeclared],
    errors: sources.flatMap(({ report }) => inOrder(report.errors)),
    warnings: sources.flatMap(({ report }) => inOrder(report.warnings)),
    leftOut: loading.leftOut,
  };
}

function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

interface Loading extends LoadRegistryOptions {
  readonly skills: TypedSkill[];
  readonly places: Map<string, string>;
  readonly leftOut: Map<string, Diagnostic>;
}

function unique(files: readonly string[], projectRoot: string): string[] {
  const byPlace = new Map(
    files.map((file) => [canonical(resolve(projectRoot, file)), resolve(projectRoot, file)]),
  );
  return [...byPlace.values()];
}

function readSkills(file: string, document: YamlDocument, report: Report, loading: Loading): void {
  const top = new YamlMapping(report, document.data, ["version", "skills"]);
  if (top.value("version") !== 1) {
    top.fail("version", 'The registry must say "version: 1".', "E_REG_VERSION");
    return;
  }
  if (!("skills" in document.data)) top.fail(undefined, 'The registry has no "skills".');
  for (const entry of top.mappings("skills", ENTRY_KEYS)) addEntry(entry, file, report, loading);
}

function addEntry(entry: YamlMapping, file: string, report: Report, loading: Loading): void {
  const name = entry.text("name");
  if (name === undefined) {
    if (!entry.has("name")) entry.fail(undefined, 'It has no "name"; add one.', "E_REG_NAME");
    return;
  }
  const other = loading.places.get(name.toLowerCase());
  if (other !== undefined) {
    entry.fail("name", `It is already declared in ${other}; the first one counts.`, "E_REG_DUP");
    return;
  }
  const before = report.errors.length;
  const skill = checkName(entry, name) ? readEntry(entry, name, { ...loading, file }) : undefined;
  if (skill) loading.places.set(name, `${file}:${entry.lineOf()}`);
  const builtin = loading.builtins.get(name);
  const isStranger = !loading.trusted && isInside(file, loading.projectRoot);
  if (builtin && skill && isStranger && report.errors.length === before)
    refuseRedeclared(entry, skill, builtin, loading);
  const [fault] = report.errors.slice(before);
  if (skill && fault === undefined) loading.skills.push(skill);
  else if (builtin && isStranger) loading.skills.push(builtin);
  else if (fault) {
    const message = fault.message.slice(report.labelOf(entry.path).length);
    loading.leftOut.set(name, { ...fault, message });
  }
}

function checkName(entry: YamlMapping, name: string): boolean {
  if (!isSkillName(name)) {
    const rule = 'must be lowercase letters and digits, joined by single "_" or "-", at most 64 characters';
    entry.fail("name", `The name ${rule}.`, "E_REG_NAME");
  } else if (isReserved(name)) {
    entry.fail("name", "The name belongs to one of Knack's own tools; choose another.", "E_REG_NAME");
  } else return true;
  return false;
}

/** A built-in skill must not behave differently in an untrusted project. */
function refuseRedeclared(
  entry: YamlMapping,
  skill: TypedSkill,
  builtin: TypedSkill,
  loading: Loading,
): void {
  const found = findImplementation(skill.implementation, { ...loading, name: skill.name });
  const isBuiltin = "kind" in found && found.kind === "builtin" && found.name === builtin.name;
  const changed = redeclared(skill, builtin, isBuiltin);
  if (changed.length === 0) return;
  entry.fail(
    undefined,
    `It changes ${changed.join(", ")} of the built-in skill with this name, and the project is not trusted, so the built-in is used unchanged. Choose another name, or run "knack trust".`,
    "E_REG_BUILTIN",
  );
}

interface Source {
  readonly report: Report;
  readonly document?: YamlDocument;
}

function readDocument(file: string, standard: string, options: LoadRegistryOptions): Source {
  const fail = (code: "E_REG_FILE" | "E_REG_SYNTAX", message: string, line = 1): Source => {
    const report = new Report(file, () => line);
    report.report({ path: [], line, message, code });
    return { report };
  };
  const { projectRoot, trusted } = options;
  const content =
    trusted || !isInside(file, projectRoot)
      ? readRegularFile(file, MAX_BYTES, true)
      : readInProject(file, projectRoot, MAX_BYTES);
  if ("leadsOut" in content)
    return fail(
      "E_REG_FILE",
      'The registry is outside the project (through a link), and the project is not trusted, so it is not read. Copy the file into the project, or run "knack trust".',
    );
  if ("fault" in content) {
    const absent = content.fault === "UNREADABLE" && content.detail === "ENOENT";
    // A registry is optional, but one that the configuration names must exist.
    if (absent && file === standard) return { report: new Report(file, () => 1) };
    return fail("E_REG_FILE", absent ? "The registry does not exist." : fileProblem(content));
  }
  if (!isUtf8(content.bytes)) return fail("E_REG_FILE", "The registry is not UTF-8.");
  const document = parseYamlFile(content.bytes.toString("utf8"));
  if ("fault" in document) return fail("E_REG_SYNTAX", document.message, document.line);
  if (Object.keys(document.data).length === 0)
    return fail("E_REG_SYNTAX", 'The registry is empty; it needs "version: 1" and "skills".');
  return { report: new Report(file, document.lineOf, document.data), document };
}

function fileProblem({ fault, detail }: FileFault): string {
  if (fault === "NOT_REGULAR") return `The registry is ${detail}, not a file.`;
  return fault === "TOO_LARGE"
    ? "The registry is larger than 1 MiB."
    : `The registry cannot be read (${detail}).`;
}
