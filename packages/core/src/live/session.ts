import { type Envelope, ToolError } from "../access/envelope.ts";
import type { SkillWanted } from "../access/find-skill.ts";
import { type Authorizer, authorize, isVisibleTo } from "../access/permit.ts";
import { readSkillFile, type SkillFile } from "../access/read-skill-file.ts";
import type { ToolContext, ToolDescription } from "../access/tool.ts";
import { parseCommand } from "../commands/parse-command.ts";
import { type CommandContext, type CommandResult, runCommand, useSkill } from "../commands/run-command.ts";
import { renderCatalogBlock } from "../context/blocks/catalog-block.ts";
import { type LoadedSkill, LoadedSkills, type SessionState } from "../context/loaded-skills.ts";
import type { DispatchOptions, DispatchRequest } from "../dispatch/dispatch-skill.ts";
import type { Refusal } from "../dispatch/guards.ts";
import type { Dispatched } from "../dispatch/prepare-dispatch.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import type { Mention } from "../resolve/mentions.ts";
import { KnackError } from "../shared/errors.ts";
import { fewOf } from "../shared/few-of.ts";
import type { SkillLoadError, SkillMetadata } from "../skill/schema.ts";
import { answer, callTool } from "../tools/call-tool.ts";
import { describeTool } from "../tools/describe-tool.ts";
import { findTool } from "../tools/dispatch-to-tool.ts";
import { type CallOptions, makeContext, type RuntimeParts, visibilityNow } from "../tools/make-context.ts";
import type { LiveProject } from "./live-project.ts";

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
  readonly #runtime: RuntimeParts;
  readonly #authorizer: Authorizer;
  readonly #live: LiveProject;
  readonly #loaded = new LoadedSkills();
  #snapshot: Catalog;
  #version: number;

  /** @internal Use `runtime.session()`. */
  constructor(runtime: RuntimeParts, authorizer: Authorizer, live: LiveProject) {
    this.#runtime = runtime;
    this.#authorizer = authorizer;
    this.#live = live;
    this.#snapshot = live.catalog;
    this.#version = this.#snapshot.snapshot_version;
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
    return this.#describe(this.offered);
  }

  /** The same for clients that cut long descriptions: none of them lists the skills. */
  get toolsWithoutList(): ToolDescription[] {
    return this.#describe([]);
  }

  #describe(offered: readonly SkillMetadata[]): ToolDescription[] {
    const { tools, env } = this.#runtime;
    const callable = [...tools.values()].filter(({ leftOut }) => leftOut === undefined);
    return callable.map((tool) => describeTool(tool, offered, env));
  }

  /** Why a tool of this name cannot be called, where there should be one. */
  whyLeftOut(name: string): string | undefined {
    return this.#runtime.tools.get(name)?.leftOut;
  }

  /** The skills that a model is told of. */
  get offered(): SkillMetadata[] {
    const { permissions, skills } = this.#snapshot.config;
    const visibility = { permissions, disabled: skills.disabled, hasProject: true };
    return this.#snapshot.skills.filter((skill) => isVisibleTo("model", skill, visibility));
  }

  /** The skills that a model, or a person, may know of: the skills and the rules as they are now, not as in the snapshot. */
  async visibleTo(actor: Actor): Promise<SkillMetadata[]> {
    const { config, skills } = await this.#live.refresh();
    const visibility = await visibilityNow(this.#authorizer, config);
    return skills.filter((skill) => isVisibleTo(actor, skill, visibility));
  }

  /** Calls a tool. Every call gets an envelope, refusals too. */
  async call(name: string, params: unknown = {}, options: CallOptions = {}): Promise<Envelope> {
    return answer(params, this.#snapshot, async () => {
      const tool = findTool(this.#runtime.tools, name);
      return callTool(tool, params, await this.#context(options, await this.#live.refresh()));
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
    const { dispatchSkill } = await import("../dispatch/dispatch-skill.ts");
    const context = await this.#context(options, await this.#live.refresh());
    const { env, isTrusted } = this.#runtime;
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
      await this.#context(options, await this.#live.refresh()),
    );
  }

  /** Runs a slash command and answers its envelope. */
  async execute(line: string): Promise<Envelope> {
    return (await this.#command(line)).envelope;
  }

  /** A new snapshot of skills and configuration; its version is higher. Throws where the configuration is wrong now. */
  async reload(): Promise<Catalog> {
    await this.#live.reload();
    return this.adopt();
  }

  /** Goes on with the newest snapshot that the runtime has, as after `runtime.follow` told of one. */
  adopt(): Catalog {
    this.#snapshot = this.#live.catalog;
    this.#version++;
    return this.#snapshot;
  }

  inspect(options: { readonly includeSkills?: boolean | undefined } = {}): Inspection {
    const snapshot_version = this.#version;
    if (!options.includeSkills) return { snapshot_version };
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
      const paths = fewOf(
        candidates.map((path) => `  ${path}`),
        { separator: "\n", next: '"knack list --json" and skill_search show their paths' },
      );
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
      const whyNot = (skill: SkillMetadata): Promise<string | undefined> => this.#whyNot(skill);
      done = await work({ tools, trusted: this.#runtime.isTrusted(), whyNot, reload });
      return done.result;
    });
    return { envelope, done };
  }

  /** Asks nobody and records nothing: this is only told. */
  async #whyNot(skill: SkillMetadata): Promise<string | undefined> {
    try {
      await authorize("person", { tool: "Skill", skill }, this.#authorizer);
      if (skill.invocationMode === "tool_dispatch")
        await this.#runtime.tools.get(skill.commandTool ?? "")?.ready?.();
      return undefined;
    } catch (error) {
      if (error instanceof KnackError) return error.message;
      throw error;
    }
  }

  #context(options: CallOptions, catalog: Catalog): Promise<ToolContext> {
    const conversation = { snapshot: this.#snapshot, loaded: this.#loaded, authorizer: this.#authorizer };
    return makeContext(this.#runtime, conversation, options, catalog);
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
