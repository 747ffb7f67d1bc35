import { join } from "node:path";
import type { Authority, Confirm, Observe, Paths, Tool } from "../access/tool.ts";
import { knackHome } from "../config/load.ts";
import { homeFolder } from "../config/places.ts";
import { charBudget, type Uses } from "../context/blocks/catalog-block.ts";
import { skillDispatch } from "../dispatch/dispatch-tool.ts";
import { framesFolder } from "../dispatch/running-frames.ts";
import { LockGate } from "../lock/lock-gate.ts";
import { lockPlaces } from "../lock/lock-place.ts";
import type { Catalog, OpenCatalogOptions } from "../open-catalog.ts";
import { changePolicy, obstaclesTo } from "../policy/change-policy.ts";
import { KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import { skillTool } from "../tools/skill.ts";
import { skillLoad } from "../tools/skill-load.ts";
import { skillReadFile } from "../tools/skill-read-file.ts";
import { skillSearch } from "../tools/skill-search.ts";
import { type CatalogListener, ProjectNow } from "./project-now.ts";
import { Session, type SessionParts } from "./session.ts";

export interface RuntimeOptions extends Omit<OpenCatalogOptions, "tools" | "hostTools" | "withoutProject"> {
  /** Tools beyond Knack's own: in every session's `tools`, and for `command_tool`. A mere name counts for `requires_tools`. */
  readonly tools?: readonly (Tool | string)[];
  /** Whether the project's own skills are there; by default where it is trusted. */
  readonly offersProject?: boolean;
  /** Asks somebody where the policy says `confirm`; without it such calls are refused. */
  readonly confirm?: Confirm;
  /** Keeps the answer "always from now on"; by default a rule in the user's configuration. */
  readonly remember?: Authority["remember"];
  /** How files are named to a model; `absolute` by default. */
  readonly paths?: Paths;
  /** Keeps a record of loads, searches and decisions. */
  readonly observe?: Observe;
  /** How often each skill was loaded lately, by its name: where a list is cut, those are named first. */
  readonly uses?: Uses;
  /** Whether the skills are brought up to date before each call; by default as `SKILLS_REFRESH_ON_CALL` says, which is yes. */
  readonly refreshOnCall?: boolean;
}

/** The one function that sees every stage; `createRuntime` is its public name. */
export async function makeRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const {
    tools: given = [],
    confirm,
    remember,
    paths = "absolute",
    observe = async () => undefined,
    uses = new Map(),
    offersProject = "trusted",
    trusted = true,
    refreshOnCall = readSwitch(options.env ?? process.env, "SKILLS_REFRESH_ON_CALL", true),
    ...place
  } = options;
  const env = options.env ?? process.env;
  const home = options.home ?? homeFolder(env);
  const frames = framesFolder(env, home);
  const dispatching = skillDispatch({ env, frames });
  const own = given.filter((tool) => typeof tool !== "string");
  const registry = toolTable([skillSearch, skillLoad, skillTool, skillReadFile, dispatching, ...own]);
  const project = await ProjectNow.open({
    ...place,
    refreshOnCall,
    registry,
    // A skill's tool that dispatched skills would be a circle.
    tools: [...registry.keys()].filter((name) => name !== dispatching.name),
    hostTools: given.filter((tool) => typeof tool === "string"),
    trusted,
    offersProject,
  });
  const userFile = join(knackHome(env, home), "config.yaml");
  const authority: SessionParts["authority"] = {
    locks: new LockGate(() => lockPlaces(project.catalog.projectRoot, { home, env })),
    remember:
      remember ??
      (async ({ name }, tool) =>
        void (await changePolicy(userFile, { kind: "remember", skill: name, tool }, home))),
    userFile: userFile === join(home, ".knack", "config.yaml") ? "~/.knack/config.yaml" : userFile,
    obstacles: async (call) =>
      (options.config?.isOfFiles ?? true)
        ? obstaclesTo({ projectRoot: project.catalog.projectRoot, home, env }, [call])
        : { denials: [], switches: [] },
  };
  // A wrong value is reported now, not when a host first asks for the tools.
  charBudget(env);
  return new Runtime({ env, frames, project, authority, confirm, observe, paths, uses });
}

/** The skills of a project for an agent, and what its conversations share. */
export class Runtime {
  readonly #parts: Omit<SessionParts, "track">;
  readonly #working = new Set<Promise<unknown>>();

  /** @internal Use `createRuntime`. */
  constructor(parts: Omit<SessionParts, "track">) {
    this.#parts = parts;
  }

  /** @internal The project that all sessions share. */
  get live(): ProjectNow {
    return this.#parts.project;
  }

  /** The newest snapshot of the skills that a session has asked for; new sessions begin with it. */
  get catalog(): Catalog {
    return this.live.catalog;
  }

  /** Calls `changed` after each change, until the returned function is called; meanwhile the skills are watched. */
  follow(changed: CatalogListener): () => void {
    return this.live.follow(changed);
  }

  /** Resolves when no tool is working any more, including tools whose call was cancelled. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  /** A new conversation; its own `confirm` and `observe` come before the runtime's. */
  session(options: SessionOptions = {}): Session {
    const { confirm = this.#parts.confirm, observe = this.#parts.observe } = options;
    const track = (work: Promise<unknown>): void => {
      const settled: Promise<unknown> = work.catch(() => {}).then(() => this.#working.delete(settled));
      this.#working.add(settled);
    };
    return new Session({ ...this.#parts, confirm, observe, track });
  }
}

export interface SessionOptions {
  readonly confirm?: Confirm;
  readonly observe?: Observe;
}

function toolTable(tools: readonly Tool[]): Map<string, Tool> {
  const table = new Map<string, Tool>();
  for (const tool of tools) {
    if (table.has(tool.name))
      throw new KnackError("INVALID_PARAM", `Two tools are called ${quote(tool.name)}; rename one.`);
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
  throw new KnackError("CONFIG_INVALID", `${name} must be true or false, found ${quote(value)}.`);
}
