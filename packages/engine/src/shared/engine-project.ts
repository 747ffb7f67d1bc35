import { homeFolder, type TrustPlace, trustOf } from "@knack/core/config";
import { canonical } from "@knack/core/files";

export interface EngineProjectOptions {
  readonly projectRoot: string;
  /** What relative paths of inputs are relative to; the project root by default. */
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /** Whether code of the project may run; by default `true`. `"ask"`: what the user trusted with `knack trust`. */
  readonly trusted?: boolean | "ask";
}

export class EngineProject {
  readonly projectRoot: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly place: TrustPlace;
  readonly trusted: boolean | "ask";

  constructor({ projectRoot, cwd, env = process.env, home, trusted = true }: EngineProjectOptions) {
    // Real paths: whether a file is inside the project is decided by comparing paths.
    this.projectRoot = canonical(projectRoot);
    this.cwd = canonical(cwd ?? projectRoot);
    this.env = env;
    this.place = { env, home: home ?? homeFolder(env) };
    this.trusted = trusted;
  }

  /** Asked each time: trust may be given or revoked while the engine is open. */
  get isTrusted(): boolean {
    return this.trust.trusted;
  }

  get trust(): ReturnType<typeof trustOf> {
    if (this.trusted === "ask") return trustOf(this.projectRoot, this.place);
    return { trusted: this.trusted, accepted: undefined };
  }
}
