import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import type { TLSSocket } from "node:tls";
import type { Folder } from "../../packages/core/src/testing/files.ts";

/** Makes a self-signed certificate for knack.test and 127.0.0.1, and returns the options of `knack serve` for it. */
export function makeCertificate(folder: Folder, name = "knack.test"): string[] {
  const [cert, key] = [folder.at("cert.pem"), folder.at("key.pem")];
  const names = `subjectAltName=DNS:${name},IP:127.0.0.1`;
  const how = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const to = ["-keyout", key, "-out", cert, "-subj", `/CN=${name}`, "-addext", names];
  execFileSync("openssl", ["req", "-x509", ...how, ...to], { stdio: "ignore" });
  return ["--tls-cert", cert, "--tls-key", key];
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The name that the certificate is for. */
  readonly certified: string | undefined;
}

/** One request with a Host of its own, which `fetch` does not allow; over TLS the certificate in the folder is trusted. */
export function ask(
  folder: Folder,
  { port, isTls = true }: { readonly port: number; readonly isTls?: boolean },
  path: string,
  headers: Readonly<Record<string, string>> = {},
  maxVersion?: "TLSv1.1" | "TLSv1.2" | "TLSv1.3",
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // Node compares the name of the certificate with the Host header, which is what the tests vary.
  const trust = isTls
    ? { ca: readFileSync(folder.at("cert.pem")), checkServerIdentity: () => undefined }
    : {};
  const oldest = maxVersion === "TLSv1.1" ? { minVersion: "TLSv1" as const, ciphers: "ALL@SECLEVEL=0" } : {};
  const options = { host: "127.0.0.1", port, path, headers, agent: false, ...trust, ...oldest };
  const send = isTls ? request : plainRequest;
  const sent = send({ ...options, ...(maxVersion ? { maxVersion } : {}) }, (response) => {
    let text = "";
    const certified = isTls ? (response.socket as TLSSocket).getPeerCertificate().subject.CN : undefined;
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, text, certified: String(certified) }),
    );
  });
  sent.on("error", reject).end();
  return promise;
}
