import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { fetchSkills } from "./testing/fetch-skills.ts";
import { makeZip } from "./testing/make-zip.ts";

type TarEntries = Parameters<typeof packTar>[0];

const HEAD = {
  header: { name: "x/SKILL.md", size: Buffer.byteLength(skillText("x")) },
  body: skillText("x"),
};

async function faultsOfTar(entries: TarEntries): Promise<readonly string[]> {
  using folder = makeFolder();
  writeFileSync(
    folder.at("a.tgz"),
    gzipSync(await packTar([HEAD, { header: { name: "y/z", size: 0 } }, ...entries])),
  );
  using outcome = await fetchSkills("./a.tgz", folder.path);
  const [skill] = outcome.skills;
  if (skill?.faults.length) await expect(outcome.take()).rejects.toThrow(/refused; nothing was changed/);
  return skill?.faults ?? [];
}

describe("names that lead out, or that other systems cannot have", () => {
  it.each([
    ["x//evil", /absolute path/],
    ["x/C:evil", /absolute path|some systems do not allow/],
    ["x/a\\b", /backslash/],
    ["x/nul", /Windows device/],
    ["x/COM1.txt", /Windows device/],
    ["x/dot.", /ends with a dot or a space/],
    ["x/space ", /ends with a dot or a space/],
    ["x/\u001b[31mred", /some systems do not allow/],
    ["x/\u202eevil", /some systems do not allow/],
    ["x/__proto__", /reserved word/],
    [`x/${"d/".repeat(40)}f`, /32 folders deep/],
    [`x/${"n".repeat(300)}`, /255 bytes/],
  ])("%j is a fault that names it", async (name, said) => {
    const faults = await faultsOfTar([{ header: { name, size: 1, pax: { path: name } }, body: "x" }]);
    expect(faults).toEqual([expect.stringMatching(said)]);
  });

  it.each(["back\\slash", "a//b"])(
    "a skill in the folder %j, which skills.lock cannot name, is refused",
    async (path) => {
      using folder = makeFolder();
      const body = skillText("odd");
      const name = `${path}/SKILL.md`;
      const odd = { header: { name, size: Buffer.byteLength(body), pax: { path: name } }, body };
      writeFileSync(folder.at("a.tgz"), gzipSync(await packTar([HEAD, odd])));
      using outcome = await fetchSkills("./a.tgz", folder.path);
      await expect(outcome.take(["odd"])).rejects.toThrow(/odd is refused.*\n- its folder/);
    },
  );

  it.each(["../evil", "/tmp/evil", "x/../../evil", "x/..", "../up/SKILL.md"])(
    "a tar with the path %j is refused as a whole, as a zip is",
    async (name) => {
      const evil = { header: { name, size: 1, pax: { path: name } }, body: "x" };
      await expect(faultsOfTar([evil])).rejects.toThrow(`The archive is refused: its path "${name}"`);
    },
  );

  it("names that are one on systems without case, or after normalization, are refused with both", async () => {
    const two = (a: string, b: string) => faultsOfTar([a, b].map((name) => ({ header: { name, size: 0 } })));
    expect(await two("x/Read.md", "x/READ.md")).toEqual([
      '"Read.md" and "READ.md" are the same file on some systems',
    ]);
    expect(await two("x/Dir/a", "x/dir/b")).toEqual(['"Dir" and "dir" are the same file on some systems']);
    expect(await two("x/\u00e9", "x/e\u0301")).toHaveLength(1);
    expect(await two("x/a", "x/a/b")).toEqual(['"a" is a file and a folder']);
    expect(await two("x/same", "x/same")).toEqual(['"same" is in it twice']);
    expect(await two("x/skill.md", "x/b")).toEqual([
      '"SKILL.md" and "skill.md" are the same file on some systems',
    ]);
  });
});

describe("what is no file", () => {
  it.each([
    ["/etc/passwd", /outside the skill/],
    ["../y/z", /outside the skill/],
    ["../../../../etc/passwd", /outside the skill/],
    ["missing", /does not exist/],
    [".", /the folder that it is in/],
    ["link", /leads back to itself/],
  ])("a link to %s is a fault that names it", async (linkname, said) => {
    const faults = await faultsOfTar([{ header: { name: "x/link", size: 0, type: "symlink", linkname } }]);
    expect(faults).toEqual([expect.stringMatching(said)]);
    expect(faults[0]).toContain('"x/link" is a link');
  });

  it("hard links, devices and pipes are refused by name", async () => {
    for (const type of ["link", "character-device", "block-device", "fifo"] as const) {
      const faults = await faultsOfTar([
        { header: { name: "x/odd", size: 0, type, linkname: "/etc/passwd" } },
      ]);
      expect(faults).toEqual([expect.stringMatching(/^"x\/odd" is a (?:hard link|device|named pipe)$/)]);
    }
  });

  it("links that multiply each other do not multiply files", async () => {
    const links = Array.from({ length: 30 }, (_, i) => [
      { header: { name: `x/${i}/a`, size: 0, type: "symlink" as const, linkname: `../${i + 1}` } },
      { header: { name: `x/${i}/b`, size: 0, type: "symlink" as const, linkname: `../${i + 1}` } },
    ]).flat();
    const faults = await faultsOfTar([...links, { header: { name: "x/30/f", size: 1 }, body: "x" }]);
    expect(faults).toHaveLength(51);
  });
});

describe("what would take long", () => {
  it("thousands of links, and paths of a million characters, are refused at once", async () => {
    const links = Array.from({ length: 5_000 }, (_, i) => ({
      header: { name: `x/l${i}`, size: 0, type: "symlink" as const, linkname: `l${i + 1}` },
    }));
    expect(await faultsOfTar(links)).toEqual(["it has more than 500 links"]);
    const name = `x/${"d/".repeat(500_000)}f`;
    const faults = await faultsOfTar([{ header: { name, size: 1, pax: { path: name } }, body: "x" }]);
    expect(faults).toEqual([expect.stringMatching(/not valid UTF-8|32 folders deep|400 characters/)]);
  });
});

describe("archives that are not what they say", () => {
  const skill = { name: "x/SKILL.md", content: skillText("x") };
  const take = async (bytes: Uint8Array, name = "a.zip"): Promise<unknown> => {
    using folder = makeFolder({ [name]: bytes });
    using outcome = await fetchSkills(`./${name}`, folder.path);
    return await outcome.take();
  };

  it("a zip bomb is refused by its size, and one that lies about it while it is unpacked", async () => {
    const zeros = Buffer.alloc(70 * 1024 * 1024);
    await expect(take(makeZip([skill, { name: "x/bomb", content: zeros }]))).rejects.toThrow(
      /more than the limit of 64 MiB/,
    );
    await expect(take(makeZip([skill, { name: "x/bomb", content: zeros, claimed: 10 }]))).rejects.toThrow(
      /cannot be read|more than/,
    );
  });

  it("a zip with names that lead out is refused as a whole", async () => {
    for (const name of ["../evil", "/evil", "x\\..\\evil"])
      await expect(take(makeZip([skill, { name, content: "x" }]))).rejects.toThrow(/cannot be read/);
  });

  it("a zip link that leads out is refused", async () => {
    await expect(
      take(makeZip([skill, { name: "x/l", content: "/etc/passwd", mode: 0o120777 }])),
    ).rejects.toThrow(/outside the skill/);
  });

  it("a cut or random archive is an error and no crash", async () => {
    const whole = makeZip([skill]);
    const tar = gzipSync(await packTar([HEAD]));
    for (const bytes of [
      whole.subarray(0, 40),
      Buffer.from("PK"),
      Buffer.alloc(0),
      Buffer.from("x".repeat(2000)),
    ])
      await expect(take(bytes)).rejects.toThrow(/cannot be read|No skills/);
    for (const bytes of [tar.subarray(0, 60), tar.subarray(0, -20)])
      await expect(take(bytes, "a.tgz")).rejects.toThrow(/cannot be read/);
  });
});
