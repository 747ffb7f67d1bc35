import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { SkillError } from "@knack/core";
import { readLock } from "@knack/core/internal";
import { interruptible } from "../host/interruptible.ts";
import { parseSource } from "../sources/parse-source.ts";
import { takeSkills } from "../sources/skills/take-skills.ts";
import { publicName } from "../sources/source.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { addLinks } from "./add-links.ts";
import type { AddOptions } from "./add-options.ts";
import { applyAdd } from "./apply-add.ts";
import { readClients } from "./client-folders.ts";
import { downloadSource } from "./fetch.ts";
import { installPlace } from "./place.ts";
import { planAdd } from "./plan/add-plan.ts";
import { chooseSkills } from "./plan/choose-skills.ts";
import { notChanged } from "./show/ask.ts";
import { offerLines, skillJson, sourceLine } from "./show/show-skills.ts";
import { recoverInstall } from "./store/commit.ts";

/** `knack add`: gets skills from a source, shows what comes, asks, installs and locks them. */
export async function add(given: string, options: AddOptions): Promise<void> {
  const cwd = resolve(options.cwd ?? ".");
  const clients = readClients(options.for);
  const place = installPlace(options);
  const source = parseSource(given, { cwd, home: place.home });
  if (options.link && options.copy) throw new SkillError("INVALID_PARAM", "Choose one of --copy and --link.");
  if (options.link && source.kind !== "folder")
    throw new SkillError(
      "INVALID_PARAM",
      "--link needs a folder of this machine: a path that begins with ./, / or ~/.",
    );
  if (source.kind === "git" && source.isShort && existsSync(join(cwd, given)))
    note(`note: ${given} is read as a GitHub repository; for the folder here write ./${given}`);
  await recoverInstall(place);
  using download = await downloadSource(source, place, interruptible(), publicName(source));
  const { fetched, skills, scratch } = download;
  if (options.list) {
    const { source: name, ref, commit } = fetched;
    if (options.json) printJson({ source: name, ref, commit, skills: skills.map(skillJson) });
    else print([sourceLine(fetched), ...offerLines(skills, options, 1)].join("\n"));
    return;
  }
  const chosen = await chooseSkills(skills, options);
  if (chosen === "cancelled") {
    notChanged(true);
    return;
  }
  const folders = await takeSkills(fetched, chosen, join(scratch.path, "skills"));
  const lock = (await readLock(place.lock)) ?? new Map();
  const plan = await planAdd({ place, fetched, folders, lock, clients, options });
  if (options.link) await addLinks(plan, options);
  else await applyAdd(plan, options);
}
