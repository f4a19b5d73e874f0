/** A comparison form of names: payers differ in case, blanks and punctuation. */
export function plainText(text: string): string {
  if (text === '') return text;
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
