import { chmodSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePostgresUrl, passwordFromFile, shownStore } from "./postgres-url.ts";

/** What the driver gets, without a password: one that is missing is stood in for. */
function driverUrl(url: string): string {
  const parsed = new URL(parsePostgresUrl(url).connectionString);
  parsed.password = "";
  return parsed.href;
}

describe("the address of a PostgreSQL store", () => {
  it("has a schema of Knack's own, which the driver does not see", () => {
    const url = "postgres://u@db:5433/team?schema=reports&connect_timeout=5";
    expect(parsePostgresUrl(url)).toMatchObject({ schema: "reports", shown: "postgres://db:5433/team" });
    expect(driverUrl(url)).toBe("postgres://u@db:5433/team?connect_timeout=5&sslmode=verify-full");
    expect(parsePostgresUrl("postgresql://db/team").schema).toBe("knack");
  });

  it.each(["prefer", "require", "verify-ca", "verify-full"])(
    "verifies the certificate with sslmode=%s",
    (mode) => {
      expect(driverUrl(`postgres://db/team?sslmode=${mode}`)).toBe("postgres://db/team?sslmode=verify-full");
    },
  );

  it.each([
    ["postgres://u@db.example.com/team", {}, "verify-full"],
    ["postgres://u@10.0.0.7/team", {}, "verify-full"],
    ["postgres:///team", { PGHOST: "db.example.com" }, "verify-full"],
    ["postgres://u@db.example.com/team", { PGSSLMODE: "disable" }, "disable"],
    ["postgres://u@localhost/team", {}, null],
    ["postgres://u@127.0.0.1:5433/team", {}, null],
    ["postgres://u@[::1]/team", {}, null],
    ["postgres:///team?host=/run/postgresql", {}, null],
  ])("uses verified TLS off this machine: %s %j", (url, env, mode) => {
    const { connectionString } = parsePostgresUrl(url, env);
    expect(new URL(connectionString).searchParams.get("sslmode")).toBe(mode);
  });

  it("has no options of the server", () => {
    const url = "postgres://u@localhost/team?options=-csearch_path%3Dx";
    expect(() => parsePostgresUrl(url)).toThrow(/cannot have "options"/);
  });

  it.each(["disable", "no-verify"])("leaves sslmode=%s as it is", (mode) => {
    expect(parsePostgresUrl(`postgres://db/team?sslmode=${mode}`).connectionString).toContain(`=${mode}`);
  });

  it("is shown without its user, password and parameters, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (secret) => {
        const text = `x${encodeURIComponent(secret.toWellFormed())}`;
        for (const url of [
          `postgres://knack:${text}@host/db`,
          `postgres://${text}@host/db`,
          `postgres://host/db?password=${text}`,
        ])
          expect(shownStore(url)).toBe("postgres://host/db");
      }),
    );
  });
});

const FILE = `# comment
db.example.com:5432:knack:knack:first
db.example.com:*:knack:other\\:user:with\\:colon\\\\
::not:a:line
*:*:*:knack:any
`;

describe("the password file", () => {
  it.each([
    ["postgres://knack@db.example.com/knack", "first"],
    ["postgres://knack@db.example.com:6000/knack", "any"],
    ["postgres://other%3Auser@db.example.com/knack", "with:colon\\"],
    ["postgres://knack@[::1]/other", "any"],
    ["postgres://nobody@db.example.com/knack", undefined],
  ])("has for %s the password %s", (url, password) => {
    using folder = makeFolder({ pgpass: FILE });
    chmodSync(folder.at("pgpass"), 0o600);
    expect(passwordFromFile(new URL(url), { PGPASSFILE: folder.at("pgpass") })).toBe(password);
  });

  it("is ~/.pgpass, and takes what the address lacks from the environment", () => {
    using folder = makeFolder({ ".pgpass": "localhost:5433:d:u:secret\n" });
    chmodSync(folder.at(".pgpass"), 0o600);
    const env = { HOME: folder.path, PGUSER: "u", PGPORT: "5433", PGDATABASE: "d" };
    expect(passwordFromFile(new URL("postgres://"), env)).toBe("secret");
    expect(passwordFromFile(new URL("postgres:///d?host=/run/postgresql"), env)).toBe("secret");
  });

  it.skipIf(process.platform === "win32")("is ignored if others can read it, and may be missing", () => {
    using folder = makeFolder({ pgpass: "*:*:*:*:secret\n" });
    chmodSync(folder.at("pgpass"), 0o640);
    const url = new URL("postgres://knack@db.example.com/knack");
    expect(passwordFromFile(url, { PGPASSFILE: folder.at("pgpass") })).toBeUndefined();
    expect(passwordFromFile(url, { PGPASSFILE: folder.at("none") })).toBeUndefined();
  });
});
