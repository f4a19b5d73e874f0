/** A name as it is compared: folded words without titles and degrees. */
export interface PersonName {
  /** The words of the last name; null where they are not declared. */
  readonly last: readonly string[] | null;
  /** First and middle names; all words where the last name is not known. */
  readonly given: readonly string[];
  /** `SR`, `II`, `III`…; `Jr` is `II`. */
  readonly suffix: string | null;
  /** The placeholder for a newborn's first name, such as `Baby Girl A`; null for any other name. */
  readonly newborn: { readonly sex: 'boy' | 'girl' | null; readonly letter: string | null } | null;
  /** The text of a name that is too long to be compared by its words; null for every other. */
  readonly whole: string | null;
}

/** Comparing words with words costs their product, and the longest names of people have some ten. */
const WORD_COUNT_MAX = 20;

const TITLES: ReadonlySet<string> = new Set('DR MR MRS MS MISS MX PROF REV'.split(' '));

/** Degrees that are never a name, in any place, and those that are: `Do`, `Ma`, `Pa`. */
const DEGREES: ReadonlySet<string> = new Set('MD DDS DMD PHD RN DPM ESQ FACS MBA CPA'.split(' '));
const DEGREES_BEHIND_COMMA: ReadonlySet<string> = new Set('DO NP PA OD DC MA BA BS MS JD LPN'.split(' '));

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['JR', 'II'],
  ['JUNIOR', 'II'],
  ['II', 'II'],
  ['2ND', 'II'],
  ['SR', 'SR'],
  ['SENIOR', 'SR'],
  ['III', 'III'],
  ['3RD', 'III'],
  ['IV', 'IV'],
  ['4TH', 'IV'],
  ['V', 'V'],
]);

/** First or last name, middle name, not known. */
const NO_NAME: ReadonlySet<string> = new Set('FNU LNU NFN NLN NMN NMI UNKNOWN UNK'.split(' '));

/** What is written in place of a newborn's first name, with the sex and, of twins, the letter. */
const NEWBORN =
  /^(?:BABY ?(BOY|GIRL)?|(BB|BG)|NB|(?:NEWBORN|INFANT|TWIN)(?: (BOY|GIRL|MALE|FEMALE))?|(BOY|GIRL))(?: ?([A-D]|[1-4]))?$/;

const NEWBORN_WORD = /^(?:B[ABGO]|GI|IN|N[BE]|TW)/;

/**
 * A name in free text. A comma declares the last name (`SMITH, JANE`), unless only suffixes and degrees follow it. Null
 * for a blank or a placeholder. One of more than 20 words or 500 characters is not divided into its parts.
 */
export function parsePersonName(text: string | null | undefined): PersonName | null {
  if (!text) return null;
  if (text.length > LENGTH_MAX) return wholeName(text);
  const plain = withoutPoints(text);
  const comma = plain.indexOf(',');
  const before = foldWords(comma === -1 ? plain : plain.slice(0, comma));
  const behind = comma === -1 ? [] : foldWords(plain.slice(comma));
  if (before.length + behind.length > WORD_COUNT_MAX) return wholeName([...before, ...behind].join(' '));
  const isDeclared = comma !== -1 && (behind.length === 0 || behind.some(isName));
  const left = before.filter((word) => !NO_NAME.has(word));
  const right = behind.filter(
    (word) => !NO_NAME.has(word) && !(DEGREES_BEHIND_COMMA.has(word) && !isDeclared),
  );
  return isDeclared ? declared(left, right) : undeclared([...left, ...right]);
}

function wholeName(text: string): PersonName {
  return { last: null, given: [], suffix: null, newborn: null, whole: text };
}

/** `M.D.` would be words of one letter. */
function withoutPoints(text: string): string {
  if (!text.includes('.')) return text;
  return text.replaceAll(/\b(?:\p{L}\.){2,}/gu, (points) => {
    const joined = points.replaceAll('.', '').toUpperCase();
    return DEGREES.has(joined) || DEGREES_BEHIND_COMMA.has(joined) ? ` ${joined} ` : points;
  });
}

function isName(word: string): boolean {
  return !SUFFIXES.has(word) && !isTitle(word) && !DEGREES_BEHIND_COMMA.has(word);
}

function declared(left: readonly string[], right: readonly string[]): PersonName | null {
  const [lastWords, suffixOfLast] = withoutSuffix(withoutTitles(left));
  const [words, suffix] = withoutSuffix(right.filter((word) => !isTitle(word)));
  const { given, newborn } = withoutNewborn(isPlaceholder(words) ? [] : words);
  const last = isPlaceholder(lastWords) ? null : lastWords;
  if (last === null && given.length === 0) return null;
  // The other words there are the mother's: `Doe, Baby Boy Jane`.
  return { last, given: newborn === null ? given : [], suffix: suffixOfLast ?? suffix, newborn, whole: null };
}

function undeclared(all: readonly string[]): PersonName | null {
  if (isPlaceholder(all)) return null;
  const [words, suffix] = withoutSuffix(withoutTitles(all));
  const { given, newborn } = withoutNewborn(words);
  if (words.length === 0) return null;
  // A newborn's other words are the family's name.
  return newborn === null
    ? { last: null, given, suffix, newborn, whole: null }
    : { last: given.length > 0 ? given : null, given: [], suffix, newborn, whole: null };
}

/** A name of only titles is a name. */
function withoutTitles(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !isTitle(word));
  return rest.length > 0 ? rest : words;
}

function isTitle(word: string): boolean {
  return TITLES.has(word) || DEGREES.has(word);
}

/** `V` and the words are suffixes only after a name: it may be an initial, and `Junior` a first name. */
function withoutSuffix(words: readonly string[]): [readonly string[], string | null] {
  const place = words.findIndex((word, index) => {
    if (index === 0 || !SUFFIXES.has(word)) return false;
    return /^(V|JUNIOR|SENIOR)$/.test(word) ? index > 1 && index === words.length - 1 : true;
  });
  if (place !== -1) return [words.toSpliced(place, 1), SUFFIXES.get(words[place] ?? '') ?? null];
  const [only = ''] = words;
  return words.length === 1 && /^(JR|SR|II|III|IV)$/.test(only)
    ? [[], SUFFIXES.get(only) ?? null]
    : [words, null];
}

/** First or last in the name: `Baby Boy Smith`, `Smith BB`. The longest that fits. */
function withoutNewborn(words: readonly string[]): Pick<PersonName, 'given' | 'newborn'> {
  if (!words.some((word) => NEWBORN_WORD.test(word))) return { given: words, newborn: null };
  for (let count = Math.min(3, words.length); count > 0; count--) {
    for (const start of [0, words.length - count]) {
      const [found, ...groups] = NEWBORN.exec(words.slice(start, start + count).join(' ')) ?? [];
      if (found === undefined) continue;
      const letter = groups.pop();
      const sex = groups.find((group) => group !== undefined);
      const isGirl = sex !== undefined && /^(GIRL|BG|FEMALE)$/.test(sex);
      const newborn = {
        sex: sex === undefined ? null : isGirl ? 'girl' : 'boy',
        letter: letter ?? null,
      } as const;
      return { given: words.toSpliced(start, count), newborn };
    }
  }
  return { given: words, newborn: null };
}

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

/**
 * The first letters of the first and of the last word of a name, as in `J. D.`: enough for a reader who knows the patient.
 * @returns null for a name without letters, and without a name.
 */
export function initialsOf(name: string | null | undefined): string | null {
  const letters = (name ?? '').split(/[\s,]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first] = letters;
  const last = letters.length > 1 ? letters.at(-1) : undefined;
  const shown = [first, last].flatMap((letter) => (letter ? `${letter.toUpperCase()}.` : []));
  return shown.length === 0 ? null : shown.join(' ');
}
