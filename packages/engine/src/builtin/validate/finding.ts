/** Something that a document does not have as it should, and where: the line of the file, its front matter counted. */
export interface Finding {
  readonly rule: string;
  readonly line: number;
  readonly message: string;
}
