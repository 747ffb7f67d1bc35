import { statfsSync } from "node:fs";

/**
 * File systems of which Linux tells every change: all of them pass through this kernel. What is shared with another machine,
 * or served by a program, can change without a word. overlayfs is here because it has inodes of its own, of which the kernel
 * tells; what is changed underneath a mounted one is undefined anyway.
 */
const LOCAL: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x01021994, "tmpfs"],
  [0x858458f6, "ramfs"],
  [0xf2f52010, "f2fs"],
  [0x2fc12fc1, "zfs"],
  [0xca451a4e, "bcachefs"],
  [0x3153464a, "jfs"],
  [0x52654973, "reiserfs"],
  [0x3434, "nilfs2"],
  [0x794c7630, "overlayfs"],
  [0x73717368, "squashfs"],
  [0xe0f5e1e2, "erofs"],
]);

/** For a sentence: those that people meet. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x786f4256, "vboxsf"],
  [0x00c36400, "Ceph"],
]);

/** Why changes in this folder may go unreported, or `undefined` if they are reported. */
export function whyNotTold(folder: string): string | undefined {
  if (process.platform !== "linux") return `on ${process.platform} not every change is reported`;
  const { type } = statfsSync(folder);
  if (LOCAL.has(type)) return undefined;
  const name = OTHERS.get(type) ?? `a file system of type 0x${type.toString(16)}`;
  return `${folder} is on ${name}, which does not report every change`;
}
