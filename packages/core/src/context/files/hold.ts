import { existsSync } from "node:fs";
import type { Hold } from "./held.ts";
import { holdByIdentity } from "./hold-by-identity.ts";
import { holdByKernel } from "./hold-by-kernel.ts";

/** The safest way that this system offers. */
export const hold: Hold = (path, isAllowed) => {
  const kernelTells = process.platform === "linux" && existsSync("/proc/self/fd");
  return (kernelTells ? holdByKernel : holdByIdentity)(path, isAllowed);
};
