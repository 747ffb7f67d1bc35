/** The page before it has loaded any data: it reveals nothing about this machine. */
export const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Knack</title>
<script src="/page.js" defer></script>
<h1>Knack</h1>
<p id="state" role="status">Open the link that <code>knack serve</code> printed: it carries the token.</p>
<ul id="skills"></ul>
<h2>For agents and programs</h2>
<dl>
<dt>MCP</dt><dd><code>/mcp</code></dd>
<dt>API, described by OpenAPI</dt><dd><code>/api/openapi.json</code></dd>
<dt>Both need the header</dt><dd><code>Authorization: Bearer TOKEN</code>, with the token of <code>~/.knack/token</code></dd>
</dl>
</html>
`;
