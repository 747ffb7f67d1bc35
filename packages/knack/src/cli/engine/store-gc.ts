import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { collectGarbage } from "@knack/engine";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface StoreGcOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly olderThan?: string;
}

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** `knack store gc`: removes stored artifacts that nothing names. */
export async function storeGc(options: StoreGcOptions): Promise<void> {
  const olderThanMs = readAge(options.olderThan ?? "7d");
  const { dryRun = false } = options;
  await withEngine(options, async (engine) => {
    const contents = engine.hasStore ? await engine.contents() : null;
    if (!contents) {
      if (options.json) printJson({ removed: 0, removed_bytes: 0, kept: 0, dry_run: dryRun, place: null });
      else
        print("Artifacts are only in workspace/artifacts (artifacts.url is not set). Nothing was removed.");
      return;
    }
    const done = await collectGarbage(contents, await engine.store(), {
      olderThanMs,
      dryRun,
      onRemove: ({ sha256, size, createdAt }) => {
        if (!options.json) print(`${sha256}  ${size} bytes  ${createdAt}`);
      },
    });
    const place = contents.shown;
    if (options.json) printJson({ ...done, dry_run: dryRun, place });
    else
      print(
        `${dryRun ? "Would remove" : "Removed"} ${pluralize(done.removed, "artifact")} (${done.removed_bytes} bytes) from ${escapeControl(place)}; ${done.kept} stay.`,
      );
  });
}

/** Less than an hour could remove what a run is about to record. */
function readAge(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms >= HOUR_MS) return ms;
  throw new SkillError(
    "INVALID_PARAM",
    `--older-than must be a number of hours, days or weeks, at least 1h, like 12h, 7d or 4w, not ${quote(text)}.`,
  );
}
