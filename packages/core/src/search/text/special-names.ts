/** Languages and platforms whose sign is part of the name: "C#" is not "C". Each is one word, spelt as in `csharp`. */
const SIGNS =
  /(?<![A-Za-z0-9])([CcFf])#(?![A-Za-z0-9])|(?<![A-Za-z0-9])[Cc]\+\+(?!\+)|(?<![A-Za-z0-9])\.(?:NET|Net|net)(?![A-Za-z0-9])|(?<=[A-Za-z])\.NET(?![A-Za-z0-9])/g;

/** Spells out such names. Nearly all texts have none and are returned as they are. */
export function spellOutNames(text: string): string {
  if (!text.includes("#") && !text.includes("++") && !/\.net/i.test(text)) return text;
  return text.replace(SIGNS, (name, letter?: string) =>
    letter ? `${letter.toLowerCase()}sharp ` : name.endsWith("+") ? "cpp " : " dotnet ",
  );
}
