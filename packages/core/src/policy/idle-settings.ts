import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Entry } from "../catalog/snapshot.ts";
import type { Config } from "../config/config.ts";
import { MAX_CONFIG_BYTES } from "../config/load.ts";
import { KNACK_TOOLS, looksLikePath, pathIn, switchIn } from "../config/rules.ts";
import { fold, isSameName } from "../shared/fold.ts";
import { nearest } from "../shared/nearest.ts";
import { quote, shorten } from "../shared/quote.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import { entryMatcher, type Named } from "../skill/name.ts";
import { type YamlPath, yamlPath } from "../skill/yaml/yaml-reader.ts";

/** A line of a configuration file that is valid and has no effect. */
export interface IdleSetting {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface SettingTargets {
  readonly home: string;
  readonly config: Config;
  readonly configFiles: readonly string[];
  readonly entries: readonly Entry[];
  /** Every `SKILL.md`, of skipped skills too. */
  readonly files: readonly string[];
  readonly typedSkills: readonly string[];
}

const MAX_GUESSES = 20;

/** Rules, switches and paths that match nothing here: most likely slips. Those with a near name come first. */
export async function idleSettings(targets: SettingTargets): Promise<IdleSetting[]> {
  const { config, entries, files, typedSkills, configFiles, home } = targets;
  const typed = typedSkills.map((name): Named => ({ name }));
  const found = files.map((path): Named => ({ name: basename(dirname(path)), path, dir: dirname(path) }));
  const skills: Named[] = [...entries.map(({ skill }) => skill), ...found];
  const names = skills.map(({ name }) => name);
  const all = [...skills, ...typed];
  // A typed skill can be denied; only a skill with a text can be disabled.
  const forRules = { deny: entryMatcher(all, false), allow: entryMatcher(all, true) };
  const forSwitches = entryMatcher(skills, false);
  const tools = [...KNACK_TOOLS, ...typedSkills, ...config.tools.available];
  const idle: (IdleSetting & { readonly isSlip: boolean })[] = [];

  for (const file of configFiles) {
    const content = readRegularFile(file, MAX_CONFIG_BYTES, true);
    if ("fault" in content) continue;
    const text = content.bytes.toString("utf8");
    // Slow to load; needed only where there is a file.
    const [{ checkConfig }, { parseYamlFile }] = await Promise.all([
      import("../config/check.ts"),
      import("../skill/yaml/yaml-profile.ts"),
    ]);
    const stated = checkConfig(text, file);
    const document = parseYamlFile(text);
    // Loading it reported what is wrong.
    if (Array.isArray(stated) || "fault" in document) continue;
    const tell = (path: YamlPath, fault: string, name = "", known: readonly string[] = []): void => {
      // Comparing takes time, and nobody reads hundreds of guesses.
      const meant = idle.length < MAX_GUESSES ? nearest(name, known, 2) : undefined;
      const hint = meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
      const message = `${yamlPath(path)} has no effect: ${fault}.${hint}`;
      idle.push({ file, line: document.lineOf(path), message, isSlip: meant !== undefined });
    };
    const unknown = (path: YamlPath, what: string, name: string, known: readonly string[]): void =>
      tell(path, `no ${what} here is called ${quote(name)}`, name, known);
    const checkSkill = (path: YamlPath, entry: string, isMeant: (entry: string) => boolean): void => {
      const meant = switchIn(entry, file, home);
      if (isMeant(meant)) return;
      if (looksLikePath(entry)) tell(path, `there is no skill at ${shorten(meant)}`);
      else unknown(path, "skill", entry, isMeant === forSwitches ? names : [...names, ...typedSkills]);
    };

    for (const list of ["allow", "deny"] as const)
      for (const [at, { tool, skill_name: skill }] of (stated.permissions?.[list] ?? []).entries()) {
        const path = ["permissions", list, at];
        const isKnown = tools.some((one) => one === tool || (list === "deny" && fold(one) === fold(tool)));
        if (!isKnown) unknown([...path, "tool"], "tool", tool, tools);
        if (skill !== undefined) checkSkill([...path, "skill_name"], skill, forRules[list]);
      }
    for (const [at, { needs }] of (stated.gates ?? []).entries())
      if (!names.some((name) => isSameName(name, needs)))
        unknown(["gates", at, "needs"], "skill", needs, names);
    for (const [at, entry] of (stated.skills?.disabled ?? []).entries())
      checkSkill(["skills", "disabled", at], entry, forSwitches);
    for (const [at, { path }] of (stated.skills?.roots ?? []).entries()) {
      const whole = path && pathIn(path, file, home);
      if (whole && !existsSync(whole)) tell(["skills", "roots", at], `${shorten(whole)} does not exist`);
    }
    for (const [at, name] of (stated.isolation?.allowNone ?? []).entries())
      if (!typedSkills.includes(name))
        unknown(["isolation", "allowNone", at], "typed skill", name, typedSkills);
  }
  idle.sort((a, b) => Number(b.isSlip) - Number(a.isSlip));
  return idle.map(({ file, line, message }) => ({ file, line, message }));
}
