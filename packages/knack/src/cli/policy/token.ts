import { addAccessToken, listAccessTokens, revokeAccessToken } from "@knack/engine";
import { tokenReport } from "../../host/access/token-report.ts";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

/** `knack token add`: standard output has the token alone, so that it can go straight into a file. */
export async function addToken(
  name: string,
  options: GlobalOptions & { readonly role: string },
): Promise<void> {
  await withEngine(options, async (engine) => {
    const { text, token } = await addAccessToken(await engine.store(), { name, role: options.role });
    if (options.json) {
      printJson({ ...tokenReport(token), token: text });
      return;
    }
    print(text);
    note(
      `note: This is the token of ${name} (${token.role}). It is not shown again; Knack keeps only its SHA-256.`,
    );
  });
}

export async function listTokens(options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const tokens = (await listAccessTokens(await engine.history())).map(tokenReport);
    if (options.json) {
      printJson({ tokens, count: tokens.length });
      return;
    }
    const columns = [
      { title: "NAME" },
      { title: "ROLE" },
      { title: "STATE", drop: 3 },
      { title: "CREATED", drop: 2 },
      { title: "BY", flexible: true, least: 8, drop: 1 },
    ];
    const rows = tokens.map(({ name, role, created_at, created_by, revoked_at }) => [
      escapeControl(name),
      role,
      revoked_at === null ? "valid" : `revoked ${day(revoked_at)}`,
      day(created_at),
      escapeControl(created_by),
    ]);
    const [head = "", ...lines] = table(columns, rows, terminalWidth());
    if (rows.length > 0) print([painter(options)("bold", head), ...lines].join("\n"));
    note(painter(options, 2)("dim", pluralize(rows.length, "token")));
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const token = await revokeAccessToken(await engine.store(), name);
    if (options.json) printJson(tokenReport(token));
    else
      print(
        `Revoked the token of ${name} (${token.role}). A running server refuses it from the next request on.`,
      );
  });
}

function day(time: string): string {
  return time.slice(0, 10);
}
