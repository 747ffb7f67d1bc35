import { Liquid } from "liquidjs";
import { MAX_BUSY_MS, withinTime } from "../shared/within-time.ts";
import { failure } from "./builtin.ts";

/** Files beside the template are not inputs of the run, so a template cannot ask for them. */
const TAGS_FOR_FILES = ["include", "render", "layout", "block"];
const MAX_NAMED = 50;

/** What the library throws: one error, or the errors of a block together in one. */
interface Thrown extends Error {
  readonly originalError?: Error;
  readonly errors?: readonly Thrown[];
  readonly token?: { getPosition(): number[] };
}

/** Renders a template that begins on this line of its file. */
export function renderLiquid(template: string, firstLine: number, variables: object): string {
  try {
    const rendered = withinTime(() => {
      const engine = makeEngine();
      return engine.renderSync(engine.parse(template), variables) as string;
    });
    if (rendered) return rendered.value;
  } catch (error) {
    throw toFailure(error, firstLine);
  }
  throw failure(
    "TEMPLATE_LIMIT",
    `Rendering took more than ${MAX_BUSY_MS / 1000} seconds; do less in loops.`,
  );
}

function makeEngine(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    // {% if x %} and {{ x | default: "…" }} are how a template says that x may be missing.
    lenientIf: true,
    catchAllErrors: true,
    ownPropertyOnly: true,
    templates: {},
    // The same input gives the same text on every machine.
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: 1 << 20,
    renderLimit: MAX_BUSY_MS,
    memoryLimit: 16 << 20,
  });
  for (const name of TAGS_FOR_FILES) delete engine.tags[name];
  delete engine.filters.sample;
  return engine;
}

function toFailure(error: unknown, firstLine: number): unknown {
  const all = flatten(error as Thrown);
  const other = all.find(({ name }) => name !== "UndefinedVariableError");
  if (!other) return missing(all, firstLine);
  if (/limit exceeded|call stack/i.test(other.message)) {
    return failure(
      "TEMPLATE_LIMIT",
      `The template needs too much time or memory${place(other, firstLine)}: do less in loops.`,
    );
  }
  if (!other.token) return other;
  const message = reason(other);
  const hint = TAGS_FOR_FILES.some((name) => message.includes(`"${name}"`))
    ? "; files beside the template cannot be included"
    : "";
  return failure("TEMPLATE_SYNTAX", `Template${place(other, firstLine)}: ${message}${hint}.`);
}

function missing(errors: readonly Thrown[], firstLine: number): Error {
  const nameOf = (error: Thrown): string => reason(error).replace("undefined variable: ", "");
  const names = [...new Set(errors.map((error) => nameOf(error) + place(error, firstLine)))];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return failure(
    "TEMPLATE_MISSING",
    `Missing: ${names.slice(0, MAX_NAMED).join("; ")}${more}. Give the values in the data file or the parameters, or a default: {{ name | default: "…" }}.`,
  );
}

function flatten(error: Thrown): Thrown[] {
  return error.errors ? error.errors.flatMap(flatten) : [error];
}

function reason({ originalError, message }: Thrown): string {
  return (originalError?.message ?? message.replace(/(?:, file:\S+)?, line:\d+, col:\d+$/, "")).slice(0, 200);
}

function place({ token }: Thrown, firstLine: number): string {
  if (!token) return "";
  const [row = 1, column = 1] = token.getPosition();
  return ` (line ${row + firstLine - 1}, column ${column})`;
}
