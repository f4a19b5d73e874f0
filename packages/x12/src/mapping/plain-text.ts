/** A comparison form of names: payers differ in case, blanks and punctuation. */
export function plainText(text: string): string {
  if (text === '') return text;
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether two names or ids are alike in that form. */
export function isSamePlain(one: string, other: string): boolean {
  return one === other || plainText(one) === plainText(other);
}
