import { request } from "./client.ts";

/** The bytes at an address, which needs the token and so cannot be the source of a picture or link. */
export async function fetchBlob(url: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(url, signal ? { signal } : {})).blob();
}

/** Saves what is at an address as a file of this name. */
export async function download(url: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchBlob(url));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
