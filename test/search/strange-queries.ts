/**
 * Queries that nobody means but anybody can send, by what is strange about them. `common` are frequent words: a search has
 * most to read for those.
 */
export function strangeQueries(common: readonly string[]): ReadonlyMap<string, string> {
  const distinct = Array.from({ length: 10_000 }, (_, i) => `w${i.toString(36)}`);
  const han = Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000)));
  const marks = Array.from({ length: 8_000 }, (_, i) => String.fromCharCode(0x0300 + (i % 0x60)));
  return new Map([
    ["a megabyte of text", "please review the pull request and deploy it. ".repeat(22_800)],
    ["a megabyte of common words", `${common.join(" ")} `.repeat(1_000).slice(0, 1 << 20)],
    ["10,000 distinct words", distinct.join(" ")],
    ["every common word", common.join(" ")],
    ["every common word, a sentence each", common.join(".\n")],
    [
      "every common word, in camel case",
      common.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(""),
    ],
    ["one letter", "s"],
    ["one digit", "1"],
    ["every letter", "abcdefghijklmnopqrstuvwxyz".split("").join(" ")],
    ["one Chinese character", "审"],
    ["nothing", ""],
    ["only punctuation", "!?.,;:-_/\\|()[]{}<>\"'`~@#$%^&*+=".repeat(250)],
    ["only sentence ends", ". ".repeat(4_000)],
    ["only slashes", "/".repeat(8_000)],
    ["only spaces", " ".repeat(100_000)],
    ["only newlines", "\n".repeat(100_000)],
    ["lone surrogates", "\ud800\udc00\udfff\ud83d ".repeat(2_000)],
    ["lone surrogates, the wrong way round", "\udc00\ud800".repeat(4_000)],
    ["a surrogate at the cut", `${"a".repeat(7_999)}😀`],
    ["NULs", "\0".repeat(100_000)],
    ["words with NULs in them", "re\0view\0 ".repeat(1_000)],
    ["emoji", "👩‍👩‍👧‍👦🏳️‍🌈🇪🇺👍🏽".repeat(500)],
    ["right to left", "مراجعة الشيفرة \u202eבדיקת קוד\u202c ".repeat(400)],
    ["100,000 Chinese characters", han.join("")],
    ["Korean syllables taken apart", "한국어 검토".normalize("NFD").repeat(600)],
    ["marks on one letter", `e${marks.join("")}`],
    ["marks of every class, out of order", `a${"\u0315\u0300\u05ae\u0b3c\u0334".repeat(1_600)}`],
    ["marks on one Chinese character", `审${marks.join("")}`],
    ["letters that become eighteen", "\ufdfa".repeat(8_000)],
    ["ligatures and squares", "ﬃ㌖㍿Ⅷ①".repeat(1_600)],
    ["letters that change length with case", "İßŉǰΐﬀ".repeat(1_300)],
    ["one word without an end", "a".repeat(1 << 20)],
    ["one word of many cases", "aB".repeat(4_000)],
    ["one word in another script", "я".repeat(100_000)],
    ["one identifier", "review_".repeat(1_200)],
    ["words of 64 letters", `${"x".repeat(64)} `.repeat(120)],
    ["a bomb for patterns", `${"a".repeat(4_000)}!${"a".repeat(3_999)}`],
    ["another bomb for patterns", "((a+)+)+$(.*)*[^]*(?:a|a)*".repeat(300)],
    ["fences and quotes", "```\"'“‘「『`".repeat(900)],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["names of Object.prototype", "__proto__ constructor toString hasOwnProperty valueOf __defineGetter__"],
    ["a path out", "../".repeat(2_600)],
    ["a path with a drive", "C:\\Windows\\System32\\..\\SKILL.md"],
    ["a URL", "file:///etc/passwd?x=%00%ff#$(id)"],
    ["SQL", "'; DROP TABLE skills; --"],
    ["byte order marks", "\ufeff".repeat(1_000)],
    ["invisible letters", "re\u200bview\u00ad the\u2060 co\u200dde ".repeat(300)],
    ["line ends of all kinds", "review\r\ncode\u2028now\u2029then\u0085end\v\f".repeat(300)],
    ["mathematical letters", "𝓇𝑒𝓋𝒾𝑒𝓌 𝕔𝕠𝕕𝕖 ".repeat(250)],
  ]);
}
