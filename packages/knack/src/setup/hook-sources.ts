import { safeJson } from "../terminal/visible.ts";
import type { ServerEntry, Words } from "./client-file.ts";
import type { EditFault, Editor } from "./plan-change.ts";

/** The line that every program of Knack's begins with; a file without it is somebody else's. */
const MARK = '// Written by "knack setup"';

const head = (
  client: string,
  words: Words,
): string => `${MARK}. "knack setup ${client} --remove" takes it away.
import { spawn } from "node:child_process";

const WORDS = ${safeJson(words)};
const LIMIT_MS = 5000;

/** Asks Knack. Whatever goes wrong, the answer is that there is nothing to say. */
function ask(event, call) {
  return new Promise((resolve) => {
    const nothing = () => resolve({});
    try {
      const [program, ...words] = WORDS;
      const child = spawn(program, [...words, event, "--client", "${client}"], {
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
      const timer = setTimeout(() => {
        nothing();
        child.kill("SIGKILL");
      }, LIMIT_MS);
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      child.stdin.on("error", nothing);
      child.on("error", () => {
        clearTimeout(timer);
        nothing();
      });
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(text) ?? {});
        } catch {
          nothing();
        }
      });
      child.stdin.end(JSON.stringify(call));
    } catch {
      nothing();
    }
  });
}
`;

/** A plugin of opencode: https://opencode.ai/docs/plugins */
export const OPENCODE_PLUGIN = (words: Words): string => `${head("opencode", words)}
const TOOLS = /^(?:write|edit|multiedit|patch|apply_patch|bash)$/;
const OWN = /^knack_/;
const again = new Map();
const parents = new Map();

export const Knack = async ({ directory, client }) => {
  /** A subagent has a session of its own. */
  const parentOf = async (id) => {
    if (!parents.has(id))
      try {
        parents.set(id, (await client.session.get({ path: { id } })).data?.parentID);
      } catch {
        // Then it counts as a conversation.
      }
    return parents.get(id);
  };
  const about = async (id) => {
    let session = id;
    for (let parent = await parentOf(id); parent; parent = await parentOf(parent)) session = parent;
    return { session, ...(session === id ? {} : { agent: id }), cwd: directory };
  };
  return {
    "chat.message": async (input, output) => {
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const [first] = said;
      if (!first) return;
      const prompt = said.map((part) => part.text).join("\\n");
      const { text } = await ask("prompt", { ...(await about(input.sessionID)), prompt });
      if (!text) return;
      output.parts.push({
        // In the form of the others: after an id of another form a run never ends.
        id: first.id.slice(0, -4) + "knck",
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        text,
        synthetic: true,
      });
    },
    "tool.execute.before": async (input, output) => {
      if (!TOOLS.test(input.tool) && !OWN.test(input.tool)) return;
      const of = await about(input.sessionID);
      if (OWN.test(input.tool) && !of.agent) return;
      const call = { ...of, tool: input.tool, args: output.args };
      const { refuse } = await ask("tool", call);
      if (refuse) throw new Error(refuse);
    },
    "tool.execute.after": async (input) => {
      if (TOOLS.test(input.tool)) void ask("after", { ...(await about(input.sessionID)), tool: input.tool });
    },
    event: async ({ event }) => {
      if (event.type !== "session.compacted") return;
      const session = event.properties.sessionID;
      const { text } = await ask("session", { ...(await about(session)), source: "compact" });
      if (text) again.set(session, text);
    },
    "experimental.chat.system.transform": async (input, output) => {
      const text = again.get(input.sessionID);
      if (text) output.system.push(text);
    },
  };
};
`;

/** An extension of pi: https://github.com/earendil-works/pi, docs/extensions.md */
export const PI_EXTENSION = (words: Words): string => `${head("pi", words)}
const TOOLS = /^(?:write|edit|bash)$/;

export default function (pi) {
  const about = (ctx) => ({ session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd });
  pi.on("before_agent_start", async (event, ctx) => {
    const { text } = await ask("prompt", { ...about(ctx), prompt: event.prompt });
    if (text) return { message: { customType: "knack", content: text, display: false } };
  });
  pi.on("session_compact", async (_event, ctx) => {
    // What is lost comes with the next prompt.
    await ask("session", { ...about(ctx), source: "compact" });
  });
  pi.on("tool_call", async (event, ctx) => {
    if (!TOOLS.test(event.toolName)) return;
    const { refuse } = await ask("tool", { ...about(ctx), tool: event.toolName, args: event.input });
    if (refuse) return { block: true, reason: refuse };
  });
  pi.on("tool_result", async (event, ctx) => {
    if (TOOLS.test(event.toolName)) void ask("after", { ...about(ctx), tool: event.toolName });
  });
}
`;

/** Edits a file that is a program of Knack's: it is written whole, and only where nobody else's is. */
export function sourceEditor(fault: EditFault): Editor {
  const isOurs = (text: string): boolean => text.startsWith(MARK);
  return {
    fault,
    parse: (text): ServerEntry => (isOurs(text) ? { knack: text } : text === "" ? {} : { other: text }),
    put: (text, [member]) => {
      if (text !== "" && !isOurs(text)) throw fault("it was not written by Knack");
      return String(member?.value ?? text);
    },
    drop: (text) => (isOurs(text) ? "" : text),
  };
}
