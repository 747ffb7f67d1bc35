import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { within } from "../../../core/src/shared/testing/within.ts";
import { REDACTED, redact, redactText } from "./redact.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----";
// Put together here, so that no scanner takes this file for a leak.
const SECRETS = {
  "an API key": `sk-${"proj-abcdefghijklmnop1234"}`,
  "a GitHub token": `ghp_${"a1".repeat(18)}`,
  "a fine-grained GitHub token": `github_pat_${"a1".repeat(15)}`,
  "an AWS key": `AKIA${"ABCDEFGHIJKLMNOP"}`,
  "a Slack token": `xoxb-${"123456789012-abcdef"}`,
  "a JWT": JWT,
  "a private key": PEM,
  "a private key without its end": PEM.slice(0, 50),
};

describe("secrets in events and messages", () => {
  it.each(Object.entries(SECRETS))("takes %s out of a text and a payload", (_name, secret) => {
    expect(redactText(`before ${secret}`)).toBe(`before ${REDACTED}`);
    expect(redact({ deep: [{ note: `before ${secret}` }] })).toEqual({
      deep: [{ note: `before ${REDACTED}` }],
    });
  });

  it("takes what follows a telling word, and keeps the word", () => {
    const cases = {
      "postgres://me:hunter2@db/x": "postgres://me:[redacted]@db/x",
      "https://me:a@b:c@host/": "https://me:[redacted]@host/",
      "Authorization: Bearer abc.def": "Authorization: Bearer [redacted]",
      "curl -H 'authorization: Basic dXNlcjpwYXNz'": "curl -H 'authorization: Basic [redacted]'",
      "GET /?token=abcdef&page=2": "GET /?token=[redacted]&page=2",
      "DB_PASSWORD=hunter2 ran": "DB_PASSWORD=[redacted] ran",
      'api_key: "abcdef"': 'api_key: "[redacted]"',
    };
    for (const [text, expected] of Object.entries(cases)) expect(redactText(text)).toBe(expected);
  });

  it("takes whatever stands under a telling name", () => {
    for (const name of [
      "token",
      "apiKey",
      "X-API-Key",
      "client_secret",
      "dbPassword",
      "Authorization",
      "cookie",
    ])
      expect(redact({ [name]: "v" })).toEqual({ [name]: REDACTED });
    expect(redact({ secret: { a: ["x", 5, true, null, ""] } })).toEqual({
      secret: { a: [REDACTED, REDACTED, true, null, ""] },
    });
  });

  it("leaves what only looks alike", () => {
    const plain = {
      key: "a".repeat(64),
      max_tokens: 5,
      tokenizer: "bpe",
      secretary: "Ann",
      text: "Unexpected token: foo. The secret is out. https://host:8080/a@b task-sk-1 sk-short Basic authentication",
      sha256: "0123456789abcdef".repeat(4),
      id: "01a1de94-5218-7000-b935-e0e0e5be3c1c",
      "": [1.5, false, null],
    };
    expect(redact(plain)).toEqual(plain);
  });

  it("can put a digest in the place of a secret", () => {
    expect(redact({ token: "a", n: 1 }, (secret) => `sha256:${secret.length}`)).toEqual({
      token: "sha256:1",
      n: 1,
    });
  });

  it("treats __proto__ as a name, and stops in the depth", () => {
    const hostile = JSON.parse('{"__proto__":{"token":"x"}}') as unknown;
    expect(JSON.stringify(redact(hostile))).toBe('{"__proto__":{"token":"[redacted]"}}');
    let deep: unknown = "end";
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(JSON.stringify(redact(deep))).toContain("[too deep]");
  });

  it("never throws, and redacts nothing twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = JSON.stringify(redact(value));
        expect(JSON.stringify(redact(JSON.parse(once)))).toBe(once);
      }),
    );
  });

  it("takes time in proportion to the text", () => {
    const starts = [
      "eyJ",
      "eyJaaaaaaaa.",
      "sk-",
      "ghp_",
      "://a:",
      "password=",
      "-----BEGIN PRIVATE KEY-----",
      "://",
    ];
    const texts = [...starts, "-----BEGIN ", "authorization: bearer ", "bearer ", "a://b:c", "token='"];
    for (const text of texts) {
      // Quadratic time would be minutes; this is not a measurement.
      within(5000, () => redactText(text.repeat(1_000_000 / text.length)));
    }
  });
});
