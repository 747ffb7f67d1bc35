/**
 * The program that loads and calls a skill's function in its own Node process. It is a string because it must work from
 * source, from the built package and from the bundle. It runs as a file, not by `--eval`: workers and forks of the skill
 * would inherit those flags.
 */
export const NODE_LOADER = String.raw`
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import os from "node:os";
import { pathToFileURL } from "node:url";

const { stringify, parse } = JSON;
const exit = process.exit.bind(process);
const channel = new Socket({ fd: 3, readable: true, writable: true, allowHalfOpen: true });
const cancelled = new AbortController();
let request;

channel.on("error", () => exit(1));
channel.on("end", () => {
  cancelled.abort(new Error("The run was cancelled."));
  setTimeout(() => exit(1), 1000);
});

function send(kind, payload) {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(37);
  head.write(request.nonce + kind, "latin1");
  head.writeUInt32BE(body.length, 33);
  return new Promise((done) => channel.write(Buffer.concat([head, body]), done));
}

function finish(kind, payload) {
  finish = () => new Promise(() => {});
  return send(kind, payload).then(() => exit(0));
}

function say(error) {
  try {
    const text = error instanceof Error ? error.name + ": " + error.message : "threw " + String(error);
    return text.slice(0, 2000);
  } catch {
    return "threw something that cannot be shown";
  }
}

function explain(error) {
  try {
    if (error instanceof Error && typeof error.stack === "string") process.stderr.write(error.stack + "\n");
  } catch {
    // The skill made the error, so its stack may be a getter that throws; the message below is still reported.
  }
  return say(error);
}

/** Copy to plain data, so that no code of the skill (toJSON, getters, proxies) runs while it is written. */
function plain(value, path, above, budget) {
  const refuse = (what) => { throw new TypeError((path || "the result") + " cannot be returned as JSON: it is " + what); };
  if ((budget.left -= 1) < 0) throw new RangeError("the result has more than " + request.maxResultBytes + " bytes");
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : refuse(String(value));
  if (typeof value === "string") {
    budget.left -= value.length;
    return value;
  }
  if (typeof value !== "object") return refuse(value === undefined ? "undefined" : "a " + typeof value);
  if (above.includes(value)) return refuse("part of itself (a cycle)");
  if (above.length > 200) return refuse("nested more than 200 deep");
  const inside = [...above, value];
  if (Array.isArray(value)) {
    const items = [];
    const length = value.length;
    for (let index = 0; index < length; index += 1)
      items.push(plain(value[index], path + "[" + index + "]", inside, budget));
    return items;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return refuse("an object of class " + String(prototype.constructor?.name ?? "?").slice(0, 100));
  if ("toJSON" in value) return refuse("an object with a toJSON of its own");
  const copy = Object.create(null);
  for (const key of Object.keys(value)) {
    const item = value[key];
    // As usual in JavaScript, an undefined property counts as absent.
    if (item === undefined) continue;
    budget.left -= key.length + 2;
    copy[key] = plain(item, path === "" ? key : path + "." + key, inside, budget);
  }
  return copy;
}

/** Closes what Node's permission model leaves open, as far as possible from here. */
function keepToItself(hasKernel) {
  const deny = (what) => { throw Object.assign(new Error(what), { code: "ERR_ACCESS_DENIED" }); };
  const own = (pid) => pid === process.pid || deny("A skill may only signal its own process.");
  const kill = process._kill;
  process._kill = (pid, signal) => own(pid) && kill.call(process, pid, signal);
  const { setPriority } = os;
  os.setPriority = (...given) => (given.length === 1 || own(given[0] || process.pid)) && setPriority(...given);
  for (const name of ["_debugProcess", "_debugEnd", "binding", "_linkedBinding"])
    process[name] = () => deny("process." + name + " is not available to skills.");
  // cp copies links, and writing through such a link would reach outside.
  if (!hasKernel)
    for (const [api, name] of [[fs, "cp"], [fs, "cpSync"], [fs.promises, "cp"]])
      api[name] = () => deny("fs." + name + " is not available to skills, because it copies links; use fs.copyFile for each file.");
  syncBuiltinESMExports();
}

async function load() {
  const module = await import(pathToFileURL(request.file).href);
  const found = module[request.functionName] ?? module.default?.[request.functionName];
  if (typeof found === "function") return found;
  const names = Object.keys(module).slice(0, 10).join(", ");
  throw new Error("it exports no function " + request.functionName + "; " + (names === "" ? "it exports nothing" : "its exports are: " + names));
}

async function main() {
  // Only placeholders for descriptors that this process must not have; see inheritedDescriptors.
  for (const descriptor of request.close) fs.closeSync(descriptor);
  if (request.seatBelt !== null) keepToItself(request.seatBelt === "with the kernel");
  channel.unref();
  let stage = "could not be loaded: ";
  process.on("uncaughtException", (error) => void finish("T", stage + explain(error)));
  process.on("beforeExit", () => void finish("T", stage + "it awaits a promise that never settles"));
  await send("B", "");
  let run;
  try {
    run = await load();
  } catch (error) {
    return finish("T", stage + explain(error));
  }
  stage = "failed: ";
  await send("L", "");
  let value;
  try {
    value = await run({
      ...request.context,
      signal: cancelled.signal,
      log: (message) => void process.stderr.write(String(message) + "\n"),
    });
  } catch (error) {
    return finish("T", stage + explain(error));
  }
  let text;
  try {
    text = stringify(plain(value, "", [], { left: request.maxResultBytes }));
  } catch (error) {
    return finish("U", error instanceof TypeError || error instanceof RangeError ? error.message : "reading the result failed: " + say(error));
  }
  return finish("R", text);
}

let received = Buffer.alloc(0);
channel.on("data", (chunk) => {
  if (request !== undefined) return;
  received = Buffer.concat([received, chunk]);
  if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
  request = parse(received.toString("utf8", 4));
  void main();
});
`;
