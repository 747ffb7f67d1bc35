/** The shells that `knack completion` has a script for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
