import { renderCatalogBlock } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { escapeControlInText } from "../../terminal/visible.ts";

/** Prints the block that goes into a system prompt, as a model would get it. */
export async function context(options: GlobalOptions): Promise<void> {
  const runtime = await openProject(options).runtime();
  const session = runtime.session();
  const text = session.systemPrompt();
  const bytes = Buffer.byteLength(text);
  const { shown, total, truncated } = renderCatalogBlock(
    session.offered,
    runtime.catalog.config.skills.initial,
  );
  if (options.json) {
    printJson({ context: text, skills: total, listed: shown, truncated, bytes });
    return;
  }
  print(terminalWidth() === undefined ? text : escapeControlInText(text));
  const cut = truncated ? ", shortened to its budget (skills.initial)" : "";
  note(painter(options, 2)("dim", `${shown} of ${total} skills, ${bytes} bytes${cut}`));
}
