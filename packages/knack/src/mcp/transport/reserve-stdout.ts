import { Writable } from "node:stream";

/**
 * Standard output for the protocol alone: whatever else in this process prints there is shown on standard error instead. One
 * stray line would end the conversation of a strict client.
 */
export function ownOutput(): Writable {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = process.stderr.write.bind(process.stderr) as typeof stdout.write;
  for (const method of ["log", "info", "debug", "dir", "table"] as const)
    console[method] = console.error.bind(console);
  const output = new Writable({
    decodeStrings: false,
    // Done when it is out of this process, not when there is room for more: the process ends after its last answer.
    write: (chunk: string, _encoding, done) => void write(chunk, done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
