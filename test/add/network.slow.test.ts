import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { git } from "../../packages/knack/src/sources/testing/make-repository.ts";
import { tarball } from "../../packages/knack/src/sources/testing/make-tarball.ts";
import { makeZip } from "../../packages/knack/src/sources/testing/make-zip.ts";
import { REPO } from "../cli/run.ts";
import { change, entryOf, makeSources, startKnack } from "./add-project.ts";
import { serveGit } from "./http-git.ts";
import { serve, serveRegistry } from "./serve-files.ts";

const TRUST = { KNACK_TRUST: "all" };

describe("a git server over http", () => {
  it("gives add, outdated and update what its branch has", async () => {
    using folder = makeSources();
    await using server = await serveGit(folder.path);
    const url = `${server.url}/src/.git`;
    const added = await startKnack(folder, ["add", `${url}#main`, "--yes"]);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("added one") });
    const commit = change(folder, { "skills/one/notes.md": "new\n" });
    expect((await startKnack(folder, ["outdated"], TRUST)).stdout).toContain(commit.slice(0, 12));
    expect((await startKnack(folder, ["update", "--yes"], TRUST)).stdout).toMatch(/^updated one/);
    expect((await startKnack(folder, ["verify", "--strict"])).code).toBe(0);
    expect(entryOf(readFileSync(folder.at("repo/skills.lock"), "utf8"), "one")).toMatchObject({
      source: url,
      ref: "main",
      commit,
    });
  });

  it("gives a commit that no branch ends with", async () => {
    using folder = makeSources();
    const first = git(folder.at("src"), ["rev-parse", "HEAD"]).trim();
    change(folder, { "skills/three/SKILL.md": skillText("three") });
    await using server = await serveGit(folder.path);
    const { json } = await startKnack(folder, ["add", `${server.url}/src/.git#${first}`, "--list", "--json"]);
    expect(json()).toMatchObject({ commit: first, skills: [{ name: "one" }, { name: "two" }] });
  });

  it("sends the password in the address and prints it nowhere; without a password it does not prompt", async () => {
    using folder = makeSources();
    await using server = await serveGit(folder.path, "me:s3cret");
    const refused = await startKnack(folder, ["add", `${server.url}/src/.git`, "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("you have no access");
    const url = `${server.url.replace("://", "://me:s3cret@")}/src/.git`;
    const { code, stdout, stderr } = await startKnack(folder, ["add", url, "--yes"]);
    const lock = readFileSync(folder.at("repo/skills.lock"), "utf8");
    expect(code).toBe(0);
    expect(`${stdout}${stderr}${lock}`).not.toContain("s3cret");
    expect(lock).toContain(`"source": "${server.url}/src/.git`);
  });

  it("that breaks off leaves nothing", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    await using server = await serve((request, response) => {
      response.setHeader("content-type", "application/x-git-upload-pack-advertisement");
      response.write("001e# service=git-upload-pack\n");
      setTimeout(() => request.destroy(), 20);
    });
    const { code, stderr } = await startKnack(folder, ["add", `${server.url}/x.git`, "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("could not be fetched");
    expect(existsSync(folder.at("repo/.agents"))).toBe(false);
    expect(existsSync(folder.at("repo/.knack/install"))).toBe(false);
  });
});

describe("an archive at an address", () => {
  it("is downloaded, installed and seen when it changes, with the top folder left out", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    let [bytes, name] = [await tarball("pack-1.0", "First."), "/a.tar.gz"];
    await using server = await serve((request, response) => {
      if (request.url === "/moved.tgz") response.writeHead(302, { location: name }).end();
      else response.end(bytes);
    });
    expect((await startKnack(folder, ["add", `${server.url}/moved.tgz`, "--yes"])).code).toBe(0);
    const entry = entryOf(readFileSync(folder.at("repo/skills.lock"), "utf8"), "one");
    expect(entry).toMatchObject({
      path: "skills/one",
      commit: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect((await startKnack(folder, ["outdated"], TRUST)).stderr).toContain("up to date");
    bytes = await tarball("pack-1.1", "Second.");
    name = "/b.tar.gz";
    expect((await startKnack(folder, ["outdated"], TRUST)).stdout).toMatch(/^one /m);
    expect((await startKnack(folder, ["update", "--yes"], TRUST)).stdout).toMatch(/^updated one/);
    expect(readFileSync(folder.at(REPO, "one/SKILL.md"), "utf8")).toContain("Second.");
  });

  it("may be a zip; one that is cut off, or not there, leaves nothing", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    const zip = makeZip([{ name: "one/SKILL.md", content: skillText("one") }]);
    await using server = await serve((request, response) => {
      if (request.url === "/good.zip") response.end(zip);
      else if (request.url === "/cut.zip") {
        response.writeHead(200, { "content-length": String(zip.length) }).write(zip.subarray(0, 50));
        setTimeout(() => response.destroy(), 20);
      } else response.writeHead(404).end();
    });
    const cut = await startKnack(folder, ["add", `${server.url}/cut.zip`, "--yes"]);
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining("could not be downloaded") });
    const missing = await startKnack(folder, ["add", `${server.url}/none.zip`, "--yes"]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("the server answered 404") });
    expect(existsSync(folder.at("repo/.agents"))).toBe(false);
    expect((await startKnack(folder, ["add", `${server.url}/good.zip`, "--yes"])).code).toBe(0);
  });
});

describe("an npm package", () => {
  it("comes through the user's npm, with its integrity in the lock, and none of its scripts runs", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/.npmrc": "registry=http://127.0.0.1:9/\n",
      "repo/package.json": "{}",
    });
    const versions = new Map([["1.0.0", await tarball("package", "First.")]]);
    await using server = await serveRegistry("@team/skills", versions);
    folder.write({ "home/.npmrc": `@team:registry=${server.url}/\ncache=${folder.at("npm-cache")}\n` });
    expect(await startKnack(folder, ["add", "npm:@team/skills", "--yes"])).toMatchObject({ code: 0 });
    const entry = entryOf(readFileSync(folder.at("repo/skills.lock"), "utf8"), "one");
    expect(entry).toMatchObject({
      source: "npm:@team/skills",
      commit: expect.stringMatching(/^1\.0\.0 sha512-/),
      path: "skills/one",
    });
    expect((await startKnack(folder, ["outdated"], TRUST)).stderr).toContain("up to date");
    versions.set("1.1.0", await tarball("package", "Second."));
    folder.write({ "home/.npmrc": `@team:registry=${server.url}/\ncache=${folder.at("npm-cache-2")}\n` });
    expect((await startKnack(folder, ["outdated"], TRUST)).stdout).toMatch(/1\.0\.0 +1\.1\.0/);
    expect((await startKnack(folder, ["update", "--yes"], TRUST)).stdout).toBe(
      "updated one: 1.0.0 -> 1.1.0\n",
    );
    for (const place of ["repo/ran", "ran", "home/ran"]) expect(existsSync(folder.at(place))).toBe(false);
  });

  it("with other bytes than its registry names is refused, and one that is not there is named", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    await using server = await serveRegistry(
      "pack",
      new Map([["1.0.0", await tarball("package", "First.")]]),
      true,
    );
    folder.write({
      "home/.npmrc": `registry=${server.url}/\ncache=${folder.at("npm-cache")}\nfetch-retries=0\n`,
    });
    const lying = await startKnack(folder, ["add", "npm:pack", "--yes"]);
    expect(lying).toMatchObject({ code: 1, stderr: expect.stringMatching(/integrity|content/i) });
    await using old = await serveRegistry(
      "old",
      new Map([["1.0.0", await tarball("package", "First.")]]),
      false,
      true,
    );
    const env = { npm_config_registry: old.url };
    const named = await startKnack(folder, ["add", "npm:old", "--yes"], env);
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining("names no SHA-512") });
    const none = await startKnack(folder, ["add", "npm:none@2", "--yes"]);
    expect(none.stderr).toContain(
      "npm:none@2 could not be fetched: the registry has no such package or version.",
    );
    expect(existsSync(folder.at("repo/.agents"))).toBe(false);
  });
});
