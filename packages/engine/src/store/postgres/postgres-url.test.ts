import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePostgresUrl, shownStore } from "./postgres-url.ts";

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
    expect(driverUrl(url)).toBe("postgres://u@db:5433/team?connect_timeout=5");
    expect(parsePostgresUrl("postgresql://db/team").schema).toBe("knack");
  });

  it.each(["prefer", "require", "verify-ca", "verify-full"])(
    "verifies the certificate with sslmode=%s",
    (mode) => {
      expect(driverUrl(`postgres://db/team?sslmode=${mode}`)).toBe("postgres://db/team?sslmode=verify-full");
    },
  );

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
