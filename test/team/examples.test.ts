import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { faultOf, knackLines } from "./command-lines.ts";

const root = join(import.meta.dirname, "../..");
const team = join(root, "examples/team");
const read = (name: string): string => readFileSync(join(team, name), "utf8");

interface Service {
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const compose: Compose = parse(read("compose.yaml"), { merge: true });
const services = Object.entries(compose.services);

describe("the commands of docs/team.md and examples/team", () => {
  const pages = ["docs/team.md", "examples/team/README.md"].map(
    (name) => [name, knackLines(readFileSync(join(root, name), "utf8"))] as const,
  );

  it.each(pages)("%s has only commands and options that exist", (_name, lines) => {
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(faultOf(line.split(/\s+/)), `knack ${line}`).toBeUndefined();
  });

  it("would be found if they were wrong", () => {
    expect(
      knackLines("`sudo -u knack git pull`, `knack worker --concurency 4`\n\n    knack que | jq\n"),
    ).toEqual(["que", "worker --concurency 4"]);
    expect(faultOf(["worker", "--concurency", "4"])).toMatch(/no option --concurency/);
    expect(faultOf(["token", "add", "me", "--role", "king"])).toMatch(/cannot be king/);
    expect(faultOf(["store", "gone"])).toMatch(/no subcommand/);
  });
});

describe("examples/team/compose.yaml", () => {
  it("has a database, a server and two workers, each with a health check", () => {
    expect(Object.keys(compose.services)).toEqual(["db", "server", "worker-1", "worker-2"]);
    for (const [name, { healthcheck }] of services) expect(healthcheck?.test.length, name).toBeGreaterThan(1);
  });

  it.each(services)("%s refers only to what exists", (_name, service) => {
    for (const name of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(name);
    for (const name of service.secrets ?? []) expect(compose.secrets).toHaveProperty(name);
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("./")) expect(existsSync(join(team, source)), source).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
    }
    for (const [, secret] of JSON.stringify(service).matchAll(/\/run\/secrets\/(\w+)/g))
      expect(service.secrets, secret).toContain(secret);
    if (service.build) expect(existsSync(join(team, service.build, "Dockerfile"))).toBe(true);
  });

  it.each(services.filter(([name]) => name !== "db"))(
    "%s runs a command that exists",
    (_name, { command = [] }) => {
      expect(command[0]).toBe("knack");
      expect(faultOf(command.slice(1))).toBeUndefined();
    },
  );

  it("publishes no port but the server's, and has no password in an environment", () => {
    for (const [name, { ports, environment = {} }] of services) {
      expect(ports !== undefined, name).toBe(name === "server");
      for (const variable of Object.keys(environment))
        if (/PASS|SECRET|TOKEN|KEY/.test(variable)) expect(variable).toMatch(/_FILE$/);
    }
  });

  it("gives workers the time to finish a run of ten minutes", () => {
    for (const [name, { stop_grace_period }] of services)
      if (name.startsWith("worker"))
        expect(Number.parseInt(stop_grace_period ?? "0", 10)).toBeGreaterThan(10);
  });

  it("reads the secrets that the README makes, which git ignores", () => {
    const readme = read("README.md");
    for (const { file } of Object.values(compose.secrets)) expect(readme).toContain(` ${file}`);
    expect(read(".gitignore")).toContain("/secrets/");
  });

  it("has health checks whose programs are valid", () => {
    for (const [, { healthcheck }] of services) {
      const program = /node -e '(.*)'$/s.exec(healthcheck?.test[1] ?? "")?.[1];
      if (program) expect(() => new Function(program)).not.toThrow();
    }
  });
});

describe("examples/team/Dockerfile", () => {
  it("copies files that exist and are not ignored, and runs Knack as another user than root", () => {
    const text = read("Dockerfile");
    const sources = [...text.matchAll(/^COPY (?:--\S+ )*(\S+) \S+$/gm)].map(([, source = ""]) => source);
    expect(sources).toEqual(["knack-skills-*.tgz", "entrypoint.sh", "knack-config.yaml", "project"]);
    for (const source of sources) {
      expect(read(".dockerignore").split("\n")).toContain(`!${source}`);
      if (!source.endsWith(".tgz")) expect(existsSync(join(team, source)), source).toBe(true);
    }
    expect(text.indexOf("USER node")).toBeLessThan(text.indexOf("RUN knack trust"));
    expect(text.match(/^USER /gm)).toHaveLength(1);
  });

  it.each(["entrypoint.sh", "db/create-knack.sh"])("%s is a valid shell script", (name) => {
    expect(spawnSync("sh", ["-n", join(team, name)], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  it("makes the database as docs/team.md does", () => {
    const docs = readFileSync(join(root, "docs/team.md"), "utf8");
    const statements = [...docs.matchAll(/^```sql\n(.*?)^```$/gms)].flatMap(([, sql = ""]) =>
      sql.trim().split("\n"),
    );
    const script = read("db/create-knack.sh");
    expect(statements).toHaveLength(6);
    for (const statement of statements.filter((text) => !text.startsWith("CREATE DATABASE")))
      expect(script).toContain(statement.replace("LOGIN;", "LOGIN PASSWORD :'password';"));
  });
});

describe("examples/team/systemd", () => {
  const units = globSync("systemd/*.service", { cwd: team });
  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

  it.skipIf(!hasSystemd).each(units)("%s passes systemd-analyze verify", (unit) => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(team, unit)], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(units)("%s runs a command that exists, and drains", (unit) => {
    const text = read(unit);
    const [, line = ""] = /^ExecStart=\/usr\/bin\/env knack (.*)$/m.exec(text) ?? [];
    expect(faultOf(line.split(" "))).toBeUndefined();
    for (const [, variable = ""] of line.matchAll(/\$\{(\w+)\}/g))
      expect(read("knack.env.example")).toMatch(new RegExp(`^${variable}=`, "m"));
    expect(text).toMatch(/^KillSignal=SIGTERM$/m);
    expect(text).toMatch(/^KillMode=mixed$/m);
    expect(text).toMatch(/^Restart=on-failure$/m);
    if (!unit.includes("worker")) return;
    const [, limit] = /^KNACK_RUN_TIMEOUT_SECONDS=(\d+)$/m.exec(read("knack.env.example")) ?? [];
    const [, minutes] = /^TimeoutStopSec=(\d+)min$/m.exec(text) ?? [];
    expect(Number(minutes) * 60).toBeGreaterThan(Number(limit));
  });

  it.each(units)("%s sets nothing that bubblewrap or Node cannot work with", (unit) => {
    const forbidden =
      /^(RestrictNamespaces|PrivateUsers|ProtectKernelTunables|ProtectKernelLogs|ProtectProc|ProcSubset|SystemCallFilter|MemoryDenyWriteExecute)=/m;
    expect(read(unit)).not.toMatch(forbidden);
  });
});

describe("examples/team/project", () => {
  it("runs its plan on SQLite, and then from the cache", () => {
    using folder = makeFolder();
    cpSync(join(team, "project"), folder.at("repo"), { recursive: true });
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    const { code, stdout } = knack(folder, ["plan", "run", "plan.yaml", "--json"]);
    expect(code, stdout).toBe(0);
    const [total = ""] = globSync("workspace/artifacts/*/total_*.json", { cwd: folder.at("repo") });
    expect(JSON.parse(readFileSync(folder.at("repo", total), "utf8"))).toEqual({ texts: 3, words: 28 });
    const again = knack(folder, ["run", "count_words", "texts/first.txt", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "SUCCEEDED", cached: true });
  });
});
