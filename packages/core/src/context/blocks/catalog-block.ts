import type { SkillMetadata } from "../../skill/schema.ts";
import { type Extent, isTruncated, layOutCatalog, layOutDescription, layOutEntry } from "./catalog-layout.ts";
import { oneLine } from "./escape.ts";
import { commonLength, fits, shorten } from "./fit-descriptions.ts";
import { forModels } from "./for-models.ts";

/** The catalog as it goes into a system prompt. */
export interface CatalogBlock {
  /** `<skills_context>…</skills_context>`, or empty if not even a pointer to `skill_search` fits. */
  readonly text: string;
  /** Something of a skill that a model may use is missing. */
  readonly truncated: boolean;
  readonly shown: number;
  readonly total: number;
  readonly bytes: number;
}

export interface CatalogLimits {
  readonly maxEntries: number;
  /** Of the whole block, in UTF-8. */
  readonly maxBytes: number;
}

/**
 * As much of the catalog as the limits allow. What is cut, in this order: the length of descriptions, all
 * descriptions, entries from the end, the rules of use, the block. The same skills and limits give the same bytes, so
 * that a model's prompt cache holds.
 */
export function renderCatalogBlock(skills: readonly SkillMetadata[], limits: CatalogLimits): CatalogBlock {
  const visible = forModels(skills);
  const total = visible.length;
  const wanted = visible.slice(0, limits.maxEntries);
  const bare = bytesOfBareEntries(wanted, limits.maxBytes);
  const described =
    bare.length === wanted.length ? describe(wanted, total, sum(bare), limits.maxBytes) : undefined;
  return (
    described ??
    name(wanted, total, bare, limits.maxBytes) ??
    block({ shown: 0, total, descriptions: "whole" }, "")
  );
}

/** The sizes of entries without descriptions, up to the limit: the rest of a very long catalog is not rendered. */
function bytesOfBareEntries(skills: readonly SkillMetadata[], maxBytes: number): number[] {
  const bytes: number[] = [];
  let used = 0;
  for (const skill of skills) {
    const entry = Buffer.byteLength(layOutEntry(skill, ""));
    used += entry;
    if (used > maxBytes) break;
    bytes.push(entry);
  }
  return bytes;
}

/** All skills, with descriptions as long as fit. */
function describe(
  skills: readonly SkillMetadata[],
  total: number,
  bare: number,
  maxBytes: number,
): CatalogBlock | undefined {
  const descriptions = skills.map((skill) => oneLine(skill.description));
  const withLength = (extent: Extent, length: number): CatalogBlock => {
    const entries = skills.map((skill, index) =>
      layOutEntry(skill, shorten(descriptions[index] ?? "", length, bytesOfDescription)),
    );
    return block(extent, layOutCatalog(extent, entries));
  };
  const whole: Extent = { shown: skills.length, total, descriptions: "whole" };
  const shortened: Extent = { ...whole, descriptions: "shortened" };
  const roomFor = (extent: Extent): number => maxBytes - bare - bytesOfFrame(extent);
  if (fits(descriptions, Number.POSITIVE_INFINITY, roomFor(whole), bytesOfDescription))
    return withLength(whole, Number.POSITIVE_INFINITY);
  const length = commonLength(descriptions, roomFor(shortened), bytesOfDescription);
  return length === undefined ? undefined : withLength(shortened, length);
}

/** As many skills as fit, without descriptions. */
function name(
  skills: readonly SkillMetadata[],
  total: number,
  bare: readonly number[],
  maxBytes: number,
): CatalogBlock | undefined {
  let used = sum(bare);
  for (let shown = bare.length; shown >= 0; shown--) {
    const extent: Extent = { shown, total, descriptions: "left out" };
    if (used + bytesOfFrame(extent) <= maxBytes) {
      const entries = skills.slice(0, shown).map((skill) => layOutEntry(skill, ""));
      return block(extent, layOutCatalog(extent, entries));
    }
    used -= bare[shown - 1] ?? 0;
  }
  return undefined;
}

function block(extent: Extent, text: string): CatalogBlock {
  const { shown, total } = extent;
  return { text, truncated: isTruncated(extent), shown, total, bytes: Buffer.byteLength(text) };
}

function bytesOfDescription(description: string): number {
  return Buffer.byteLength(layOutDescription(description));
}

function bytesOfFrame(extent: Extent): number {
  return Buffer.byteLength(layOutCatalog(extent, []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
