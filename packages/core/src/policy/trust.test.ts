import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../testing/files.ts";
import { type Approval, approvalsOf, isApproved, isTrusted, setTrusted } from "./trust.ts";

const place = (folder: Folder, env: NodeJS.ProcessEnv = {}) => ({ env, home: folder.at("home") });

describe("trust", () => {
  it("is given to no project until the user says so, can be taken back, and leaves that of others alone", async () => {
    using folder = makeFolder();
    const trusted = (): boolean[] => ["/a", "/b"].map((path) => isTrusted(path, place(folder)));
    expect([await setTrusted("/a", false, place(folder)), ...trusted()]).toEqual([false, false, false]);
    expect([await setTrusted("/b", true, place(folder)), ...trusted()]).toEqual([true, false, true]);
    expect([await setTrusted("/a", true, place(folder)), ...trusted()]).toEqual([true, true, true]);
    expect([await setTrusted("/a", true, place(folder)), ...trusted()]).toEqual([false, true, true]);
    expect([await setTrusted("/b", false, place(folder)), ...trusted()]).toEqual([true, true, false]);
  });

  it("is of one path: neither what is above, below nor beside it", async () => {
    using folder = makeFolder();
    await setTrusted("/srv/app", true, place(folder));
    for (const path of ["/srv", "/srv/app/sub", "/srv/app-evil", "/srv/app/", "/srv/APP"]) {
      expect(isTrusted(path, place(folder))).toBe(false);
    }
  });

  it("is kept in the user's folder alone, readable by the user alone", async () => {
    using folder = makeFolder({ "repo/": "" });
    await setTrusted(folder.at("repo"), true, place(folder));
    expect(readdirSync(folder.at("repo"))).toEqual([]);
    expect(readdirSync(folder.at("home/.knack"))).toEqual(["locks", "trust.json"]);
    expect(statSync(folder.at("home/.knack/trust.json")).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(folder.at("home/.knack/trust.json"), "utf8"))).toEqual({
      version: 1,
      projects: [folder.at("repo")],
    });
  });

  it("moves with KNACK_HOME", async () => {
    using folder = makeFolder();
    const moved = place(folder, { KNACK_HOME: folder.at("moved") });
    await setTrusted("/a", true, moved);
    expect(isTrusted("/a", moved)).toBe(true);
    expect(isTrusted("/a", place(folder))).toBe(false);
  });

  it("is for every project of one process with KNACK_TRUST=all, and with no other word", () => {
    using folder = makeFolder();
    expect(isTrusted("/a", place(folder, { KNACK_TRUST: "all" }))).toBe(true);
    for (const word of ["", "1", "true", "ALL", "all ", "/a"]) {
      expect(isTrusted("/a", place(folder, { KNACK_TRUST: word }))).toBe(false);
    }
  });

  const wrong = ['{"projects":"/a"}', '{"projects":[1]}', '{"projects":["/a"]', "", "no json", "[]", "null"];
  const approved = ["[1]", '{"/a":[1]}', '{"/a":[{"skill":"x"}]}'];
  it.each([...wrong, ...approved.map((value) => `{"projects":[],"approved":${value}}`)])(
    "in a file that reads %j is an error that names it: it is neither believed nor forgotten",
    async (text) => {
      using folder = makeFolder({ "home/.knack/trust.json": text });
      const named = expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(folder.at("home/.knack/trust.json")),
      });
      expect(() => isTrusted("/a", place(folder))).toThrow(named);
      await expect(setTrusted("/a", true, place(folder))).rejects.toThrow(named);
      expect(readFileSync(folder.at("home/.knack/trust.json"), "utf8")).toBe(text);
    },
  );

  it("in a file that cannot be read is such an error too", () => {
    using folder = makeFolder();
    mkdirSync(folder.at("home/.knack/trust.json"), { recursive: true });
    expect(() => isTrusted("/a", place(folder))).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("of a typed skill is bound to its digest: a changed byte or entry asks again", async () => {
    using folder = makeFolder();
    const approval = (digest: string): Approval => ({ skill: `of-${digest}`, digest, code: "c", entry: {} });
    const approved = (digest: string, env = {}) => isApproved("/a", digest, place(folder, env));
    expect(approved("d1")).toBe(false);
    await setTrusted("/a", true, place(folder), [approval("d2"), approval("d1")]);
    expect([approved("d1"), approved("d2"), approved("d3")]).toEqual([true, true, false]);
    expect(isApproved("/b", "d1", place(folder))).toBe(false);
    expect(await setTrusted("/a", true, place(folder), [approval("d1"), approval("d2")])).toBe(false);
    expect(await setTrusted("/a", true, place(folder), [approval("d3")])).toBe(true);
    expect([approved("d1"), approved("d3")]).toEqual([false, true]);
    await setTrusted("/b", true, place(folder));
    expect(approved("d3")).toBe(true);
    expect(approved("d9", { KNACK_TRUST: "all" })).toBe(true);
    await setTrusted("/a", false, place(folder));
    expect(approved("d3")).toBe(false);
  });

  it("keeps the entry that was approved, unless it is too long to be read as a difference", async () => {
    using folder = makeFolder();
    const entry = { env: ["A"] };
    const long = { params: "x".repeat(100_000) };
    const x = { skill: "x", digest: "1", code: "c", entry };
    const y = { skill: "y", digest: "2", code: "c", entry: long };
    await setTrusted("/a", true, place(folder), [x, y]);
    expect(approvalsOf("/a", place(folder))).toEqual([x, { ...y, entry: null }]);
    expect(approvalsOf("/b", place(folder))).toEqual([]);
  });
});
