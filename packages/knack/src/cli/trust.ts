import { SkillError, setTrusted } from "@knack/core";
import { findProject, homeFolder, loadConfig } from "@knack/core/internal";
import type { GlobalOptions } from "../options.ts";
import { isTerminal, note, print, printJson } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";

export interface TrustOptions extends GlobalOptions {
  readonly revoke?: boolean;
  readonly yes?: boolean;
}

export async function trust(options: TrustOptions): Promise<void> {
  const env = process.env;
  const place = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...place });
  const answer = options.revoke || options.yes ? "yes" : await ask(project);
  if (answer !== "yes") {
    note("Nothing was changed.");
    process.exitCode = answer === "cancelled" ? 130 : 1;
    return;
  }
  const changed = setTrusted(
    project,
    !options.revoke,
    place,
    options.revoke ? [] : await codeDigests(project, place),
  );
  if (options.json) {
    printJson({ project, trusted: !options.revoke, changed });
    return;
  }
  const state = options.revoke ? "not trusted" : "trusted";
  print(`${visible(project)} is ${changed ? "now" : "already"} ${state}.`);
}

/** Code is trusted as it is now: a changed byte asks again. */
async function codeDigests(
  projectRoot: string,
  place: { env: NodeJS.ProcessEnv; home: string },
): Promise<string[]> {
  const { config } = await loadConfig({ projectRoot, ...place, trusted: true });
  const { openEngine } = await import("@knack/engine");
  const engine = await openEngine({
    projectRoot,
    registry: config.registry,
    store: config.store.url,
    ...place,
  });
  return engine.codeDigests;
}

async function ask(project: string): Promise<"yes" | "no" | "cancelled"> {
  if (!isTerminal(0) || !isTerminal(2)) {
    throw new SkillError("INVALID_PARAM", "Nobody can be asked here; run it in a terminal, or add --yes.");
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  note(
    "Trusting a project lets its configuration and links reach out of it, offers its skills to models,\nand lets the code of its typed skills run as it is now.",
  );
  const answer = await confirm({
    message: `Trust ${visible(project)}?`,
    initialValue: false,
    output: process.stderr,
  });
  if (isCancel(answer)) return "cancelled";
  return answer ? "yes" : "no";
}
