import { actFor } from "../../host/access.ts";
import { type Route, route } from "../api/route.ts";

/** MCP over HTTP. It describes itself, so OpenAPI does not. */
export const mcpRoutes: readonly Route[] = (["GET", "POST", "DELETE"] as const).map((method) =>
  route(`${method} /mcp`, "reader", {
    summary: "MCP.",
    handle: ({ caller, toRequest }, { mcp }) => actFor(caller, () => mcp.fetch(toRequest(), caller.id)),
  }),
);
