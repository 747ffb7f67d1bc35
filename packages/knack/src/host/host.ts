import { setTimeout as delay } from "node:timers/promises";
import type { Catalog, Runtime, RuntimeOptions, SessionEvent, Tool } from "@knack/core";
import { stampOf } from "@knack/core/files";
import type { ProjectNow, TypedSkillSource } from "@knack/core/session";
import { type Engine, engineTools } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { forRunners, isNamed } from "./access.ts";
import { openProject, type Project } from "./open-project.ts";

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

  /** Where every interface takes the skills from. */
  get live(): ProjectNow {
    return this.runtime.live;
  }

  /** Calls `changed` with each next catalog, until the answer is called or the host is closed. */
  follow(changed: (catalog: Catalog) => void): () => void {
    return this.live.follow(changed);
  }

  /** See `Project.record`. */
  record(event: SessionEvent, by: string, call?: object): Promise<boolean> {
    return this.project.record(event, by, call);
  }

  /** Ends the runs in progress; other work was cancelled and gets a moment to stop. */
  async close(): Promise<void> {
    this.live.close();
    await this.engine.close();
    await Promise.race([this.runtime.idle(), delay(GRACE_MS, undefined, { ref: false })]);
    await this.project.close();
  }
}

/** Opens a host for the current project, or for one that is already open; `by` is the actor in its records. */
export async function openHost(
  options: GlobalOptions | Project,
  by: string,
  more: Partial<RuntimeOptions> = {},
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
      tools: engineTools(engine, isNamed).map(forRunners),
    });
    runtime.live.attach(new LiveRegistry(engine, stamp));
    return new Host(project, runtime, engine);
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** The typed skills of a project, kept as its registry files declare them now. */
class LiveRegistry implements TypedSkillSource {
  readonly #engine: Engine;
  #stamp: string;

  /** `stamp`: of the files, from before the engine read them. */
  constructor(engine: Engine, stamp: string) {
    this.#engine = engine;
    this.#stamp = stamp;
  }

  async refresh(files: readonly string[], trusted: boolean, force: boolean): Promise<Tool[] | undefined> {
    const stamp = registryStamp(files, trusted);
    if (!force && stamp !== "" && stamp === this.#stamp) return undefined;
    const before = this.#content();
    await this.#engine.reload(files);
    this.#stamp = stamp;
    if (before === this.#content()) return undefined;
    return engineTools(this.#engine, isNamed).map(forRunners);
  }

  #content(): string {
    const { skills, errors, leftOut, isTrusted } = this.#engine;
    return JSON.stringify([skills, errors, leftOut, isTrusted]);
  }
}

/** What tells one state of the registry files from another; of an untrusted project other entries count. */
function registryStamp(files: readonly string[], isTrusted: boolean): string {
  const stamp = stampOf(files);
  return stamp && `${stamp} ${isTrusted}`;
}
