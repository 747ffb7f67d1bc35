import { expect } from "vitest";
import type { Envelope } from "../../packages/core/src/access/tool.ts";
import { createRuntime } from "../../packages/core/src/live/create-runtime.ts";
import type { RuntimeOptions } from "../../packages/core/src/live/runtime.ts";
import type { CallOptions, Reaction, Session } from "../../packages/core/src/live/session.ts";
import { checkEnvelope } from "../../packages/core/src/testing/envelope.ts";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";

/** A project in `repo/` with its user in `home/`; real files, nothing kept between tests. */
export function makeProject(files: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({ "repo/.git/": "", "home/": "", ...files });
}

/** A conversation in which every answer is checked against the rules of the envelope. */
export class Conversation {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async call(tool: string, params: unknown = {}, options: CallOptions = {}): Promise<Envelope> {
    return good(await this.session.call(tool, params, options));
  }

  async execute(line: string): Promise<Envelope> {
    return good(await this.session.execute(line));
  }

  async input(text: string): Promise<Reaction> {
    const reaction = await this.session.input(text);
    if (reaction.envelope) good(reaction.envelope);
    return reaction;
  }
}

function good(envelope: Envelope): Envelope {
  expect(checkEnvelope(envelope), JSON.stringify(envelope, null, 2)).toEqual([]);
  // Tests see what a host would pass on.
  return JSON.parse(JSON.stringify(envelope));
}

export async function converse(folder: Folder, options: Partial<RuntimeOptions> = {}): Promise<Conversation> {
  const runtime = await createRuntime({
    cwd: folder.at("repo"),
    home: folder.at("home"),
    env: {},
    cache: false,
    ...options,
  });
  return new Conversation(runtime.session());
}

/** The code of a refusal, or the status of a success. */
export function outcome({ status, error }: Envelope): string {
  return error?.code ?? status;
}
