import { isAlias, isMap, isPair, isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument } from "yaml";
import type { Fault } from "../../shared/diagnostics.ts";
import { emptyMap, type YamlMap, type YamlValue } from "./simple-yaml.ts";

export interface YamlDocument {
  readonly data: YamlMap;
  /** The line of a value by its path; of the nearest parent that has one otherwise. */
  lineOf(path: readonly PropertyKey[]): number;
}

const MAX_DEPTH = 32;

/** How much of a kind of file is read. */
export interface YamlLimits {
  /** In one mapping. */
  readonly keys: number;
  readonly keyLength: number;
  /** In all mappings together. */
  readonly values: number;
}

const FRONTMATTER: YamlLimits = { keys: 256, keyLength: 128, values: 2_048 };
const CONFIGURATION: YamlLimits = { ...FRONTMATTER, values: 100_000 };

/**
 * Reads YAML by a strict profile: one mapping, no aliases, tags, merge keys or duplicate keys, bounded depth and size.
 * `failsafe` keeps every scalar the string that was written (`version: 1.10`, `name: yes`); `core` reads numbers,
 * booleans and null, for configuration. `firstLine` is the line of the file on which the text begins.
 */
export function parseYaml(
  text: string,
  schema: "failsafe" | "core",
  firstLine: number,
  limits: YamlLimits = schema === "failsafe" ? FRONTMATTER : CONFIGURATION,
): YamlDocument | Fault {
  const tokens = checkTokens(text, firstLine, limits.values);
  if (tokens) return tokens;

  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema,
    lineCounter: lines,
    merge: false,
    // The library compares each key with each other one; `toData` finds duplicates in linear time.
    uniqueKeys: false,
    logLevel: "silent",
    // One message without a code frame is enough; sixty thousand with one take seconds.
    prettyErrors: false,
    stringKeys: false,
    keepSourceTokens: false,
  });
  const at = (offset: number): number => lines.linePos(offset).line + firstLine - 1;
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) {
    const line = at(problem.pos[0]);
    if (problem.code === "KEY_OVER_1024_CHARS") return keyTooLong(line, limits);
    return { fault: "YAML_SYNTAX", message: `Not valid YAML: ${firstSentence(problem.message)}`, line };
  }

  const root = document.contents;
  if (root === null || (isScalar(root) && (root.value === "" || root.value === null))) {
    return { data: emptyMap(), lineOf: () => firstLine };
  }
  if (!isMap(root)) {
    return {
      fault: "YAML_SYNTAX",
      message: `Expected "key: value" lines, found ${kindOf(root)}.`,
      line: firstLine,
    };
  }
  try {
    const data = toData(root, 1, at, limits) as YamlMap;
    return { data, lineOf: (path) => lineOf(root, path, at, firstLine) };
  } catch (error) {
    if (error instanceof ProfileFault) return error.fault;
    throw error;
  }
}

/** A file that is YAML and nothing else: without a byte order mark, whatever its line ends. */
export function parseYamlFile(text: string, limits = CONFIGURATION): YamlDocument | Fault {
  return parseYaml(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"), "core", 1, limits);
}

/** A fault found deep in a document, carried out of the recursion. */
class ProfileFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * The lexer alone sees what may not occur, before a tree is built: an alias bomb or ten thousand brackets cost no more
 * than reading them once.
 */
function checkTokens(text: string, firstLine: number, maxValues: number): Fault | undefined {
  let line = firstLine;
  let flow = 0;
  let compact = 0;
  let inScalar = false;
  let hasContent = false;
  let values = 0;
  const fail = (fault: Fault["fault"], message: string): Fault => ({ fault, message, line });
  for (const token of new Lexer().lex(text)) {
    if (inScalar) {
      inScalar = false;
      hasContent = true;
    } else if (token === "\x1f") {
      inScalar = true;
      continue;
    } else {
      const first = token[0];
      if (first === "&" || first === "*")
        return fail("YAML_ALIAS", "Anchors (&) and aliases (*) are not supported; write the value out.");
      if (first === "!") {
        const tag = token.length > 40 ? `${token.slice(0, 40)}…` : token;
        return fail("YAML_TAG", `The tag ${tag} is not supported; write a plain value.`);
      }
      if (first === "%") return fail("YAML_SYNTAX", "YAML directives (%) are not supported.");
      if (token === "[" || token === "{") flow++;
      else if (token === "]" || token === "}") flow--;
      else if (token === ":") values++;
      else if (token === "-" || token === "?") compact++;
      else if (first === "\n" || first === "\r") compact = 0;
      else if ((token === "---" && hasContent) || token === "...")
        return fail("YAML_SYNTAX", "More than one YAML document; only one is read.");
      if (flow < 0) return fail("YAML_SYNTAX", `Not valid YAML: ${token} has no opening bracket.`);
      if (values > maxValues)
        return fail("FM_LIMIT", `More than ${maxValues} values; at most that many are read.`);
      if (flow > MAX_DEPTH || compact > MAX_DEPTH) return tooDeep(line);
    }
    for (let i = token.indexOf("\n"); i !== -1; i = token.indexOf("\n", i + 1)) line++;
  }
  return undefined;
}

function toData(
  node: Node | null,
  depth: number,
  at: (offset: number) => number,
  limits: YamlLimits,
): YamlValue {
  if (node === null) return "";
  const line = at(node.range?.[0] ?? 0);
  if (depth > MAX_DEPTH) throw new ProfileFault(tooDeep(line));
  if (isScalar(node)) return scalar(node.value, line);
  if (isSeq(node)) return node.items.map((item) => toData(item as Node | null, depth + 1, at, limits));
  if (!isMap(node) || isAlias(node)) {
    throw new ProfileFault({ fault: "YAML_SYNTAX", message: `Cannot read ${kindOf(node)} here.`, line });
  }
  if (node.items.length > limits.keys) {
    const message = `${node.items.length} keys; at most ${limits.keys} are read.`;
    throw new ProfileFault({ fault: "FM_LIMIT", message, line });
  }
  const map = emptyMap();
  for (const pair of node.items) {
    const keyNode = isPair(pair) ? (pair.key as Node | null) : null;
    const key = readKey(keyNode, line, at, limits);
    if (key in map) {
      const message = "This key is given twice; keep one of them.";
      throw new ProfileFault({ fault: "YAML_DUPLICATE", message, line: at(keyNode?.range?.[0] ?? 0) });
    }
    map[key] = toData(pair.value as Node | null, depth + 1, at, limits);
  }
  return map;
}

function readKey(
  node: Node | null,
  mapLine: number,
  at: (offset: number) => number,
  limits: YamlLimits,
): string {
  const line = node?.range ? at(node.range[0]) : mapLine;
  const fail = (fault: "YAML_KEY" | "YAML_MERGE", message: string): ProfileFault =>
    new ProfileFault({ fault, message, line });
  if (!node || !isScalar(node)) throw fail("YAML_KEY", "A key must be a plain word.");
  const key = String(node.value ?? "");
  if (key === "") throw fail("YAML_KEY", "A key is empty.");
  if (key === "<<") throw fail("YAML_MERGE", "Merge keys (<<) are not supported; write the keys out.");
  if (key === "__proto__") throw fail("YAML_KEY", 'The key "__proto__" is not allowed.');
  if (key.length > limits.keyLength) throw new ProfileFault(keyTooLong(line, limits));
  scalar(key, line);
  return key;
}

function scalar(value: unknown, line: number): YamlValue {
  if (typeof value === "string") {
    if (value.isWellFormed()) return value;
    const message = "Half of a surrogate pair (\\ud800…) is not text.";
    throw new ProfileFault({ fault: "UNICODE", message, line });
  }
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "number") return value;
  return String(value);
}

function lineOf(
  root: Node,
  path: readonly PropertyKey[],
  at: (offset: number) => number,
  firstLine: number,
): number {
  let node: Node | null = root;
  let line = firstLine;
  for (const step of path) {
    if (isMap(node)) {
      const pair: unknown = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!isPair(pair)) return line;
      const key = pair.key as Node;
      if (key.range) line = at(key.range[0]);
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = (node.items[Number(step)] as Node | undefined) ?? null;
      if (node?.range) line = at(node.range[0]);
    }
  }
  return line;
}

function keyTooLong(line: number, { keyLength }: YamlLimits): Fault {
  return { fault: "FM_LIMIT", message: `A key has more than ${keyLength} characters.`, line };
}

function tooDeep(line: number): Fault {
  return { fault: "YAML_DEPTH", message: `Nested more than ${MAX_DEPTH} levels deep.`, line };
}

function kindOf(node: unknown): string {
  if (isSeq(node)) return "a list";
  if (isMap(node)) return "a mapping";
  return "plain text";
}

/** The library's message on one line; it may quote half of a character that stands after a backslash. */
function firstSentence(message: string): string {
  return (message.split("\n", 1)[0] ?? message).replace(/:$/, "").toWellFormed();
}
