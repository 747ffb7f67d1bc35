import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Confirm, Paths, SessionEvent } from "../access/tool.ts";
import type { GivenRoot } from "../catalog/scan/roots.ts";
import { type ConfigLook, type CurrentConfig, LiveConfig } from "../catalog/settings.ts";
import { type Config, type ConfigFile, DEFAULT_CONFIG, merge } from "../config/config.ts";
import { findProject, homeFolder } from "../config/places.ts";
import { type PermissionRule, ruleFaults } from "../config/rules.ts";
import { createRuntime } from "../live/create-runtime.ts";
import type { RuntimeOptions } from "../live/runtime.ts";
import { isTrusted, trustOf } from "../policy/trust.ts";
import type { Validation } from "../shared/diagnostics.ts";
import { KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillLoadError } from "../skill/schema.ts";
import { Skills } from "./skills.ts";

/** A skill that is in no file: what its `SKILL.md` would say, and the files beside it by their paths. */
export interface SkillInCode {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

type Source = string | URL | SkillInCode;

export interface OpenSkillsOptions {
  /** Folders by path or file URL (a missing one throws), and skills in code. `"machine"`: what the command line sees here. */
  readonly from: Source | readonly Source[];
  /** Where relative paths begin; the working directory by default. */
  readonly cwd?: string;
  /** Who may have which skill; a name means the rule `{ tool: "skill_load", skill_name: name }`. All may be loaded by default. */
  readonly permissions?: {
    readonly allow?: readonly (PermissionRule | string)[];
    readonly deny?: readonly (PermissionRule | string)[];
    /** Where no rule matches: `confirm` asks for each skill. */
    readonly default?: "allow" | "confirm";
  };
  /** Names of skills that are switched off. */
  readonly disabled?: readonly string[];
  readonly limits?: {
    /** Characters of the list of skills in `instructions`; 12,000 by default. */
    readonly instructions?: number;
    /** Bytes of one answer of a tool; what is longer comes in parts. No limit by default. */
    readonly text?: number;
  };
  /** How files of skills are named to the model; from the skill's folder by default, for `"machine"` as they are. */
  readonly paths?: Paths;
  /** Begins the name of each tool, where a host has tools of the same names. */
  readonly prefix?: string;
  /** The host's own tools: names for `requires_tools`, tools that can be called for `command_tool`. */
  readonly tools?: RuntimeOptions["tools"];
  /** `lenient` by default: what the open standard asks clients to load. */
  readonly validation?: Validation;
  /** A folder for the index of large collections; none by default. */
  readonly cache?: string;
  /** Asks a person while a tool waits. Hosts that ask before they execute a tool use `question` and `approved` instead. */
  readonly confirm?: Confirm;
  /** Keeps a rule that a person answered "always" to, for `permissions.allow` of the next time. */
  readonly remember?: (rule: PermissionRule) => void | Promise<void>;
  /** Called with each load, search and decision, before the answer is given. */
  readonly observe?: (event: SessionEvent) => void | Promise<void>;
  /** Called with each skill that is left out, and why. `skills.errors` has them too. */
  readonly onError?: (error: SkillLoadError) => void;
}

/** Skills for an agent that you build: open once, then a conversation each. Nothing is read but what `from` names. */
export async function openSkills(options: OpenSkillsOptions): Promise<Skills> {
  const { cwd = process.cwd(), confirm, observe, remember } = options;
  const isMachine = options.from === "machine";
  const sources = [options.from].flat();
  if (sources.some((source) => typeof source !== "string" && (typeof source !== "object" || !source)))
    throw new KnackError(
      "INVALID_PARAM",
      '"from" says what to open: paths of folders, skills in code, or "machine".',
    );
  const withoutFiles = sources.every(isInCode);
  const env = isMachine ? process.env : withoutSettings(process.env);
  const home = homeFolder(env);
  const paths = options.paths ?? (isMachine ? "absolute" : "relative");
  const rules = new GivenRules(options, isMachine ? { cwd, home, env } : undefined);
  const runtime = await createRuntime({
    cwd,
    env,
    home,
    config: rules,
    tools: options.tools ?? [],
    paths,
    validation: options.validation ?? (isMachine ? undefined : "lenient"),
    trusted: isMachine ? () => rules.isTrusted() : true,
    cache: options.cache ?? (isMachine ? undefined : false),
    roots: isMachine ? undefined : rootsOf(sources, cwd),
    // What is in code does not change, and needs no file system.
    refreshOnCall: isMachine ? undefined : !withoutFiles,
    withoutFiles,
    confirm: confirm && ((question) => ofHost(() => confirm(question))),
    observe: async (event) => ofHost(() => observe?.(event)),
    remember: async ({ name }, tool) => {
      const rule = { tool, skill_name: name };
      rules.allow(rule);
      await ofHost(() => remember?.(rule));
    },
  });
  if (options.onError) runtime.catalog.errors.forEach(options.onError);
  return new Skills(runtime, { ...options, paths, isMachine });
}

async function ofHost<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new KnackError("INTERNAL_ERROR", "A function of the host failed.", {
      cause: error,
      isOfHost: true,
    });
  }
}

/** These settings are for the command line, not for a product that has skills. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:KNACK|SKILLS|CODELIA)_/.test(name)));
}

function rootsOf(sources: readonly Source[], cwd: string): GivenRoot[] {
  const roots = sources.flatMap((given): GivenRoot[] => {
    if (isInCode(given)) return [];
    const path = given instanceof URL ? fileURLToPath(given) : resolve(cwd, given);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [{ path }];
    throw new KnackError(
      "NOT_FOUND",
      `There is no folder ${quote(path)} to open skills from. Make it, or name another in "from".`,
    );
  });
  const inCode = sources.filter(isInCode);
  return inCode.length === 0 ? roots : [...roots, { path: IN_CODE, files: filesOf(inCode) }];
}

function isInCode(source: Source): source is SkillInCode {
  return typeof source === "object" && !(source instanceof URL);
}

/** A place that no file system has. */
const IN_CODE = resolve("/", "skills in code");

function filesOf(skills: readonly SkillInCode[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const { name, description, body, files: beside = {} } of skills) {
    const dir = join(IN_CODE, name);
    if (files.has(join(dir, "SKILL.md")))
      throw new KnackError("INVALID_PARAM", `Two skills in code are called ${quote(name)}; rename one.`);
    const fields = JSON.stringify({ name, description });
    files.set(join(dir, "SKILL.md"), Buffer.from(`---\n${fields}\n---\n${body}`));
    for (const [path, content] of Object.entries(beside)) files.set(join(dir, path), Buffer.from(content));
  }
  return files;
}

/** The configuration that a program gives: alone, or added to the machine's. */
class GivenRules extends LiveConfig {
  override readonly isOfFiles: boolean;
  readonly #options: OpenSkillsOptions;
  readonly #machine: { readonly home: string; readonly env: NodeJS.ProcessEnv } | undefined;
  readonly #root: string;
  readonly #remembered: PermissionRule[] = [];
  #known: { readonly base: CurrentConfig; readonly loaded: CurrentConfig } | undefined;

  constructor(options: OpenSkillsOptions, machine?: { cwd: string; home: string; env: NodeJS.ProcessEnv }) {
    const projectRoot = machine ? findProject(machine) : "";
    const { home = "", env = {} } = machine ?? {};
    const trustNow = () => (machine ? trustOf(projectRoot, machine) : { trusted: true });
    super(() => ({ projectRoot, home, env, ...trustNow() }));
    this.#options = options;
    this.#machine = machine;
    this.isOfFiles = machine !== undefined;
    this.#root = projectRoot;
  }

  isTrusted(): boolean {
    return this.#machine === undefined || isTrusted(this.#root, this.#machine);
  }

  allow(rule: PermissionRule): void {
    this.#remembered.push(rule);
    this.#known = undefined;
  }

  override async look(): Promise<ConfigLook> {
    const look = this.#machine ? await super.look() : { trusted: true, loaded: ALONE };
    if (!look.loaded) return look;
    if (this.#known?.base !== look.loaded)
      this.#known = { base: look.loaded, loaded: this.#over(look.loaded) };
    return { trusted: look.trusted, loaded: this.#known.loaded };
  }

  #over(base: CurrentConfig): CurrentConfig {
    const { permissions = {}, disabled } = this.#options;
    // Searching asks nobody: loading what it finds still does.
    const search = permissions.default === "confirm" ? [{ tool: "skill_search" }] : [];
    const allow = [...(permissions.allow ?? []).map(ruleOf), ...search, ...this.#remembered];
    const deny = (permissions.deny ?? []).map(ruleOf);
    const fault = [...allow, ...deny].flatMap(ruleFaults)[0];
    if (fault) throw new KnackError("INVALID_PARAM", `permissions: ${fault.message}`);
    if (![undefined, "allow", "confirm"].includes(permissions.default))
      throw new KnackError(
        "INVALID_PARAM",
        'permissions.default is "allow" or "confirm"; a rule denies what nobody may have.',
      );
    const given: ConfigFile = {
      permissions: { allow, deny, ...(permissions.default && { default: permissions.default }) },
      ...(disabled && { skills: { disabled } }),
    };
    const over = (config: Config): Config => merge(config, given, false);
    return { ...base, config: over(base.config), userConfig: over(base.userConfig) };
  }
}

const ALONE: CurrentConfig = {
  config: { ...DEFAULT_CONFIG, registry: [] },
  userConfig: DEFAULT_CONFIG,
  notes: [],
  files: [],
  widening: {},
  trusted: true,
};

function ruleOf(rule: PermissionRule | string): PermissionRule {
  return typeof rule === "string" ? { tool: "skill_load", skill_name: rule } : rule;
}
