/** Letters that are no letter with an accent to Unicode, and how they are written without it. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  Ł: 'L',
  Ø: 'O',
  Đ: 'D',
  Ð: 'D',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'N',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  ẞ: 'SS',
};

/** Letters that one family writes either way. */
const SPELLINGS: Readonly<Record<string, string>> = { SAINT: 'ST' };

/** Nobody has a longer name or id. Comparing words with words costs their product. */
export const LENGTH_MAX = 200;

/**
 * The words of a name in the one form in which names are compared: capitals without accents and punctuation. Apostrophes
 * join (`O'Neil`), any other punctuation divides; initials with points are words of one letter.
 */
export function foldWords(text: string): string[] {
  return text
    .slice(0, LENGTH_MAX)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[ŁØĐÐĦŦŊÆŒÞẞ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(/['’‘`´ʼʻ]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => SPELLINGS[word] ?? word);
}

/** Whether what the texts hold is no name, id or date but a word for "we do not have it". */
export function isPlaceholder(words: readonly string[]): boolean {
  const text = words.join('');
  return text === '' || PLACEHOLDERS.has(text) || /^0+$/.test(text) || /^(X{3,}|9{5,})$/.test(text);
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'UNKNOWN UNK UNKN UNKNOWNUNKNOWN UNSPECIFIED NA NONE NULL NIL UNDEFINED NOTGIVEN NOTAVAILABLE NOTAPPLICABLE NOTPROVIDED NOTKNOWN NOTONFILE NODATA NOTSURE MISSING TBD TBA PENDING BLANK EMPTY ANONYMOUS'.split(
    ' ',
  ),
);
