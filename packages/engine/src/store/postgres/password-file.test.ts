import { chmodSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { passwordFromFile } from "./postgres-url.ts";

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
