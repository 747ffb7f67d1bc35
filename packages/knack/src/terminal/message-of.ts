/** What an error says; a refusal of the operating system says which path it was about. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("syscall" in error && "code" in error && "path" in error) {
    return `The system call ${error.syscall} failed for ${error.path} (${error.code}).`;
  }
  return error.message;
}
