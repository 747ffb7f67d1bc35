/**
 * Environment variables that make a program run foreign code: loaders, interpreters, shells. A name that ends with `*` is a
 * prefix. Case does not matter, as on Windows.
 */
export const LOADER_VARIABLES = [
  // The system's loader and C library.
  ...["LD_*", "DYLD_*", "GCONV_PATH", "LOCPATH", "MALLOC_*", "GLIBC_*"],
  // OpenSSL loads engines and providers that its configuration names.
  "OPENSSL_*",
  // Node and Bun.
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_V8_COVERAGE", "NODE_REPL_EXTERNAL_MODULE", "BUN_OPTIONS"],
  // Other interpreters.
  ...["PYTHON*", "PERL*", "RUBYOPT", "RUBYLIB"],
  ...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"],
  // Shells.
  ...["BASH", "BASH_*", "ENV", "IFS"],
] as const;

const NAMES = new RegExp(`^(?:${LOADER_VARIABLES.map((name) => name.replace("*", ".*")).join("|")})$`, "is");

export function loadsForeignCode(name: string): boolean {
  return NAMES.test(name);
}
