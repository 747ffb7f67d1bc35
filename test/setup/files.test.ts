import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLIENTS, FORMATS, makeHome, read, serversIn, setup, snapshot } from "./client-files.ts";

/** Texts that every client with this format accepts. */
function states(client: (typeof CLIENTS)[number]): Record<string, string> {
  const { other, servers } = FORMATS[client];
  const isToml = client === "codex";
  const [top = "", ...inner] = servers.split(" ");
  return {
    "an empty file": "",
    "a file of spaces": " \n\n",
    "an empty document": isToml ? "# nothing yet\n" : "{}",
    "no servers": isToml ? "a = 1\n" : '{ "a": 1 }\n',
    "empty servers": isToml ? "[mcp_servers]\n" : `{\n    "${top}": {}\n}\n`,
    "other servers": other,
    "Windows line ends and a mark before the text": `\ufeff${other.replaceAll("\n", "\r\n")}`,
    "no line end at the end": other.trimEnd(),
    "all on one line": isToml
      ? "a = 1"
      : JSON.stringify({
          a: [1],
          [top]: inner.reduceRight<object>((held, key) => ({ [key]: held }), { x: { command: "x" } }),
        }),
  };
}

describe.each(CLIENTS)("knack setup %s", (client) => {
  const { file, broken, line } = FORMATS[client];
  const path = `home/${file}`;

  it.each(Object.entries(states(client)))(
    "of %s adds the server alone, once, and is undone exactly",
    (_state, text) => {
      using folder = makeHome({ [path]: text });
      chmodSync(folder.at(path), 0o640);
      const before = snapshot(folder);
      const done = setup(folder, [client, "--yes"]);
      expect(done).toMatchObject({ code: 0 });
      expect(done.stdout).toContain("is set up");
      const after = readFileSync(folder.at(path), "utf8");
      const { knack, ...others } = serversIn(client, after);
      expect([knack?.command, knack?.args ?? []].flat().at(-1)).toBe("mcp");
      expect(others).toEqual(serversIn(client, text));
      const outside = (value: Record<string, unknown>) => ({
        ...value,
        $schema: 0,
        hooks: 0,
        [FORMATS[client].servers.split(" ")[0] ?? ""]: 0,
      });
      expect(outside(read(client, after))).toEqual(outside(read(client, text) ?? {}));
      // The layout stays: mark, line ends, mode.
      expect(after.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
      if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      if (text.trim() !== "") expect(after.endsWith("\n")).toBe(text.endsWith("\n"));
      expect(statSync(folder.at(path)).mode & 0o777).toBe(0o640);
      expect(readFileSync(folder.at(`${path}.knack-backup`), "utf8")).toBe(text);

      const again = setup(folder, [client, "--yes"]);
      expect(again).toMatchObject({ code: 0 });
      expect(again.stdout).toContain("is already set up");
      expect(readFileSync(folder.at(path), "utf8")).toBe(after);

      const undone = setup(folder, [client, "--remove", "--yes"]);
      expect(undone).toMatchObject({ code: 0 });
      expect(snapshot(folder)).toEqual(before);
      expect(setup(folder, [client, "--remove", "--yes"]).stdout).toContain("is not set up");
    },
  );

  it("makes a missing file, for the user alone, and removes it again", () => {
    using folder = makeHome();
    expect(setup(folder, [client, "--yes"]).code).toBe(0);
    expect(statSync(folder.at(path)).mode & 0o777).toBe(0o600);
    expect(serversIn(client, readFileSync(folder.at(path), "utf8"))).toHaveProperty("knack");
    expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
    expect(snapshot(folder)).toEqual({});
  });

  it("keeps what changed meanwhile when it is removed", () => {
    using folder = makeHome({ [path]: FORMATS[client].other });
    setup(folder, [client, "--yes"]);
    const now = readFileSync(folder.at(path), "utf8");
    const changed =
      client === "codex" ? `${now}\n[later]\nx = 1 # kept\n` : now.replace("{", '{\n  "later": true,');
    writeFileSync(folder.at(path), changed);
    const { code, stderr } = setup(folder, [client, "--remove", "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`The file from before, without later changes: ~/${file}.knack-backup`);
    const left = readFileSync(folder.at(path), "utf8");
    const { later, ...rest } = read(client, left);
    expect(later).toBeDefined();
    expect(rest).toEqual(read(client, FORMATS[client].other));
    for (const comment of FORMATS[client].other.match(/(?:\/\/|#) .*/g) ?? [])
      expect(left).toContain(comment);
  });

  it("says the line of a broken file, and changes nothing", () => {
    using folder = makeHome({ [path]: broken });
    const before = snapshot(folder);
    for (const args of [
      [client, "--yes"],
      [client, "--remove", "--yes"],
      [client, "--remove", "--print"],
    ]) {
      const { code, stdout, stderr } = setup(folder, args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`${file}:${line}: `);
    }
    expect(snapshot(folder)).toEqual(before);
  });

  it("refuses a read-only file", () => {
    using folder = makeHome({ [path]: FORMATS[client].other });
    chmodSync(folder.at(path), 0o444);
    const before = snapshot(folder);
    const { code, stderr } = setup(folder, [client, "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is read-only");
    expect(snapshot(folder)).toEqual(before);
  });

  it("follows a link to the file that it means, and leaves the link", () => {
    using folder = makeHome({ "home/dotfiles/theirs": FORMATS[client].other });
    const up = "../".repeat(file.split("/").length - 1);
    folder.write({ "home/dotfiles/second": { link: "theirs" }, [path]: { link: `${up}dotfiles/second` } });
    const before = snapshot(folder);
    const { code, stderr } = setup(folder, [client, "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toContain("~/dotfiles/theirs was changed");
    expect(serversIn(client, readFileSync(folder.at("home/dotfiles/theirs"), "utf8"))).toHaveProperty(
      "knack",
    );
    expect(snapshot(folder)[file]).toBe(before[file]);
    setup(folder, [client, "--remove", "--yes"]);
    expect(snapshot(folder)).toEqual(before);
  });

  it("a link to nothing leads to the new file, a circle to nowhere", () => {
    using folder = makeHome({ "home/dotfiles/": "", [path]: { link: "missing" } });
    const before = snapshot(folder);
    expect(setup(folder, [client, "--yes"]).code).toBe(0);
    expect(snapshot(folder)[file]).toBe("link to missing");
    expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
    expect(snapshot(folder)).toEqual(before);
    using round = makeHome({ [path]: { link: file.split("/").at(-1) ?? "" } });
    expect(setup(round, [client, "--yes"])).toMatchObject({ code: 1 });
  });

  it("shows the change before it asks, and --remove --print without asking", () => {
    using folder = makeHome({ [path]: FORMATS[client].other });
    const before = snapshot(folder);
    const { code, stderr } = setup(folder, [client]);
    expect(code).toBe(2);
    expect(stderr).toContain("--yes");
    expect(stderr).toContain(`~/${file}`);
    expect(stderr).toMatch(/^\+.*knack/m);
    // Nothing of other servers.
    expect(stderr).not.toContain("ghp_secret");
    expect(setup(folder, [client, "--print"]).code).toBe(0);
    expect(snapshot(folder)).toEqual(before);
    setup(folder, [client, "--yes"]);
    const setUp = snapshot(folder);
    const removal = setup(folder, [client, "--remove", "--print"]);
    expect(removal.code).toBe(0);
    expect(removal.stdout).toMatch(/^-.*knack/m);
    expect(removal.stdout).not.toContain("ghp_secret");
    expect(snapshot(folder)).toEqual(setUp);
  });
});
