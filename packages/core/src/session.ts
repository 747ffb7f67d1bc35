import { parseCommand } from "./commands/parse-command.ts";
import { type CommandContext, type CommandResult, runCommand, useSkill } from "./commands/run-command.ts";
import type { Config } from "./config/config.ts";
import { renderCatalogBlock } from "./context/catalog-block.ts";
import { type LoadedSkill, LoadedSkills, type SessionState } from "./context/loaded-skills.ts";
import type { DispatchOptions, DispatchRequest } from "./dispatch/dispatch-skill.ts";
import type { Refusal } from "./dispatch/guards.ts";
import type { Dispatched } from "./dispatch/prepare-dispatch.ts";
import type { Mention } from "./find/mentions.ts";
import type { Catalog } from "./open-catalog.ts";
import type { Actor } from "./policy/permissions.ts";
import { type SharedLook, sharedLook } from "./shared-look.ts";
import type { SkillLoadError, SkillMetadata } from "./skill/schema.ts";
import { answer, callTool, orGivenUp } from "./tools/call-tool.ts";
import { describeTool } from "./tools/describe-tool.ts";
import { dispatchToTool, unknownTool } from "./tools/dispatch-to-tool.ts";
import { type Envelope, ToolError } from "./tools/envelope.ts";
import type { SkillWanted } from "./tools/find-skill.ts";
import type { Observe } from "./tools/observe.ts";
import { type Confirm, type Judges, mayOffer, type PermitRequest, permit } from "./tools/permit.ts";
import { readSkillFile, type SkillFile } from "./tools/read-skill-file.ts";
import type { Tool, ToolContext, ToolDescription } from "./tools/tool.ts";

/** Everything of a runtime that its sessions share. */
export interface SessionHost {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly env: NodeJS.ProcessEnv;
  readonly isTrusted: () => boolean;
  /** Whether the files are looked at again before each call of a tool (document 001). */
  readonly refreshOnCall: boolean;
  readonly observe: Observe;
  readonly begun: ToolContext["begun"];
}

export interface CallOptions {
  /** Who wants it. What a person does is their own consent; `model` by default. */
  readonly actor?: Actor;
  readonly signal?: AbortSignal;
  /** Asks in place of the session's own way, for this call. */
  readonly confirm?: Confirm;
  /** Who the records name for what the call does. */
  readonly by?: string;
  /** Called with what a long call is doing. */
  readonly onProgress?: (message: string) => void;
}

/** What an agent should do with what its user typed. */
export interface Reaction {
  /** `model`: give `text` to the model. `person`: show `text` to the person; the model gets nothing. */
  readonly to: "model" | "person";
  readonly text: string;
  /** The answer of the command or of the load; absent for plain text. */
  readonly envelope?: Envelope;
  readonly skill?: SkillMetadata;
}

/** The state of the catalog and of what was loaded (document 004 §10.2). */
export interface Inspection {
  readonly snapshot_version: number;
  readonly skills?: {
    readonly catalog: {
      readonly skills: readonly SkillMetadata[];
      readonly errors: readonly SkillLoadError[];
    };
    readonly loaded: readonly Pick<LoadedSkill, "name" | "path" | "sha256" | "ref">[];
  };
}

/** One conversation: its snapshot of the skills, what it has loaded, what it may do. */
export class Session {
  readonly #host: SessionHost;
  readonly #judges: Judges;
  readonly #loaded = new LoadedSkills();
  #snapshot: Catalog;
  #version: number;
  /** The looks at the files that serve the calls of tools. */
  #looks: SharedLook;

  /** @internal Use `runtime.session()`. */
  constructor(host: SessionHost, judges: Judges, snapshot: Catalog) {
    this.#host = host;
    this.#judges = judges;
    this.#snapshot = snapshot;
    this.#looks = sharedLook(snapshot);
    this.#version = snapshot.snapshot_version;
  }

  /** The skills as this conversation sees them; only `reload` changes that. */
  get catalog(): Catalog {
    return this.#snapshot;
  }

  get snapshotVersion(): number {
    return this.#version;
  }

  /** `<skills_context>` for the system prompt: the same bytes from call to call until the skills are reloaded. */
  systemPrompt(): string {
    const { config } = this.#snapshot;
    return config.skills.enabled ? renderCatalogBlock(this.offered, config.skills.initial).text : "";
  }

  /** What a model can call, for its host to announce. */
  get tools(): ToolDescription[] {
    const { tools, env } = this.#host;
    const { offered } = this;
    return [...tools.values()].map((tool) => describeTool(tool, offered, env));
  }

  /** The skills that a model is told of. */
  get offered(): SkillMetadata[] {
    const { permissions, skills } = this.#snapshot.config;
    return this.#snapshot.skills.filter((skill) => mayOffer(skill, permissions, skills.disabled));
  }

  /**
   * The skills that whoever asks may be told of: by the rules as they are now, which may have changed since the snapshot.
   * `look`: the files are looked at first, too.
   */
  async mayKnow(actor: Actor, options: { readonly look?: boolean } = {}): Promise<SkillMetadata[]> {
    const { config, skills } = options.look ? await this.#look() : this.#looks.newest;
    const { permissions, disabled } = await this.#rules(config);
    const hasProject = this.#judges.hasProject();
    return skills.filter(
      (skill) => mayOffer(skill, permissions, disabled, actor) && (hasProject || skill.scope !== "repo"),
    );
  }

  /** Calls a tool. Every call gets an envelope, refusals too. */
  async call(name: string, params: unknown = {}, options: CallOptions = {}): Promise<Envelope> {
    const tool = this.#host.tools.get(name);
    return answer(params, this.#snapshot, async () => {
      if (!tool) throw unknownTool(this.#host.tools, name);
      return callTool(tool, params, await this.#context(options, await this.#look()));
    });
  }

  /**
   * Hands work to a skill in a role, and on to those that it requires now (document 000). Answers what was dispatched, or
   * why it was refused; throws `ToolError` where the skill is not there or may not be had.
   */
  async dispatch(
    request: DispatchRequest,
    options: DispatchOptions & CallOptions = {},
  ): Promise<Dispatched | Refusal> {
    const { dispatchSkill } = await import("./dispatch/dispatch-skill.ts");
    const context = await this.#context(options, await this.#look());
    const { env, isTrusted } = this.#host;
    return dispatchSkill(request, options, context, { env, trusted: isTrusted() });
  }

  /** What the user typed: a slash command is done, a skill that is named outright is loaded, the rest is for the model. */
  async input(text: string): Promise<Reaction> {
    if (parseCommand(text)) return reactionOf(await this.#command(text));
    // A skill that calls a tool is not called because a sentence names it: who wants that says so with a command.
    const mentions = (await this.#snapshot.mentions(text)).filter(
      (mention) => !("skill" in mention && mention.skill.invocationMode === "tool_dispatch"),
    );
    if (mentions.length === 0) return { to: "model", text };
    const reaction = reactionOf(await this.#mentioned(text, mentions));
    return reaction.to === "model" ? { ...reaction, text: `${reaction.text}\n\n${text}` } : reaction;
  }

  /** A person uses a skill, as `/skill` does. */
  async use(wanted: { readonly name: string } | { readonly path: string }, args: string): Promise<Envelope> {
    return (await this.#run({ ...wanted, args }, (context) => useSkill(wanted, args, context))).envelope;
  }

  /** A file of a skill as it is, for a host that passes it on. Throws `ToolError`. */
  async readFile(
    wanted: SkillWanted,
    file: string,
    { maxBytes, ...options }: CallOptions & { readonly maxBytes: number },
  ): Promise<SkillFile> {
    return readSkillFile(
      "skill_load",
      wanted,
      file,
      maxBytes,
      await this.#context(options, await this.#look()),
    );
  }

  /** Runs a slash command and answers its envelope. */
  async execute(line: string): Promise<Envelope> {
    return (await this.#command(line)).envelope;
  }

  /** A new snapshot of skills and configuration; its version is higher. Throws where the configuration is wrong now. */
  async reload(): Promise<Catalog> {
    const next = await this.#looks.newest.reload();
    this.#snapshot = next;
    this.#looks = sharedLook(next);
    this.#version++;
    return next;
  }

  /** Goes on with a snapshot that somebody made for several conversations. */
  adopt(next: Catalog): void {
    this.#snapshot = next;
    this.#looks = sharedLook(next);
    this.#version++;
  }

  inspect(options: { readonly include_skills?: boolean | undefined } = {}): Inspection {
    const snapshot_version = this.#version;
    if (!options.include_skills) return { snapshot_version };
    const { skills, errors } = this.#snapshot;
    const loaded = this.#loaded.list.map(({ name, path, sha256, ref }) => ({ name, path, sha256, ref }));
    return { snapshot_version, skills: { catalog: { skills, errors }, loaded } };
  }

  /** What must survive a restart: plain data. */
  save(): SessionState {
    return this.#loaded.save();
  }

  /** Throws `SkillError` where the state is none. */
  restore(state: unknown): void {
    this.#loaded.restore(state);
  }

  #command(line: string): Promise<Done> {
    return this.#run({ input: line }, async (context) => {
      const command = parseCommand(line);
      if (!command) throw new ToolError("INVALID_PARAM", "A command begins with a slash, such as /skills.");
      return runCommand(command, context);
    });
  }

  /** One skill a request (document 002 §5.1): the first that is named. The others stay words. */
  #mentioned(text: string, mentions: readonly Mention[]): Promise<Done> {
    return this.#run({ input: text }, async (context) => {
      const [first] = mentions as [Mention];
      if ("skill" in first) return useSkill({ path: first.skill.path }, "", context);
      const { candidates } = first;
      const paths = candidates.map((path) => `  ${path}`).join("\n");
      const message = `${first.text} could mean ${candidates.length} skills; name one by its path:\n${paths}`;
      throw new ToolError("INVALID_PARAM", message, { candidates });
    });
  }

  /** The envelope of what a person asked for, whether it worked or not. */
  async #run(asked: unknown, work: (context: CommandContext) => Promise<CommandResult>): Promise<Done> {
    let done: CommandResult | undefined;
    const envelope = await answer(asked, this.#snapshot, async () => {
      const tools = await this.#context({ actor: "person" }, this.#snapshot);
      const reload = async (): Promise<{ catalog: Catalog; version: number }> => ({
        catalog: await this.reload(),
        version: this.#version,
      });
      done = await work({ tools, trusted: this.#host.isTrusted(), reload });
      return done.result;
    });
    return { envelope, done };
  }

  /** The skills for one call. */
  async #look(): Promise<Catalog> {
    return this.#host.refreshOnCall ? this.#looks.take() : this.#looks.newest;
  }

  /** Every decision is told, the refusals with their reason. */
  async #permit(actor: Actor, request: PermitRequest, judges: Judges): Promise<void> {
    const { tool, skill, calledBy } = request;
    const name = (skill ?? calledBy)?.name;
    const told = { tool, ...(name === undefined ? {} : { skill: name }) };
    try {
      await permit(actor, request, judges);
    } catch (error) {
      if (error instanceof ToolError)
        await this.#host.observe({
          type: "PERMISSION_DECIDED",
          actor,
          data: { ...told, allowed: false, reason: error.message },
        });
      throw error;
    }
    await this.#host.observe({ type: "PERMISSION_DECIDED", actor, data: { ...told, allowed: true } });
  }

  /** The rules as they are now; where they cannot be understood nothing is permitted, and the old ones say what is told. */
  async #rules(
    config: Config,
  ): Promise<Pick<Config, "permissions"> & { readonly disabled: readonly string[] }> {
    const policy = await this.#judges.policy();
    return "problem" in policy ? { ...config, disabled: config.skills.disabled } : policy;
  }

  async #context(options: CallOptions, catalog: Catalog): Promise<ToolContext> {
    const { actor = "model", signal, by, onProgress } = options;
    const { permissions, disabled } = await this.#rules(catalog.config);
    const hasProject = this.#judges.hasProject();
    const typedSkills = [...this.#host.tools.values()]
      .filter((tool) => tool.isTypedSkill)
      .map(({ name }) => name);
    const judges = options.confirm ? { ...this.#judges, confirm: options.confirm } : this.#judges;
    const context: ToolContext = {
      catalog,
      snapshot: this.#snapshot,
      actor,
      signal,
      by,
      progress: onProgress ?? (() => {}),
      begun: this.#host.begun,
      loaded: this.#loaded,
      always: actor === "person",
      permit: (request) => orGivenUp(this.#permit(actor, request, judges), signal),
      observe: (type, data) => this.#host.observe({ type, actor, data }),
      typedSkills,
      runsAs: ({ name }) => (typedSkills.includes(name) ? name : undefined),
      offers: (skill) => mayOffer(skill, permissions, disabled) && (hasProject || skill.scope !== "repo"),
      dispatch: (skill, args, ended = signal) =>
        dispatchToTool(this.#host.tools, skill, args, {
          ...context,
          signal: ended,
          dispatch: refuseDispatch,
        }),
    };
    return context;
  }
}

interface Done {
  readonly envelope: Envelope;
  readonly done: CommandResult | undefined;
}

function reactionOf({ envelope, done }: Done): Reaction {
  const to = done?.forModel ? "model" : "person";
  return { to, text: envelope.text, envelope, ...(done?.skill ? { skill: done.skill } : {}) };
}

/** A tool that a skill called does not call a skill's tool again: so no circle of them can begin. */
async function refuseDispatch({ name }: SkillMetadata): Promise<never> {
  const message = `The skill ${JSON.stringify(name)} calls a tool, and it was itself called by a skill's tool; such calls do not go on.`;
  throw new ToolError("INVALID_PARAM", message);
}
