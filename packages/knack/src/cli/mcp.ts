import { SkillError } from "@knack/core";
import type { ClientName } from "../client-names.ts";
import type { PrintConfigOptions } from "../mcp/client-config/print-config.ts";

export type McpOptions = PrintConfigOptions & { readonly printConfig?: ClientName; readonly tools?: string };

/** Serves, or prints how a client starts it: the server's code is loaded only where it serves. */
export async function mcp(options: McpOptions): Promise<void> {
  if (options.http !== undefined && options.printConfig === undefined)
    throw new SkillError(
      "INVALID_PARAM",
      '--http needs --print-config <client>. To serve over HTTP, run "knack serve".',
    );
  if (options.printConfig === undefined) await (await import("../mcp/transport/stdio.ts")).mcp(options);
  else (await import("../mcp/client-config/print-config.ts")).printConfig(options.printConfig, options);
}
