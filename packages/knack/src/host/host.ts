import type { Runtime, RuntimeOptions, Tool } from "@knack/core";
import { stampOf } from "@knack/core/files";
import type { ProjectNow, TypedSkillSource } from "@knack/core/session";
import { type Engine, engineTools } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { within } from "../within.ts";
import { confirmer, forRunners, namedCaller } from "./access.ts";
import { openProject, type Project } from "./open-project.ts";
import { recentLoads } from "./recent-loads.ts";

const GRACE_MS = 10_000;

/** What every server is made of: a project, conversations about its skills, and the engine that runs the typed ones. */
export class Host {
  readonly project: Project;
  readonly runtime: Runtime;
  readonly engine: Engine;

  constructor(project: Project, runtime: Runtime, engine: Engine) {
    this.project = project;
    this.runtime = runtime;
    this.engine = engine;
  }

  get live(): ProjectNow {
    return this.runtime.live;
  }

  /** What has happened, with what this process has yet to write down. */
  async history(): ReturnType<Engine["history"]> {
    await this.project.recorded();
    return this.engine.history();
  }

  async close(): Promise<void> {
    this.live.close();
    await this.engine.endRuns();
    await within(GRACE_MS, this.runtime.idle(), undefined);
    await this.project.close();
  }
}

/** Opens a host for the current project, or for one that is already open; `by` is the actor in its records. */
export async function openHost(
  options: GlobalOptions | Project,
  by: string,
  more: Partial<RuntimeOptions> & { readonly isServer?: boolean } = {},
): Promise<Host> {
  const project = "place" in options ? options : openProject(options);
  try {
    // Before the files are read: a change during that differs from it.
    const stamp = registryStamp((await project.config()).config.registry, project.isTrusted);
    const engine = await project.engine(by);
    const runtime = await project.runtime({
      ...more,
      searchInBackground: true,
      by,
      uses: await recentLoads(engine),
      tools: typedTools(engine),
    });
    runtime.live.attach(liveRegistry(engine, stamp));
    return new Host(project, runtime, engine);
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** The typed skills of a project, kept as its registry files declare them now; `stamp` is of these files from before the engine read them. */
function liveRegistry(engine: Engine, stamp: string): TypedSkillSource {
  let last = stamp;
  const content = (): string => {
    const { skills, errors, leftOut, isTrusted } = engine;
    return JSON.stringify([skills, errors, leftOut, isTrusted]);
  };
  return {
    refresh: async (files, trusted, force) => {
      const now = registryStamp(files, trusted);
      if (!force && now !== "" && now === last) return undefined;
      const before = content();
      await engine.reload(files);
      last = now;
      return before === content() ? undefined : typedTools(engine);
    },
  };
}

function typedTools(engine: Engine): Tool[] {
  return engineTools(engine, { isConfined: () => namedCaller() !== undefined, confirmer }).map(forRunners);
}

/** What tells one state of the registry files from another; of an untrusted project other entries count. */
function registryStamp(files: readonly string[], isTrusted: boolean): string {
  const stamp = stampOf(files);
  return stamp && `${stamp} ${isTrusted}`;
}
