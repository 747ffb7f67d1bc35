import { join } from "node:path";
import type { Observe } from "../access/observe.ts";
import type { Confirm, Judges } from "../access/permit.ts";
import type { Tool } from "../access/tool.ts";
import { homeFolder } from "../config/home.ts";
import { knackHome } from "../config/load.ts";
import { charBudget } from "../context/blocks/skill-list.ts";
import { skillDispatch } from "../dispatch/skill-dispatch.ts";
import { type Catalog, type OpenCatalogOptions, openCatalog } from "../open-catalog.ts";
import { rememberAllow } from "../policy/edit/write-policy.ts";
import { LivePolicy } from "../policy/live-policy.ts";
import { SkillError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { RuntimeParts } from "../tools/make-context.ts";
import { skillTool } from "../tools/skill.ts";
import { skillLoad } from "../tools/skill-load.ts";
import { skillReadFile } from "../tools/skill-read-file.ts";
import { skillSearch } from "../tools/skill-search.ts";
import { Session } from "./session.ts";

export interface RuntimeOptions extends Omit<OpenCatalogOptions, "tools" | "hostTools" | "withoutProject"> {
  /**
   * Tools beyond Knack's own. A tool that can be called is in every session's `tools` and may be a skill's
   * `command_tool`; a name says that the host offers such a tool itself, for `requires_tools`.
   */
  readonly tools?: readonly (Tool | string)[];
  /** Whether the project's own skills are there; by default where it is trusted. */
  readonly offersProject?: boolean;
  /** Asks somebody where the policy says `confirm`; without it such calls are refused. */
  readonly confirm?: Confirm;
  /** Keeps a record of loads, searches and decisions; called before the answer is given. */
  readonly observe?: Observe;
}

/** The one function that sees every stage; `createRuntime` is its public name. */
export async function makeRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const {
    tools: given = [],
    confirm,
    observe = async () => undefined,
    offersProject,
    trusted = true,
    ...place
  } = options;
  const env = options.env ?? process.env;
  const home = options.home ?? homeFolder(env);
  const isTrusted = typeof trusted === "function" ? trusted : () => trusted;
  const hasProject = (): boolean => offersProject ?? isTrusted();
  const dispatching = skillDispatch({ env, home, isTrusted });
  const tools = toolTable(
    dispatching,
    given.filter((tool) => typeof tool !== "string"),
  );
  const catalog = await openCatalog({
    ...place,
    // A skill's tool that dispatches skills would be a circle without a check.
    tools: [...tools.keys()].filter((name) => name !== dispatching.name),
    hostTools: given.filter((tool) => typeof tool === "string"),
    trusted: isTrusted,
    withoutProject: () => !hasProject(),
  });
  const { projectRoot } = catalog;
  const live = new LivePolicy(() => ({ projectRoot, home, env, trusted: isTrusted() }));
  const userFile = join(knackHome(env, home), "config.yaml");
  const judges: Judges = {
    confirm,
    hasProject,
    policy: () => live.current(),
    remember: async (skill, tool) => {
      await rememberAllow(userFile, skill.name, tool);
    },
  };
  const refreshOnCall = readSwitch(env, "SKILLS_REFRESH_ON_CALL", true);
  // A wrong one is told now, not when a host first asks for the tools.
  charBudget(env);
  const working = new Set<Promise<unknown>>();
  const begun = (work: Promise<unknown>): void => {
    const settled: Promise<unknown> = work.catch(() => {}).then(() => working.delete(settled));
    working.add(settled);
  };
  return new Runtime({ env, isTrusted, refreshOnCall, observe, begun }, tools, judges, catalog, working);
}

export class Runtime {
  readonly #parts: RuntimeParts;
  readonly #judges: Judges;
  /** The skills when the runtime was made; sessions start from them. */
  readonly catalog: Catalog;
  readonly #working: ReadonlySet<Promise<unknown>>;
  readonly #tools: Map<string, Tool>;

  /** @internal Use `createRuntime`. */
  constructor(
    parts: Omit<RuntimeParts, "tools">,
    tools: Map<string, Tool>,
    judges: Judges,
    catalog: Catalog,
    working: ReadonlySet<Promise<unknown>>,
  ) {
    this.#working = working;
    this.#tools = tools;
    this.#parts = { ...parts, tools };
    this.#judges = judges;
    this.catalog = catalog;
  }

  /** The typed skills are others now: also in conversations that go on. */
  replaceTypedSkills(next: readonly Tool[]): void {
    for (const { name, isTypedSkill } of [...this.#tools.values()])
      if (isTypedSkill) this.#tools.delete(name);
    for (const tool of next) this.#tools.set(tool.name, tool);
  }

  /** Answers when no tool works any more, also none whose call was given up. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  /** A new conversation. Its own way to ask, and its own record, come before the runtime's. */
  session(options: SessionOptions = {}): Session {
    const { confirm = this.#judges.confirm, observe = this.#parts.observe } = options;
    const judges = { ...this.#judges, confirm };
    return new Session({ ...this.#parts, observe }, judges, options.catalog ?? this.catalog);
  }
}

export interface SessionOptions {
  readonly confirm?: Confirm;
  readonly observe?: Observe;
  /** A newer snapshot to begin with than the runtime's first. */
  readonly catalog?: Catalog;
}

function toolTable(dispatching: Tool, more: readonly Tool[]): Map<string, Tool> {
  const table = new Map<string, Tool>();
  for (const tool of [skillSearch, skillLoad, skillTool, skillReadFile, dispatching, ...more]) {
    if (table.has(tool.name))
      throw new SkillError("INVALID_PARAM", `Two tools are called ${quote(tool.name)}; rename one.`);
    table.set(tool.name, tool);
  }
  return table;
}

const ON = /^(?:true|1|yes|on)$/i;
const OFF = /^(?:false|0|no|off)$/i;

function readSwitch(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  const value = env[name]?.trim() ?? "";
  if (value === "") return fallback;
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  throw new SkillError("CONFIG_INVALID", `${name} must be true or false, found ${quote(value)}.`);
}
