import type { SkillWanted } from "../access/find-skill.ts";
import { readSkillFile, type SkillFile } from "../access/give-skill.ts";
import { isVisibleTo } from "../access/permit.ts";
import type {
  Authority,
  Confirm,
  Confirmation,
  Envelope,
  Observe,
  Paths,
  Picture,
  Question,
  ToolContext,
  ToolDescription,
} from "../access/tool.ts";
import {
  type CommandContext,
  type CommandResult,
  parseCommand,
  runCommand,
  runSkill,
} from "../commands/run-command.ts";
import {
  type CatalogBlock,
  charBudget,
  renderCatalogBlock,
  type Uses,
} from "../context/blocks/catalog-block.ts";
import { callsTool } from "../context/load-skill.ts";
import {
  type LoadedSkill,
  LoadedSkills,
  type SessionState,
  type SharedLoads,
} from "../context/loaded-skills.ts";
import { type DispatchRequest, dispatchSkill } from "../dispatch/dispatch-request.ts";
import type { Dispatched, DispatchOptions } from "../dispatch/dispatcher.ts";
import type { Refusal } from "../dispatch/guards.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import type { SearchResults } from "../search/search.ts";
import { KnackError } from "../shared/errors.ts";
import { fewOf } from "../shared/quote.ts";
import type { SkillLoadError, SkillMetadata } from "../skill/schema.ts";
import { answer, callTool, findTool } from "../tools/call-tool.ts";
import { describeTool } from "../tools/parameters.ts";
import type { ProjectNow } from "./project-now.ts";

export interface SessionParts {
  readonly env: NodeJS.ProcessEnv;
  /** Where the frames of running agents are kept. */
  readonly frames: string;
  readonly project: ProjectNow;
  readonly authority: Omit<Authority, "confirm">;
  readonly confirm: Confirm | undefined;
  readonly observe: Observe;
  readonly track: ToolContext["track"];
  readonly paths: Paths;
  readonly uses: Uses;
}

export interface CallOptions {
  /** Who wants it. What a person does is their own consent; `model` by default. */
  readonly actor?: Actor;
  readonly signal?: AbortSignal;
  /** Asks in place of the session's own way, for this call. */
  readonly confirm?: Confirm;
  /** Whom the records name. */
  readonly by?: string;
  /** How many bytes of text the answer may have; what is longer comes in parts. No limit by default. */
  readonly maxTextBytes?: number;
  /** Only a text is wanted: a skill that calls a tool is refused. */
  readonly readsOnly?: boolean;
  /** Whether the model has a tool, where its host does not offer all of them. */
  readonly offers?: (tool: string) => boolean;
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
  readonly skill?: SkillMetadata | undefined;
}

type Answered = Reaction & { readonly envelope: Envelope };

/** The state of the catalog and of what was loaded. */
export interface Inspection {
  readonly snapshot_version: number;
  readonly skills?: {
    readonly catalog: {
      readonly skills: readonly SkillMetadata[];
      readonly errors: readonly SkillLoadError[];
      /** The list for a model leaves something out. */
      readonly truncated: boolean;
    };
    readonly loaded: readonly Pick<LoadedSkill, "name" | "path" | "sha256" | "ref">[];
  };
}

/** A snapshot never changes, and thousands of skills are not asked about for each list. */
const offeredIn = new WeakMap<Catalog, readonly SkillMetadata[]>();

/** One conversation: its snapshot of the skills, what it has loaded, what it may do. */
export class Session {
  readonly #parts: SessionParts;
  readonly #project: ProjectNow;
  readonly #loaded = new LoadedSkills();
  #snapshot: Catalog;
  #version: number;

  /** @internal Use `runtime.session()`. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#project = parts.project;
    this.#snapshot = this.#project.catalog;
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
    return this.#snapshot.config.skills.enabled ? this.#list.text : "";
  }

  get #list(): CatalogBlock {
    const { uses } = this.#parts;
    return renderCatalogBlock(this.offered, { ...this.#snapshot.config.skills.initial, uses });
  }

  /** What a model can call, for its host to announce. */
  get tools(): ToolDescription[] {
    const { maxBytes, maxEntries } = this.#snapshot.config.skills.initial;
    const { env, uses } = this.#parts;
    const limits = { maxChars: Math.min(charBudget(env), maxBytes), maxEntries, uses };
    const callable = [...this.#project.registry.values()].filter(({ leftOut }) => leftOut === undefined);
    return callable.map((tool) => describeTool(tool, this.offered, limits));
  }

  /** Why a tool of this name cannot be called, where there should be one. */
  whyLeftOut(name: string): string | undefined {
    return this.#project.registry.get(name)?.leftOut;
  }

  /** How often each skill was loaded before this process, by its name. */
  get uses(): Uses {
    return this.#parts.uses;
  }

  /** The skills that are visible to a model. */
  get offered(): SkillMetadata[] {
    const { skills, config } = this.#snapshot;
    const known =
      offeredIn.get(this.#snapshot) ?? skills.filter((skill) => isVisibleTo("model", skill, { config }));
    offeredIn.set(this.#snapshot, known);
    return [...known];
  }

  /** The skills that a model, or a person, may know of: the skills and the rules as they are now, not as in the snapshot. */
  async visibleTo(actor: Actor): Promise<SkillMetadata[]> {
    const picture = await this.#project.take();
    return picture.catalog.skills.filter((skill) => isVisibleTo(actor, skill, picture));
  }

  /** @internal The skills for a text that a model may have. Nothing is recorded. */
  async search(query: string, limit: number): Promise<SearchResults> {
    const picture = await this.#project.take();
    const accepts = (skill: SkillMetadata): boolean => isVisibleTo("model", skill, picture);
    return picture.catalog.searchAsync(query, { limit, accepts });
  }

  /** @internal What it has been given, by this process or another one that serves it; the last is the newest. */
  get loaded(): readonly LoadedSkill[] {
    this.#loaded.refresh();
    return this.#loaded.list;
  }

  /** @internal This conversation is one that other processes serve too. */
  share(shared: SharedLoads): void {
    this.#loaded.share(shared);
  }

  /** Calls a tool. Every call gets an envelope, refusals too. */
  async call(name: string, params: unknown = {}, options: CallOptions = {}): Promise<Envelope> {
    return answer(params, this.#snapshot, async () => {
      const picture = await this.#project.take();
      return callTool(findTool(picture.registry, name), params, this.#context(options, picture));
    });
  }

  /** What a person would be asked before this call; nothing is done. */
  async questions(name: string, params: unknown = {}): Promise<Question[]> {
    const picture = await this.#project.take();
    const asked: Question[] = [];
    const confirm: Confirm = async (question) => {
      asked.push(question);
      return "yes";
    };
    const loaded = new LoadedSkills();
    loaded.restore(this.save());
    const context = this.#context({ confirm }, picture);
    const trial = { ...context, loaded, isTrial: true, observe: async () => undefined };
    await answer(params, this.#snapshot, () => callTool(findTool(picture.registry, name), params, trial));
    return asked;
  }

  /** Hands work to a skill in a role, and on to those that it requires now. Answers the refusal where a check fails. */
  async dispatch(
    request: DispatchRequest,
    options: DispatchOptions & CallOptions = {},
  ): Promise<Dispatched | Refusal> {
    const context = this.#context(options, await this.#project.take());
    return dispatchSkill(request, options, context, this.#parts);
  }

  /** What the user typed: a slash command is done, a skill that is named outright is loaded, the rest is for the model. */
  async input(text: string): Promise<Reaction> {
    if (parseCommand(text)) return this.#command(text);
    // A sentence that names a skill does not call its tool; a command does.
    const mentions = (await this.#snapshot.mentions(text)).filter(
      (mention) => !("skill" in mention && callsTool(mention.skill)),
    );
    // One skill a request (document 002 §5.1).
    const [first] = mentions;
    if (!first) return { to: "model", text };
    const reaction = await this.#run({ input: text }, async (context) => {
      if ("skill" in first) {
        const tools = { ...context.tools, always: false };
        return runSkill({ path: first.skill.path }, "", { ...context, tools }, true);
      }
      const { candidates } = first;
      const paths = fewOf(
        candidates.map((path) => `  ${path}`),
        { separator: "\n", next: '"knack list --json" and skill_search show their paths' },
      );
      const message = `${first.text} could mean ${candidates.length} skills; name one by its path:\n${paths}`;
      throw new KnackError("INVALID_PARAM", message, { data: { candidates } });
    });
    return reaction.to === "model" ? { ...reaction, text: `${reaction.text}\n\n${text}` } : reaction;
  }

  /** Uses a skill as a person does, with arguments: its text, or the answer of its tool. */
  async use(
    wanted: { readonly name: string } | { readonly path: string },
    args: string,
    options: Omit<CallOptions, "actor"> = {},
  ): Promise<Envelope> {
    const work = (context: CommandContext) => runSkill(wanted, args, context);
    return (await this.#run({ ...wanted, args }, work, options)).envelope;
  }

  /** A file of a skill as it is, for a host that passes it on. Throws `KnackError`. */
  async readFile(
    wanted: SkillWanted,
    file: string,
    { maxBytes, ...options }: CallOptions & { readonly maxBytes: number },
  ): Promise<SkillFile> {
    const context = this.#context(options, await this.#project.take());
    return readSkillFile("skill_load", wanted, file, maxBytes, context);
  }

  /** Does a slash command. */
  async execute(line: string): Promise<Envelope> {
    return (await this.#command(line)).envelope;
  }

  /** A new snapshot of skills and configuration; its version is higher. Throws where the configuration is wrong now. */
  async reload(): Promise<Catalog> {
    await this.#project.reload();
    return this.adopt();
  }

  /** Continues with the runtime's newest snapshot. */
  adopt(): Catalog {
    this.#snapshot = this.#project.catalog;
    this.#version++;
    return this.#snapshot;
  }

  inspect(options: { readonly includeSkills?: boolean | undefined } = {}): Inspection {
    const snapshot_version = this.#version;
    if (!options.includeSkills) return { snapshot_version };
    const { skills, errors } = this.#snapshot;
    const loaded = this.loaded.map(({ name, path, sha256, ref }) => ({ name, path, sha256, ref }));
    return {
      snapshot_version,
      skills: { catalog: { skills, errors, truncated: this.#list.truncated }, loaded },
    };
  }

  /** What must survive a restart: plain data. */
  save(): SessionState {
    return this.#loaded.save();
  }

  /** Throws `KnackError` if the state is not valid. */
  restore(state: unknown): void {
    this.#loaded.restore(state);
  }

  #command(line: string): Promise<Answered> {
    return this.#run({ input: line }, async (context) => {
      const command = parseCommand(line);
      if (!command) throw new KnackError("INVALID_PARAM", "A command begins with a slash, such as /skills.");
      return runCommand(command.name, command.args, context);
    });
  }

  /** What a person asked for, and whom the text is for. */
  async #run(
    asked: unknown,
    work: (context: CommandContext) => Promise<CommandResult>,
    options: Omit<CallOptions, "actor"> = {},
  ): Promise<Answered> {
    let done = undefined as CommandResult | undefined;
    const envelope = await answer(asked, this.#snapshot, async () => {
      const picture = await this.#project.take();
      const tools = this.#context({ ...options, actor: "person" }, picture, this.#snapshot);
      const reload = async (): Promise<{ catalog: Catalog; version: number }> => ({
        catalog: await this.reload(),
        version: this.#version,
      });
      done = await work({ tools, reload });
      return done.result;
    });
    return { to: done?.forModel ? "model" : "person", text: envelope.text, envelope, skill: done?.skill };
  }

  #context(options: CallOptions, picture: Picture, catalog: Catalog = picture.catalog): ToolContext {
    const { actor = "model", signal, by, onProgress } = options;
    const { observe, track, authority, paths } = this.#parts;
    this.#loaded.refresh();
    const ask = options.confirm ?? this.#parts.confirm;
    const call = {
      now: picture,
      renew: async () => {
        call.now = await this.#project.renew(call.now);
        return call.now;
      },
    };
    return {
      picture: call,
      catalog,
      snapshot: this.#snapshot,
      actor,
      authority: { ...authority, confirm: ask && (async (question) => confirmation(await ask(question))) },
      loaded: this.#loaded,
      always: actor === "person",
      maxTextBytes: options.maxTextBytes ?? Number.POSITIVE_INFINITY,
      signal,
      by,
      readsOnly: options.readsOnly ?? false,
      isNested: false,
      isTrial: false,
      paths,
      offers: options.offers ?? (() => true),
      progress: onProgress ?? (() => {}),
      track,
      observe: (type, data, words) => observe({ type, actor, data, ...(words ? { words } : {}) }),
    };
  }
}

function confirmation(answer: Confirmation | boolean): Confirmation {
  return typeof answer === "boolean" ? (answer ? "yes" : "no") : answer;
}
