import type { Readable } from "node:stream";

interface NamespaceInfo {
  /** Settles when no more information will come. */
  readonly told: Promise<void>;
  /** The first process of the sandbox and its pid namespace, once known. */
  value(): { readonly init: number; readonly id: number } | null;
}

/** What bubblewrap tells on its descriptor as soon as the sandbox stands. */
export function namespaceOf(stream: Readable | null): NamespaceInfo {
  let text = "";
  stream?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream?.on("error", () => {});
  const told = new Promise<void>((done) => {
    if (stream === null) done();
    stream?.once("close", () => done());
    stream?.once("end", () => done());
  });
  const value: NamespaceInfo["value"] = () => {
    const init = /"child-pid":\s*(\d+)/.exec(text)?.[1];
    const id = /"pid-namespace":\s*(\d+)/.exec(text)?.[1];
    return init === undefined || id === undefined ? null : { init: Number(init), id: Number(id) };
  };
  return { told, value };
}
