/**
 * A text that a spreadsheet would run as a formula, if it stood in a CSV file as it is: one that begins with `=`, `+`,
 * `-` or `@`, also in their full-width forms, after any blanks, or with a tab or a line break (OWASP, CSV injection).
 * For papaparse's `escapeFormulae`, whose own rule passes a text of two lines over.
 */
export const FORMULA = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠\t\r\n]/u;
