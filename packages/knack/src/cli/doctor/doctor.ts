import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Catalog, isTrusted, SkillError } from "@knack/core";
import { cacheFolder, findProject, homeFolder } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { version } from "../../version.ts";
import { agentChecks } from "./agents.ts";
import type { Check } from "./check.ts";
import { embeddingsCheck } from "./embeddings.ts";
import { folderChecks } from "./folders.ts";
import { graphCheck } from "./graph.ts";
import { lockChecks } from "./locks.ts";
import { type DoctorOverlaps, findOverlaps, overlapCheck, overlapLines } from "./overlaps.ts";
import { routingCheck } from "./routing.ts";
import { watchCheck } from "./watching.ts";

interface Findings {
  readonly checks: readonly Check[];
  /** Not there where the catalog could not be opened. */
  readonly overlaps?: DoctorOverlaps;
}

export async function doctor(options: GlobalOptions): Promise<void> {
  const { checks, overlaps } = await examine(options);
  const ok = checks.every((check) => check.ok);
  process.exitCode = ok ? 0 : 1;
  if (options.json) {
    printJson({ ok, checks, overlaps });
    return;
  }
  const paint = painter(options);
  const lines = checks.flatMap(({ name, ok: good, message, hint }) => [
    `${good ? paint("green", "ok   ") : paint("red", "wrong")} ${paint("bold", escapeControl(name))}: ${escapeControl(message)}`,
    ...(hint ? [`      ${paint("dim", escapeControl(hint))}`] : []),
  ]);
  print(lines.join("\n"));
  if (overlaps) print(overlapLines(overlaps, paint).join("\n"));
}

async function examine(options: GlobalOptions): Promise<Findings> {
  const env = process.env;
  const place = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...place });
  const checks: Check[] = [
    { name: "runtime", ok: true, message: `knack ${version} on Node ${process.version}` },
    projectCheck(project, place),
  ];
  let catalog: Catalog;
  try {
    catalog = await openProject(options).catalog();
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const hint = "Fix the lines named above.";
    return { checks: [...checks, { name: "configuration", ok: false, message: error.message, hint }] };
  }
  const message = [catalog.configFiles.join(", ") || "none, defaults apply", ...catalog.notes].join("; ");
  const overlaps = await findOverlaps(catalog);
  const trusted = isTrusted(project, place);
  return {
    checks: [
      ...checks,
      { name: "configuration", ok: true, message },
      ...folderChecks(catalog, { ...place, projectRoot: catalog.projectRoot, cwd: catalog.cwd, trusted }),
      skillCheck(catalog),
      ...(await lockChecks(catalog, place)),
      nameCheck(catalog),
      overlapCheck(overlaps),
      await routingCheck(catalog, trusted),
      await graphCheck(catalog),
      ...agentChecks(catalog, trusted),
      indexCheck(cacheFolder(env, place.home)),
      ...(await embeddingsCheck(catalog)),
      await watchCheck(catalog, env),
      ...(await (await import("./engine.ts")).engineChecks(catalog)),
    ],
    overlaps,
  };
}

function projectCheck(project: string, place: Parameters<typeof isTrusted>[1]): Check {
  const name = "project";
  try {
    if (isTrusted(project, place)) return { name, ok: true, message: `${project}, trusted` };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { name, ok: false, message: error.message };
  }
  const hint = 'Its configuration and links cannot reach outside it; "knack trust" allows that.';
  return { name, ok: true, message: `${project}, not trusted`, hint };
}

function skillCheck(catalog: Catalog): Check {
  const errors = catalog.errors.filter(({ code }) => code !== "E_INELIGIBLE" && code !== "E_ROOT_MISSING");
  const leftOut = new Set(errors.map(({ path }) => path)).size;
  const inactive = catalog.entries.length - catalog.skills.length;
  const remarks = catalog.warnings.length;
  const message = `${catalog.skills.length} usable, ${inactive} inactive, ${leftOut} skipped, ${remarks} warnings`;
  return leftOut > 0
    ? { name: "skills", ok: false, message, hint: 'Run "knack validate" to see what is wrong with each.' }
    : { name: "skills", ok: true, message };
}

/** Names that cannot be used alone. That is allowed, so it is shown but not an error. */
function nameCheck(catalog: Catalog): Check {
  const counts = new Map<string, number>();
  for (const { name } of catalog.skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).map(([name, count]) => `${name} (${count})`);
  if (shared.length === 0) return { name: "names", ok: true, message: "every name is unique" };
  const more = shared.length > 5 ? ` and ${shared.length - 5} more` : "";
  const message = `${shared.length} names are shared: ${shared.slice(0, 5).join(", ")}${more}`;
  const hint =
    catalog.config.skills.duplicates === "nearest"
      ? "The one closest to the working directory is used (skills.duplicates: nearest)."
      : "Use their paths, or set skills.duplicates: nearest.";
  return { name: "names", ok: true, message, hint };
}

function indexCheck(folder: string): Check {
  const indexes = join(folder, "catalog");
  let existing = indexes;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) {
    return {
      name: "index",
      ok: false,
      message: `${existing} is not a folder`,
      hint: "Remove it, so that Knack can create the index there.",
    };
  }
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    // Not being allowed to write is the finding itself.
    return {
      name: "index",
      ok: false,
      message: `${indexes} cannot be written`,
      hint: "Until it can, every start reads all skills again.",
    };
  }
  const files = existsSync(indexes) ? readdirSync(indexes) : [];
  const bytes = files.reduce(
    (sum, file) => sum + (statSync(join(indexes, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return {
    name: "index",
    ok: true,
    message: `${indexes}, ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`,
  };
}
