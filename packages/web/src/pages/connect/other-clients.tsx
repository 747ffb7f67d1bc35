import { Command } from "../../parts/look/copy-button.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";

const STDIO = `{
  "mcpServers": {
    "knack": { "command": "knack", "args": ["mcp"] }
  }
}`;

/** For agents without a button: the entry that most of them take, and the address of this server. */
export function OtherClients({ url }: { readonly url: string }) {
  return (
    <section class="section">
      <h2>Any other MCP client</h2>
      <div class="others-split">
        <div>
          <h3>Started by the client</h3>
          <p class="small quiet">One process for each conversation. Most clients take this entry:</p>
          <CodeBlock text={STDIO} label="entry for a client" />
        </div>
        <div>
          <h3>Through this server</h3>
          <p class="small quiet">
            Streamable HTTP, with the header <code>Authorization: Bearer TOKEN</code>. The token is in{" "}
            <code>~/.knack/token</code>; on another machine, use an access token.
          </p>
          <Command text={url} />
          <p class="small quiet">To print the entry for an agent with this address:</p>
          <Command text={`knack mcp --print-config claude --http ${url}`} />
        </div>
      </div>
    </section>
  );
}
