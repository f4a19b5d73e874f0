/** A letter, mark or digit. */
export const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** The letters, marks and digits of a text (NFC), which the service counts positions by. */
export const lettersOf = (text: string): string[] =>
  Array.from(text.normalize()).filter((character) => LETTER.test(character));
