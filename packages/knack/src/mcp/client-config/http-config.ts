export type Client = "claude" | "codex" | "gemini" | "opencode" | "vscode" | "cursor";

/** The variable that a client takes the token from: its file may be shared, the token may not. */
const VARIABLE = "KNACK_TOKEN";

interface HttpFormat {
  readonly config: (url: string) => Record<string, unknown>;
  readonly text?: (url: string) => string;
  /** The client's own command that does the same. */
  readonly adds?: (url: string) => string;
  /** Where the client asks for the token itself. */
  readonly asks?: true;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** How each client is told of a server over HTTP and of its token, in the form that it documents. */
export const HTTP_FORMATS: Readonly<Record<Client, HttpFormat>> = {
  claude: {
    config: (url) => ({ mcpServers: { knack: { type: "http", url, headers: bearer(`\${${VARIABLE}}`) } } }),
    adds: (url) =>
      `claude mcp add --transport http knack ${url} --header "Authorization: Bearer $(cat ~/.knack/token)"`,
  },
  codex: {
    config: (url) => ({ mcp_servers: { knack: { url, bearer_token_env_var: VARIABLE } } }),
    text: (url) => `[mcp_servers.knack]\nurl = "${url}"\nbearer_token_env_var = "${VARIABLE}"`,
    adds: (url) => `codex mcp add knack --url ${url} --bearer-token-env-var ${VARIABLE}`,
  },
  gemini: {
    config: (url) => ({ mcpServers: { knack: { httpUrl: url, headers: bearer(`$${VARIABLE}`) } } }),
    adds: (url) =>
      `gemini mcp add --transport http --header "Authorization: Bearer $(cat ~/.knack/token)" knack ${url}`,
  },
  opencode: {
    config: (url) => ({
      $schema: "https://opencode.ai/config.json",
      mcp: { knack: { type: "remote", url, headers: bearer(`{env:${VARIABLE}}`), enabled: true } },
    }),
  },
  vscode: {
    config: (url) => ({
      inputs: [
        {
          type: "promptString",
          id: "knack-token",
          description: "The token of knack serve (~/.knack/token)",
          password: true,
        },
      ],
      servers: { knack: { type: "http", url, headers: bearer("${input:knack-token}") } },
    }),
    asks: true,
  },
  cursor: {
    config: (url) => ({ mcpServers: { knack: { url, headers: bearer(`\${env:${VARIABLE}}`) } } }),
  },
};

/** What the user still has to do: the token is not printed, because what is printed is often kept. */
export function tokenRemark(client: Client): string {
  if (HTTP_FORMATS[client].asks) return `${client} asks for the token once: it is in ~/.knack/token.`;
  return `Start ${client} with the token of the server: export ${VARIABLE}="$(cat ~/.knack/token)"`;
}
