import type { Route } from "./route.ts";

/** The page at `/`: what is here, and where. It has no script and loads nothing. */
export const pageRoute: Route = {
  method: "GET",
  path: "/",
  summary: "A page that says what is here.",
  type: "text/html",
  handle: async (_asked, { catalog, origin }) => {
    const { skills, waitingForTrust, projectRoot } = await catalog.get();
    const waiting =
      waitingForTrust === 0
        ? ""
        : `<p>${waitingForTrust} more wait until you trust ${escapeHtml(projectRoot)}: <code>knack trust</code></p>`;
    const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Knack</title>
<h1>Knack</h1>
<p>${skills.length} ${skills.length === 1 ? "skill is" : "skills are"} served here.</p>
${waiting}
<dl>
<dt>MCP, for agents</dt><dd><code>${escapeHtml(origin)}/mcp</code></dd>
<dt>API</dt><dd><a href="/api/skills?limit=100">/api/skills</a>, <a href="/api/status">/api/status</a>, <a href="/api/graph">/api/graph</a>, <a href="/api/runs">/api/runs</a>, <a href="/api/plans">/api/plans</a></dd>
<dt>Its description (OpenAPI)</dt><dd><a href="/api/openapi.json">/api/openapi.json</a></dd>
</dl>
</html>
`;
    return new Response(html, {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": String(Buffer.byteLength(html)),
      },
    });
  },
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
