import { type Catalog, type Config, type Session, SkillError, type ToolDescription } from "@knack/core";
import { fewOf, quote } from "@knack/core/internal";
import type { Connection } from "../server/connection.ts";
import { uniqueNames } from "../server/unique-names.ts";

type ToolChoice = Config["mcp"]["tools"];

/** What every client gets: few tools, because their definitions are in each request to the model. */
const CORE = new Set(["skill_search", "skill_load", "skill_read_file"]);

function isOffered(choice: ToolChoice, { name, typed }: ToolDescription): boolean {
  const isCore = CORE.has(name) || typed === "project";
  if (typeof choice === "string") return choice === "all" || isCore;
  return choice.includes(name) || (choice.includes("core") && isCore);
}

/** What `--tools` says: `all`, `core`, or names. Throws where it names none, or one that is not there. */
export function readChoice(given: string, { toolsWithoutList: tools }: Session): ToolChoice {
  const words = given.split(",").map((word) => word.trim());
  const [only] = words;
  if (words.length === 1 && (only === "all" || only === "core")) return only;
  const known = ["core", ...tools.map(({ name }) => name)];
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length === 0) return words;
  throw new SkillError(
    "INVALID_PARAM",
    `--tools: there is no tool ${fewOf(unknown.map(quote))}. Give all, core, or names, separated by commas: ${known.join(", ")}.`,
  );
}

/** A snapshot has one list, which is not made again for each call. */
const known = new WeakMap<Catalog, Map<string, ToolDescription>>();

/** The tools that the client gets, by the names that it takes. Two that would become one are kept apart, with a note. */
export function offeredTools({ session, mcp }: Connection): Map<string, ToolDescription> {
  const before = known.get(session.catalog);
  if (before) return before;
  const choice = mcp.tools ?? session.catalog.config.mcp.tools;
  const all = session.toolsWithoutList;
  if (typeof choice !== "string") {
    const missing = choice.filter((name) => name !== "core" && !all.some((tool) => tool.name === name));
    if (missing.length > 0) mcp.warnings.tell(`mcp.tools: there is no tool ${fewOf(missing.map(quote))}.`);
  }
  const named = uniqueNames(
    all.filter((tool) => isOffered(choice, tool)),
    ({ name }) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    ({ name }) => name,
    (name, tools) =>
      mcp.warnings.tell(
        `E_TOOL_NAME_COLLISION: ${fewOf(tools.map((tool) => tool.name))} would all be called ${name}, so each gets a suffix.`,
      ),
  );
  known.set(session.catalog, named);
  return named;
}
