/**
 * Characters that a reader does not see, or that change what is seen: controls and line breaks, bidirectional marks, tag
 * characters, variation selectors and all others that Unicode lets a font ignore, unassigned ones, lone surrogates.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Foreign text on one line, with nothing hidden in it: each such character becomes its `\uXXXX`, as JSON writes it. So a
 * patient's name cannot move a terminal's cursor, nor hold words that a model reads and a person does not see.
 */
export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * A text that a spreadsheet would run as a formula, if it stood in a CSV file as it is: one that begins with `=`, `+`,
 * `-` or `@`, also in their full-width forms, after any blanks, or with a tab or a line break (OWASP, CSV injection).
 * For papaparse's `escapeFormulae`, whose own rule passes a text of two lines over.
 */
export const FORMULA = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠\t\r\n]/u;
