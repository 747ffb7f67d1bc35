import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { systemCode } from "@knack/core/files";
import { KnackError } from "@knack/core/text";

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly isFor: (name: string) => boolean;
}

/** How often to look whether the files were replaced, as a renewal does. */
const LOOK_MS = 5_000;

/** Reads and checks both files; throws `KnackError`, which never repeats what is in them. */
export function readTls(files: TlsFiles): Tls {
  const cert = read("--tls-cert", files.cert);
  const key = read("--tls-key", files.key);
  const wrong = (why: string): KnackError =>
    new KnackError("CONFIG_INVALID", `The certificate and key cannot be used: ${why}.`);
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    throw wrong(`${files.cert} is not a certificate in PEM format`);
  }
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      throw wrong(`${files.key} is not the key of ${files.cert}`);
    createSecureContext({ cert, key });
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw wrong(`${files.key} is not a private key in PEM format without a passphrase`);
  }
  const isFor = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return { cert, key, isFor };
}

/**
 * Calls `changed` when the files were replaced or SIGHUP came, until the answer is called. A pair that cannot be used is
 * told, and the last good one stays: a renewal writes one file after the other.
 */
export function followTls(
  files: TlsFiles,
  changed: (tls: Tls) => void,
  tell: (line: string) => void,
): () => void {
  const reload = (): void => {
    try {
      changed(readTls(files));
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      tell(`${error.message} The server goes on with the certificate that it has.`);
    }
  };
  const both = [files.cert, files.key];
  for (const file of both) watchFile(file, { interval: LOOK_MS, persistent: false }, reload);
  process.on("SIGHUP", reload);
  return () => {
    for (const file of both) unwatchFile(file, reload);
    process.off("SIGHUP", reload);
  };
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new KnackError("CONFIG_INVALID", `${option}: ${file} cannot be read (${systemCode(error)}).`);
  }
}
