import { piece } from "./pattern.ts";

/** Words and signs that rules of several files share. */

/** Between a verb and the name: quotation marks, a slash, a namespace. */
export const OPENING = piece`(?:skill\s?[:=]\s?)?["'“‘「『(\[\/*]{0,3}(?:[A-Za-z][\w.-]{0,60}:)?`;
/** Closing marks of a name. */
const CLOSING = "[\"'”’」』`)\\]]{0,2}";
/** Closing marks and the word "skill" after a name, in Japanese and Chinese. */
export const CJK_NAME = piece`${CLOSING}\s?(?:スキル|技能)?\s?`;
/** The start of a heading or an item, with its number or sign. */
export const START = piece`^[\s\W\d]*`;

export const REQUIRED = ["required", "mandatory"];
export const USE = ["use", "run", "invoke", "load", "call", "follow", "apply", "read"];
export const USED = ["used", "run", "invoked", "loaded", "called", "followed"];
