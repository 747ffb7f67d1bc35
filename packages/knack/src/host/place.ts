import { hash } from "node:crypto";
import { type ConfigPlace, configFiles, findProject, homeFolder, trustOf } from "@knack/core/config";
import { readRegularFile } from "@knack/core/files";

/** A project, the user's own folders, and whether the user trusts the project now. */
export function placeOf(projectRoot: string): ConfigPlace {
  const env = process.env;
  const home = homeFolder(env);
  return { projectRoot, home, env, ...trustOf(projectRoot, { env, home }) };
}

/** The same for the project that a folder belongs to; the process's own by default. */
export function placeAt({ cwd = process.cwd() }: { readonly cwd?: string }): ConfigPlace & {
  readonly cwd: string;
} {
  const env = process.env;
  return { cwd, ...placeOf(findProject({ cwd, home: homeFolder(env), env })) };
}

/** Configuration and trust as they are now, for what is kept of them between two processes. */
export function bindingOf({ trusted, accepted, ...place }: ConfigPlace): string {
  const { user, project } = configFiles(place);
  const texts = [user, project].map((file) => {
    const content = readRegularFile(file, MAX_BYTES, true);
    return "fault" in content ? content.fault : content.bytes.toString("latin1");
  });
  return hash("sha256", JSON.stringify([trusted, accepted, texts]));
}

/** More than any configuration that is read. */
const MAX_BYTES = 1024 * 1024;

/** The variables that change what Knack does. */
export function ownVariables(env: NodeJS.ProcessEnv): (readonly [string, string | undefined])[] {
  return Object.entries(env)
    .filter(([name]) => /^(?:KNACK|SKILLS)_/.test(name))
    .sort();
}
