import { isRole, ROLES, type Role } from "../context/guides/role-guide.ts";
import { nearest } from "../shared/nearest.ts";
import { parseYaml } from "../skill/yaml/yaml-profile.ts";
import type { YamlMap, YamlValue } from "../skill/yaml/yaml-value.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import { nameOf, type RoutingProblem, RoutingReader } from "./routing-reader.ts";

/** Where a request goes, as a routing file says it: the skill is still a name or a path. */
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
/** Of all patterns together, so that a request is answered in a moment whatever the file says. */
const MAX_TOTAL_SIZE = 6_000;
const MAX_PRIORITY = 1_000_000;
const ID = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]{0,63}$/u;

/** Text of a routing file → what it says, or every problem in it with its line. */
export function readRouting(text: string, file: string): StatedRouting | readonly RoutingProblem[] {
  const source = (text.startsWith("\ufeff") ? text.slice(1) : text).replaceAll("\r\n", "\n");
  const document = parseYaml(source, "core", 1);
  if ("fault" in document) return [{ file, line: document.line ?? 1, message: document.message }];
  const reader = new RoutingReader(file, document);
  const { data } = document;
  reader.mapping(data, [], ["version", "default", "routes"]);
  if (data.version !== 1) {
    const found = data.version === undefined ? "nothing" : JSON.stringify(data.version);
    reader.fail(["version"], `"version" must be 1, found ${found}.`);
  }
  const fallback = readDefault(reader, data.default);
  const ids = new Set<string>();
  const routes = reader
    .list(data.routes, ["routes"], MAX_ROUTES)
    .map((value, index) => readRoute(reader, value, index, ids));
  const size = routes.reduce(
    (sum, route) => sum + (route?.patterns ?? []).reduce((all, one) => all + one.size, 0),
    0,
  );
  if (size > MAX_TOTAL_SIZE) {
    const message = `The patterns have ${size} steps together, at most ${MAX_TOTAL_SIZE} are allowed (E_REGEX_UNSAFE).`;
    reader.fail(["routes"], message);
  }
  if (reader.problems.length > 0 || !fallback) return reader.problems;
  return { default: fallback, routes: routes.filter((route) => route !== undefined) };
}

function readDefault(reader: RoutingReader, value: YamlValue | undefined): StatedTarget | undefined {
  if (value === undefined || value === null)
    return reader.fail(
      ["default"],
      '"default" is missing: add role, skill and reason for requests that no rule matches.',
    );
  const map = reader.mapping(value, ["default"], ["role", "skill", "reason"]);
  return map && readTarget(reader, map, ["default"]);
}

function readRoute(
  reader: RoutingReader,
  value: YamlValue,
  index: number,
  ids: Set<string>,
): StatedRoute | undefined {
  const path = ["routes", index];
  const map = reader.mapping(value, path, ["id", "role", "skill", "reason", "patterns", "priority"]);
  if (!map) return undefined;
  const id = readId(reader, map.id, [...path, "id"], ids);
  const target = readTarget(reader, map, path);
  const patterns = readPatterns(reader, map.patterns, [...path, "patterns"]);
  const { priority = 0 } = map;
  if (!Number.isInteger(priority) || Math.abs(priority as number) > MAX_PRIORITY)
    return reader.fail(
      [...path, "priority"],
      `"${nameOf([...path, "priority"])}" must be a whole number up to ${MAX_PRIORITY}, found ${typeof priority === "number" ? priority : JSON.stringify(priority)}.`,
    );
  if (id === undefined || !target) return undefined;
  return { ...target, id, priority: priority as number, patterns };
}

function readId(
  reader: RoutingReader,
  value: YamlValue | undefined,
  path: readonly (string | number)[],
  ids: Set<string>,
): string | undefined {
  const id = reader.text(value, path, 1_000)?.normalize("NFC");
  if (id === undefined) return undefined;
  if (!ID.test(id)) {
    const message = `"${nameOf(path)}" must be letters, digits, ".", "_" and "-", at most 64 characters, found ${JSON.stringify(id.slice(0, 80))}.`;
    return reader.fail(path, message);
  }
  if (ids.has(id)) return reader.fail(path, `Two routes have the id ${JSON.stringify(id)}; rename one.`);
  ids.add(id);
  return id;
}

function readTarget(
  reader: RoutingReader,
  map: YamlMap,
  path: readonly (string | number)[],
): StatedTarget | undefined {
  const stated = reader.text(map.role, [...path, "role"], 64);
  const role = stated === undefined ? undefined : readRole(reader, stated, [...path, "role"]);
  const skill = reader.text(map.skill, [...path, "skill"], 4_096);
  const reason = reader.text(map.reason, [...path, "reason"], 1_000);
  if (role === undefined || skill === undefined || reason === undefined) return undefined;
  return { role, skill, reason, line: reader.lineOf([...path, "skill"]) };
}

function readRole(
  reader: RoutingReader,
  stated: string,
  path: readonly (string | number)[],
): Role | undefined {
  if (isRole(stated)) return stated;
  const guess = nearest(stated, ROLES);
  const hint = guess ? ` Did you mean "${guess}"?` : ` The roles are ${ROLES.join(", ")}.`;
  return reader.fail(path, `There is no role ${JSON.stringify(stated)}.${hint}`);
}

function readPatterns(
  reader: RoutingReader,
  value: YamlValue | undefined,
  path: readonly (string | number)[],
): Pattern[] {
  const before = reader.problems.length;
  const list = reader.list(value, path, MAX_PATTERNS);
  if (list.length === 0 && reader.problems.length === before)
    reader.fail(path, `"${nameOf(path)}" is missing: a route without a pattern never matches.`);
  return list.flatMap((entry, index) => {
    const at = [...path, index];
    const source = reader.text(entry, at, Number.POSITIVE_INFINITY);
    if (source === undefined) return [];
    const pattern = compilePattern(source);
    if (typeof pattern !== "string") return [pattern];
    reader.fail(at, `"${nameOf(at)}" ${JSON.stringify(source.slice(0, 80))} ${pattern}`);
    return [];
  });
}
