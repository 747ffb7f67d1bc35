import type { ServerContext } from "@modelcontextprotocol/server";

const EVERY_MS = 1_000;

export interface Progress {
  tell(message: string): void;
  end(): void;
}

/** Tells a client that wants to know it that a call goes on: at once, then each second, with the last that was heard. */
export function startProgress(ctx: ServerContext, what: string): Progress {
  const token = ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return { tell: () => {}, end: () => {} };
  let message = `${what} is running`;
  let progress = 0;
  const send = (): void => {
    const params = { progressToken: token, progress: progress++, message };
    // Whoever does not hear it any more gets no answer either.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  send();
  const timer = setInterval(send, EVERY_MS);
  return {
    tell: (heard) => {
      message = heard.trim().slice(0, 500) || message;
    },
    end: () => clearInterval(timer),
  };
}
