import { estimateTokens } from "@knack/core/internal";
import type { Api } from "../api/route.ts";

const MAX_LISTED = 10;

/** What the skills cost a model before it has loaded one, in tokens: about four letters each. */
export async function catalogCost({ host, mcp, catalog }: Pick<Api, "host" | "mcp" | "catalog">) {
  await catalog();
  const session = host.runtime.session();
  const offered = (await session.visibleTo("model")).map(({ id, name, description }) => ({
    id,
    name,
    tokens: estimateTokens(`${name}: ${description}`),
  }));
  const { instructions, tools } = mcp.offer();
  return {
    skills: offered.length,
    /** Names and descriptions of all of them, if a client shows every one. */
    catalog: offered.reduce((sum, { tokens }) => sum + tokens, 0),
    instructions: estimateTokens(instructions),
    tools: estimateTokens(JSON.stringify(tools.map(({ _meta, ...tool }) => tool))),
    tool_count: tools.length,
    largest: offered.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_LISTED),
  };
}
