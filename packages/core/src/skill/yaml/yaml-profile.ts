import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { Fault } from "../../shared/diagnostics.ts";
import { emptyMap, type YamlMap, type YamlValue } from "./simple-yaml.ts";

export interface YamlDocument {
  readonly data: YamlMap;
  /** The line of a value by its path; of the nearest parent that has one otherwise. */
  lineOf(path: readonly PropertyKey[]): number;
}

const MAX_DEPTH = 32;

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
 * A strict profile: one mapping, no aliases, tags, merge or duplicate keys, bounded depth and size. `failsafe` keeps scalars
 * as text (`version: 1.10`); `core` reads numbers, booleans and null. `firstLine`: where the text begins.
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
    const how = isSeq(root) && !root.flow ? '; remove the "- " before each key' : "";
    return {
      fault: "YAML_SYNTAX",
      message: `Expected "key: value" lines, found ${kindOf(root)}${how}.`,
      line: firstLine,
    };
  }
  const reader = new NodeReader(at, limits);
  const data = reader.mapping(root, 1);
  return reader.fault ?? { data, lineOf: (path) => lineOf(root, path, at, firstLine) };
}

/** A file that is YAML and nothing else: without a byte order mark, whatever its line ends. */
export function parseYamlFile(text: string, limits = CONFIGURATION): YamlDocument | Fault {
  return parseYaml(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"), "core", 1, limits);
}

/** Before a tree is built, the lexer finds what may not occur: an alias bomb costs one reading. */
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

/** The first thing that is not allowed is the `fault`. */
class NodeReader {
  fault: Fault | undefined;
  readonly #at: (offset: number) => number;
  readonly #limits: YamlLimits;

  constructor(at: (offset: number) => number, limits: YamlLimits) {
    this.#at = at;
    this.#limits = limits;
  }

  mapping(node: YAMLMap, depth: number): YamlMap {
    const map = emptyMap();
    const { keys } = this.#limits;
    if (node.items.length > keys) {
      this.#fail("FM_LIMIT", `${node.items.length} keys; at most ${keys} are read.`, this.#lineOf(node));
      return map;
    }
    for (const pair of node.items) {
      const key = this.#key(pair.key as Node | null, node);
      if (this.fault) break;
      if (key in map)
        this.#fail(
          "YAML_DUPLICATE",
          "This key is given twice; keep one of them.",
          this.#lineOf(pair.key as Node),
        );
      map[key] = this.#value(pair.value as Node | null, depth + 1);
    }
    return map;
  }

  #value(node: Node | null, depth: number): YamlValue {
    if (node === null || this.fault) return "";
    const line = this.#lineOf(node);
    if (depth > MAX_DEPTH) this.fault = tooDeep(line);
    else if (isScalar(node)) return this.#scalar(node.value, line);
    else if (isSeq(node)) return node.items.map((item) => this.#value(item as Node | null, depth + 1));
    else if (isMap(node)) return this.mapping(node, depth);
    else this.#fail("YAML_SYNTAX", `Cannot read ${kindOf(node)} here.`, line);
    return "";
  }

  #key(node: Node | null, map: Node): string {
    const line = this.#lineOf(node?.range ? node : map);
    if (!node || !isScalar(node)) return this.#fail("YAML_KEY", "A key must be a plain word.", line);
    const key = String(node.value ?? "");
    if (key === "") return this.#fail("YAML_KEY", "A key is empty.", line);
    if (key === "<<")
      return this.#fail("YAML_MERGE", "Merge keys (<<) are not supported; write the keys out.", line);
    if (key === "__proto__") return this.#fail("YAML_KEY", 'The key "__proto__" is not allowed.', line);
    if (key.length > this.#limits.keyLength) this.fault = keyTooLong(line, this.#limits);
    else this.#scalar(key, line);
    return key;
  }

  #scalar(value: unknown, line: number): YamlValue {
    if (typeof value === "string" && !value.isWellFormed())
      return this.#fail("UNICODE", "Half of a surrogate pair (\\ud800…) is not text.", line);
    if (value === null || value === undefined) return null;
    return typeof value === "boolean" || typeof value === "number" ? value : String(value);
  }

  #lineOf(node: Node): number {
    return this.#at(node.range?.[0] ?? 0);
  }

  #fail(fault: Fault["fault"], message: string, line: number): "" {
    this.fault ??= { fault, message, line };
    return "";
  }
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
