import type { Delimiters } from '../tokenizing/delimiters.ts';

/** Letters that Unicode does not decompose, as payers' records spell them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
};

/**
 * Makes a text fit for an element: printable ASCII, letters without diacritics, no delimiter, so that no value can
 * end its element. What has no such form becomes a blank; blanks are collapsed and trimmed.
 */
export function cleanText(text: string, delimiters: Delimiters): string {
  if (isClean(text, delimiters)) return text;
  let clean = '';
  for (const char of text.normalize('NFKD')) {
    const plain = PLAIN[char] ?? char;
    if (/\p{Mn}/u.test(plain)) continue;
    const isDelimiter = Object.values(delimiters).includes(plain);
    clean += isDelimiter || !/^[ -~]+$/.test(plain) ? ' ' : plain;
  }
  return clean.replaceAll(/ +/g, ' ').trim();
}

/** Nearly all texts are clean already, and checking costs a tenth of cleaning. */
function isClean(text: string, { element, component, segment, repetition }: Delimiters): boolean {
  if (!/^(?:[!-~]+(?: [!-~]+)*)?$/.test(text)) return false;
  const holds = (delimiter: string | null) => delimiter !== null && text.includes(delimiter);
  return !holds(element) && !holds(component) && !holds(segment) && !holds(repetition);
}
