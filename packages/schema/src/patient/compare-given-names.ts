import { isShortForm, isSpelling } from './short-forms.ts';

export type Words = readonly string[];

/** How the given names compare. */
export interface GivenComparison {
  readonly kind: 'agree' | 'one_sided' | 'unclear' | 'differ';
  readonly isLoose: boolean;
  readonly middlesDiffer: boolean;
  /** The first name of one side is a middle name of the other. */
  readonly isByMiddle: boolean;
}

export const DIFFERENT: GivenComparison = {
  kind: 'differ',
  isLoose: false,
  middlesDiffer: false,
  isByMiddle: false,
};

/** First and middle names, in the order of each side. */
export function compareGiven(one: Words, other: Words): GivenComparison {
  if (one.length === 0 || other.length === 0)
    return { ...DIFFERENT, kind: 'one_sided', isLoose: one.length + other.length > 0 };
  for (let to = Math.min(one.length, RUN_LENGTH_MAX); to > 0; to--) {
    const text = textOfRun(one, [0, to]);
    for (let otherTo = Math.min(other.length, RUN_LENGTH_MAX); otherTo > 0; otherTo--)
      if (text === textOfRun(other, [0, otherTo]))
        return withMiddles(one.slice(to), other.slice(otherTo), to === 1 && one[0]?.length === 1);
  }
  const [[first = '', ...rest], [otherFirst = '', ...otherRest]] = [one, other];
  if (isSpelling(first, otherFirst)) return withMiddles(rest, otherRest, false);
  if (isShortForm(first, otherFirst)) return withMiddles(rest, otherRest, true);
  // Who goes by the middle name.
  if (rest.includes(otherFirst) || otherRest.includes(first))
    return { ...DIFFERENT, kind: 'agree', isLoose: true, isByMiddle: true };
  const isUnclear = isUnclearPair(first, otherFirst) || haveTwoScripts(one, other);
  return { ...DIFFERENT, kind: isUnclear ? 'unclear' : 'differ' };
}

function withMiddles(one: Words, other: Words, isLoose: boolean): GivenComparison {
  const agree = (word: string, another: string) =>
    word === another || isInitial(word, another) || isSpelling(word, another) || isShortForm(word, another);
  const areGiven = one.length > 0 && other.length > 0;
  const middlesDiffer = areGiven && !one.some((word) => other.some((another) => agree(word, another)));
  return {
    ...DIFFERENT,
    kind: 'agree',
    isLoose,
    middlesDiffer: middlesDiffer && one.join('') !== other.join(''),
  };
}

const RANKS = { agree: 0, one_sided: 1, unclear: 2, differ: 3 } as const;

export function bestOf(ways: readonly GivenComparison[]): GivenComparison {
  return ways.reduce((best, way) => (RANKS[way.kind] < RANKS[best.kind] ? way : best), DIFFERENT);
}

/** Whether one word may mean the other without being a listed form of it: an initial, or its beginning. */
export function isUnclearPair(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Whether one is the first letter of the other. */
export function isInitial(one: string, other: string): boolean {
  return (one.length === 1 || other.length === 1) && isUnclearPair(one, other);
}

/** Whether no letter of one is of a script of the other. */
export function haveTwoScripts(one: Words, other: Words): boolean {
  const scripts = scriptsOf(one);
  const others = scriptsOf(other);
  return scripts.length > 0 && others.length > 0 && !scripts.some((script) => others.includes(script));
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Arabic',
  'Hebrew',
].map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const ANY_OTHER = /\p{L}/u;

function scriptsOf(words: Words): RegExp[] {
  const text = words.join('');
  const found = SCRIPTS.filter((script) => script.test(text));
  return found.length === 0 && ANY_OTHER.test(text) ? [ANY_OTHER] : found;
}

/** Words in a row: the first, and the one after the last. */
type Run = readonly [from: number, to: number];

/** All runs of words, the longest first. */
export function runsOf(words: Words): Run[] {
  const runs: Run[] = [];
  for (let length = Math.min(words.length, RUN_LENGTH_MAX); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) runs.push([from, from + length]);
  return runs;
}

/** Without blanks. */
export function textOfRun(words: Words, [from, to]: Run): string {
  return to - from === 1 ? (words[from] ?? '') : words.slice(from, to).join('');
}

/** `de la Cruz` is three words, and written as one elsewhere. */
const RUN_LENGTH_MAX = 4;
