import { isRole, ROLES, type Role } from "../context/guides/role-guide.ts";
import { quote } from "../shared/quote.ts";
import { parseYamlFile } from "../skill/yaml/yaml-profile.ts";
import { type YamlFault, type YamlPath, YamlReader } from "../skill/yaml/yaml-reader.ts";
import type { YamlMap, YamlValue } from "../skill/yaml/yaml-value.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

export interface RoutingProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Where a request goes, as written in a routing file: the skill is still a name or a path. */
export interface StatedTarget {
  readonly role: Role;
  readonly skill: string;
  readonly reason: string;
  readonly line: number;
}

interface StatedRoute extends StatedTarget {
  readonly id: string;
  readonly priority: number;
  readonly patterns: readonly Pattern[];
}

export interface StatedRouting {
  readonly default: StatedTarget;
  /** In the order of the file. */
  readonly routes: readonly StatedRoute[];
}

const MAX_ROUTES = 500;
const MAX_PATTERNS = 200;
/** For all patterns together, so that every request is answered quickly. */
const MAX_TOTAL_SIZE = 6_000;
const MAX_PRIORITY = 1_000_000;
const ID = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]{0,63}$/u;

/** Text of a routing file → what it says, or every problem in it with its line. */
export function readRouting(text: string, file: string): StatedRouting | readonly RoutingProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document) return [{ file, line: document.line ?? 1, message: document.message }];
  const { data, lineOf } = document;
  const problems: RoutingProblem[] = [];
  const report = ({ line, message }: YamlFault): void => void problems.push({ file, line, message });
  const reader = new YamlReader({ lineOf, report });
  reader.keys(data, [], ["version", "default", "routes"]);
  if (data.version !== 1) {
    const found = data.version === undefined ? "nothing" : JSON.stringify(data.version);
    reader.fail(["version"], `"version" must be 1, found ${found}.`);
  }
  const fallback = readDefault(reader, data.default);
  const ids = new Set<string>();
  const routes = reader
    .list(data.routes, ["routes"], { most: MAX_ROUTES })
    .map((value, index) => readRoute(reader, value, index, ids));
  const size = routes.reduce(
    (sum, route) => sum + (route?.patterns ?? []).reduce((all, one) => all + one.size, 0),
    0,
  );
  if (size > MAX_TOTAL_SIZE) {
    const message = `The patterns have ${size} steps together, at most ${MAX_TOTAL_SIZE} are allowed (E_REGEX_UNSAFE).`;
    reader.fail(["routes"], message);
  }
  if (problems.length > 0 || !fallback) return problems;
  return { default: fallback, routes: routes.filter((route) => route !== undefined) };
}

function readDefault(reader: YamlReader, value: YamlValue | undefined): StatedTarget | undefined {
  if (value === undefined || value === null)
    return reader.fail(
      ["default"],
      '"default" is missing: add role, skill and reason for requests that no rule matches.',
    );
  const map = reader.mapping(value, ["default"], ["role", "skill", "reason"]);
  return map && readTarget(reader, map, ["default"]);
}

function readRoute(
  reader: YamlReader,
  value: YamlValue,
  index: number,
  ids: Set<string>,
): StatedRoute | undefined {
  const path = ["routes", index];
  const known = ["id", "role", "skill", "reason", "patterns", "priority"];
  const map = reader.mapping(value, path, known, { needed: true });
  if (!map) return undefined;
  const id = readId(reader, map.id, [...path, "id"], ids);
  const target = readTarget(reader, map, path);
  const patterns = readPatterns(reader, map.patterns, [...path, "patterns"]);
  const range = `up to ${MAX_PRIORITY}`;
  const isAllowed = (number: number): boolean => Math.abs(number) <= MAX_PRIORITY;
  const priority = reader.wholeNumber(map.priority, [...path, "priority"], range, isAllowed) ?? 0;
  return id !== undefined && target ? { ...target, id, priority, patterns } : undefined;
}

function readId(
  reader: YamlReader,
  value: YamlValue | undefined,
  path: YamlPath,
  ids: Set<string>,
): string | undefined {
  const id = reader.text(value, path, { needed: true, most: 1_000 })?.normalize("NFC");
  if (id === undefined) return undefined;
  if (!ID.test(id)) return reader.wrong(path, 'letters, digits, ".", "_" and "-", at most 64', id);
  if (ids.has(id)) return reader.fail(path, `Two routes have the id ${quote(id)}; rename one.`);
  ids.add(id);
  return id;
}

function readTarget(reader: YamlReader, map: YamlMap, path: YamlPath): StatedTarget | undefined {
  const text = (key: string, most: number): string | undefined =>
    reader.text(map[key], [...path, key], { needed: true, most });
  const stated = text("role", 64);
  if (stated !== undefined && !isRole(stated))
    reader.unknownName([...path, "role"], "role", stated, ROLES, `The roles are ${ROLES.join(", ")}.`);
  const role = stated !== undefined && isRole(stated) ? stated : undefined;
  const skill = text("skill", 4_096);
  const reason = text("reason", 1_000);
  if (role === undefined || skill === undefined || reason === undefined) return undefined;
  return { role, skill, reason, line: reader.lineOf([...path, "skill"]) };
}

function readPatterns(reader: YamlReader, value: YamlValue | undefined, path: YamlPath): Pattern[] {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty)
    reader.fail(path, `"${reader.nameOf(path)}" is missing: a route without a pattern never matches.`);
  return reader.list(value, path, { most: MAX_PATTERNS }).flatMap((entry, index) => {
    const at = [...path, index];
    const source = reader.text(entry, at, { needed: true });
    if (source === undefined) return [];
    const pattern = compilePattern(source);
    if (typeof pattern !== "string") return [pattern];
    reader.fail(at, `"${reader.nameOf(at)}" ${quote(source)} ${pattern}`);
    return [];
  });
}
