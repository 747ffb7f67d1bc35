import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { skillText } from "../../../../core/src/testing/files.ts";

/** A package with the skill `one`, in a folder of this name, whose scripts leave a mark where they run. */
export async function tarball(
  folder: string,
  description: string,
  more: Record<string, string> = {},
): Promise<Buffer> {
  const files = {
    "package.json":
      '{"name":"pack","version":"1.0.0","scripts":{"preinstall":"touch ran","prepare":"touch ran","prepack":"touch ran"}}',
    "skills/one/SKILL.md": skillText("one", description),
    ...more,
  };
  return gzipSync(
    await packTar(
      Object.entries(files).map(([name, body]) => ({
        header: { name: `${folder}/${name}`, size: Buffer.byteLength(body) },
        body,
      })),
    ),
  );
}
