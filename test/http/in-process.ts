import type { Socket } from "node:net";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { openHost } from "../../packages/knack/src/host/host.ts";
import { LIMITS, type ServerLimits } from "../../packages/knack/src/http/server/limits.ts";
import { WebServer } from "../../packages/knack/src/http/web-server.ts";

import { environment } from "../cli/run.ts";
import { connectTo } from "./server.ts";

const TOKEN = "a-token-for-this-test-alone";

/** The server in this process, for limits that would take too long otherwise. */
export class InProcess implements AsyncDisposable {
  readonly server: WebServer;

  private constructor(server: WebServer) {
    this.server = server;
  }

  /** `skills` additional skills, for a long answer. */
  static async start(folder: Folder, limits: Partial<ServerLimits>, skills = 0): Promise<InProcess> {
    for (let i = 0; i < skills; i++)
      folder.write({ [`repo/.agents/skills/many-${i}/SKILL.md`]: skillText(`many-${i}`, "d".repeat(1_000)) });
    Object.assign(process.env, environment(folder), {
      KNACK_HOME: folder.at("home/.knack"),
      KNACK_TRUST: "all",
    });
    const host = await openHost({ cwd: folder.at("repo") }, "test");
    const server = new WebServer(host, {
      bind: { host: "127.0.0.1", isLoopback: true, scheme: "http" },
      port: 0,
      token: TOKEN,
      limits: { ...LIMITS, ...limits },
    });
    await server.listen();
    return new InProcess(server);
  }

  get port(): number {
    return this.server.port;
  }

  get bearer(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${TOKEN}` };
  }

  connect(): Promise<Socket> {
    return connectTo(this.port);
  }

  /** The start of a POST with the token. */
  post(headers: string): string {
    return `POST /api/policy HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nAuthorization: ${this.bearer.Authorization}\r\nContent-Type: application/json\r\n${headers}\r\n`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}
