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

/** Names and ids of more characters are not divided into words: they are compared as whole texts. */
export const LENGTH_MAX = 500;

/**
 * The words of a name in the one form in which names are compared: capitals without accents and punctuation. Apostrophes
 * join (`O'Neil`), any other punctuation divides; initials with points are words of one letter; `Saint` is `St`.
 * @param text of {@link LENGTH_MAX} characters at most.
 */
export function foldWords(text: string): string[] {
  const words = PLAIN.test(text)
    ? wordsOfPlain(text.toUpperCase())
    : (withoutAccents(text).replaceAll(APOSTROPHES, '').match(WORDS) ?? []);
  return words.includes('SAINT') ? words.map((word) => (word === 'SAINT' ? 'ST' : word)) : words;
}

/** ASCII without apostrophes: nearly all names and ids. What is for others is three times as slow. */
const PLAIN = /^[ -&(-_a-~]*$/;
const WORDS = /[\p{L}\p{N}]+/gu;
const APOSTROPHES = /['’‘`´ʼʻ]/g;

/** By hand: a regular expression takes four times as long. */
function wordsOfPlain(capitals: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let index = 0; index < capitals.length; index++) {
    const code = capitals.charCodeAt(index);
    const isOfWord = (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
    if (isOfWord) continue;
    if (index > start) words.push(capitals.slice(start, index));
    start = index + 1;
  }
  if (start < capitals.length) words.push(capitals.slice(start));
  return words;
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[ŁØĐÐĦŦŊÆŒÞẞ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Whether what the texts hold is no name, id or date but a word for "we do not have it". */
export function isPlaceholder(words: readonly string[]): boolean {
  const text = words.length === 1 ? (words[0] ?? '') : words.join('');
  return text === '' || PLACEHOLDERS.has(text) || /^(?:0+|X{3,}|9{5,})$/.test(text);
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'UNKNOWN UNK UNKN UNKNOWNUNKNOWN UNSPECIFIED NA NONE NULL NIL UNDEFINED NOTGIVEN NOTAVAILABLE NOTAPPLICABLE NOTPROVIDED NOTKNOWN NOTONFILE NODATA NOTSURE MISSING TBD TBA PENDING BLANK EMPTY ANONYMOUS'.split(
    ' ',
  ),
);
