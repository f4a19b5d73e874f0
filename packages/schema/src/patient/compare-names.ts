import type { PersonName } from './person-name.ts';
import { isShortForm, isSpelling } from './short-forms.ts';

/** How two names compare, and what weakens an agreement. */
export interface NameComparison {
  readonly kind: 'agree' | 'not_given' | 'last_differs' | 'first_differs' | 'both_differ' | 'unclear';
  /** Two different suffixes: father and son. */
  readonly suffixesDiffer: boolean;
  /** First and last names were compared, each with its like: enough where the member id does not help. */
  readonly isWhole: boolean;
  /** Not enough without birth dates: a short form, first against middle name, only one first name, only one suffix. */
  readonly isLoose: boolean;
  readonly middlesDiffer: boolean;
}

/**
 * Compares two names. The last name is known where a side declares it; the other words of the other side are given names.
 *
 *     last names agree, first names agree or one is not given         agree
 *     last names differ, first names agree or one is not given        last_differs
 *     last names agree or are not known, first names differ           first_differs
 *     both differ, or no word is shared                               both_differ
 *     an initial or a beginning for a first name, two scripts, or
 *     words that differ next to a shared one, none declared            unclear
 *     a name is not given                                             not_given
 *     one of more than 20 words or 500 characters: the same text      agree, else unclear
 */
export function compareNames(one: PersonName | null, other: PersonName | null): NameComparison {
  if (one && other && (one.whole !== null || other.whole !== null))
    return one.whole === other.whole ? AGREED : UNCLEAR;
  if (one === null || other === null || isNameless(one) || isNameless(other))
    return { ...AGREED, kind: 'not_given', isWhole: false };
  const suffixesDiffer = one.suffix !== null && other.suffix !== null && one.suffix !== other.suffix;
  const isOneSuffix = (one.suffix === null) !== (other.suffix === null);
  const compared =
    one.last !== null && other.last !== null
      ? ofBothDeclared(one, one.last, other, other.last)
      : one.last !== null
        ? ofOneDeclared(one, one.last, other)
        : other.last !== null
          ? ofOneDeclared(other, other.last, one)
          : ofNoneDeclared(one.given, other.given);
  const kind = compared.kind === 'agree' && areTwins(one, other) ? 'first_differs' : compared.kind;
  const isNewborn = one.newborn !== null || other.newborn !== null;
  // Word for word the same is enough, also where it is an initial or a single word.
  const isLoose = (compared.isLoose && textOf(one) !== textOf(other)) || isOneSuffix || isNewborn;
  return { ...compared, kind, suffixesDiffer, isLoose };
}

function textOf({ last, given }: PersonName): string {
  return [...(last ?? []), ',', ...given].join(' ');
}

/** `Baby Boy` and nothing else. */
function isNameless({ last, given }: PersonName): boolean {
  return last === null && given.length === 0;
}

const AGREED: NameComparison = {
  kind: 'agree',
  suffixesDiffer: false,
  isWhole: true,
  isLoose: false,
  middlesDiffer: false,
};

const UNCLEAR: NameComparison = { ...AGREED, kind: 'unclear', isWhole: false };

/** Boy and girl, A and B: two newborns of one family. */
function areTwins({ newborn: one }: PersonName, { newborn: other }: PersonName): boolean {
  if (one === null || other === null) return false;
  const differ = (some: string | null, others: string | null) =>
    some !== null && others !== null && some !== others;
  return differ(one.sex, other.sex) || differ(one.letter, other.letter);
}

function ofBothDeclared(one: PersonName, last: Words, other: PersonName, otherLast: Words): NameComparison {
  const isTurned = last.join('') === other.given.join('') && otherLast.join('') === one.given.join('');
  if (isTurned && last.join('') !== otherLast.join('')) return UNCLEAR;
  return verdict(compareLast(last, otherLast), compareGiven(one.given, other.given));
}

function compareLast(one: Words, other: Words): 'agree' | 'differ' | 'unclear' {
  if (one.join('') === other.join('')) return 'agree';
  // A second surname that one side lacks.
  if (isWithin(one, other) || isWithin(other, one)) return 'agree';
  return haveTwoScripts(one, other) ? 'unclear' : 'differ';
}

function isWithin(some: Words, all: Words): boolean {
  const text = some.join('');
  return runsOf(all).some((run) => textOfRun(all, run) === text);
}

/** The best of all ways to find the declared last name among the words of the other side. */
function ofOneDeclared({ given }: PersonName, last: Words, { given: words }: PersonName): NameComparison {
  const lastText = last.join('');
  const found = runsOf(words).filter((run) => {
    const [from, to] = run;
    return (
      textOfRun(words, run) === lastText || (to - from < last.length && isWithin(words.slice(from, to), last))
    );
  });
  if (found.length > 0) {
    const ways = found.map(([from, to]) => compareGiven(given, words.toSpliced(from, to - from)));
    return verdict('agree', bestOf(ways));
  }
  if (haveTwoScripts([...last, ...given], words)) return UNCLEAR;
  if (words.length === 1) {
    const compared = compareGiven(given, words);
    return compared.kind === 'one_sided' ? verdict('differ', compared) : verdict('not_known', compared);
  }
  // As it is written, the last word is the other last name. The other way round it is a guess.
  const asWritten = compareGiven(given, words.slice(0, -1));
  if (asWritten.kind !== 'differ') return verdict('differ', asWritten);
  const turned = compareGiven(given, words.slice(1));
  return verdict('differ', turned.kind === 'agree' ? { ...turned, kind: 'unclear' } : turned);
}

function ofNoneDeclared(one: Words, other: Words): NameComparison {
  const { rest, otherRest, isLoose } = withoutShared(one, other);
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  const sharedCount = Math.min(one.length - rest.length, other.length - otherRest.length);
  if (rest.length === 0 || otherRest.length === 0) {
    const isFirstAlone = shorter.length === 1 && longer.length > 1;
    const isFirstMissing =
      longer.length > 2 && (rest.length > 0 ? rest : otherRest).includes(longer[0] ?? '');
    return {
      ...AGREED,
      isWhole: !isFirstAlone && !isFirstMissing,
      isLoose: isLoose || isFirstAlone || isFirstMissing,
    };
  }
  if (haveTwoScripts(one, other)) return UNCLEAR;
  const isUnclear = rest.some((word) => otherRest.some((another) => isUnclearPair(word, another)));
  if (sharedCount === 0) return verdict('differ', { ...DIFFERENT, kind: isUnclear ? 'unclear' : 'differ' });
  // John A Smith, John Adam Smith. Next to one shared word it may be the first name's initial.
  const [few, many] = rest.length <= otherRest.length ? [rest, otherRest] : [otherRest, rest];
  if (sharedCount > 1 && few.every((word) => many.some((another) => isInitial(word, another))))
    return { ...AGREED, isLoose };
  return UNCLEAR;
}

/** Both lists without the words that they share, as they are spelled or by a short form. */
function withoutShared(one: Words, other: Words) {
  let [rest, otherRest] = [one, other];
  let isLoose = false;
  const strip = (isEqual: (some: string, others: string) => boolean) => {
    for (const [from, to] of runsOf(rest)) {
      const run = textOfRun(rest, [from, to]);
      const match = runsOf(otherRest).find((another) => isEqual(run, textOfRun(otherRest, another)));
      if (!match) continue;
      rest = rest.toSpliced(from, to - from);
      otherRest = otherRest.toSpliced(match[0], match[1] - match[0]);
      return true;
    }
    return false;
  };
  while (strip((some, others) => some === others));
  while (strip(isSpelling));
  while (strip(isShortForm)) isLoose = true;
  return { rest, otherRest, isLoose };
}

function verdict(last: 'agree' | 'differ' | 'unclear' | 'not_known', given: GivenComparison): NameComparison {
  const { isLoose, middlesDiffer } = given;
  const isWhole = last === 'agree' && given.kind === 'agree' && !given.isByMiddle;
  const facts = { suffixesDiffer: false, isWhole, isLoose, middlesDiffer };
  if (last === 'unclear' || given.kind === 'unclear') return { ...facts, kind: 'unclear' };
  if (given.kind === 'differ') return { ...facts, kind: last === 'agree' ? 'first_differs' : 'both_differ' };
  return { ...facts, kind: last === 'differ' ? 'last_differs' : 'agree' };
}

type Words = readonly string[];

/** How the given names compare. */
interface GivenComparison {
  readonly kind: 'agree' | 'one_sided' | 'unclear' | 'differ';
  readonly isLoose: boolean;
  readonly middlesDiffer: boolean;
  /** The first name of one side is a middle name of the other. */
  readonly isByMiddle: boolean;
}

const DIFFERENT: GivenComparison = {
  kind: 'differ',
  isLoose: false,
  middlesDiffer: false,
  isByMiddle: false,
};

/** First and middle names, in the order of each side. */
function compareGiven(one: Words, other: Words): GivenComparison {
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

function bestOf(ways: readonly GivenComparison[]): GivenComparison {
  return ways.reduce((best, way) => (RANKS[way.kind] < RANKS[best.kind] ? way : best), DIFFERENT);
}

/** Whether one word may mean the other without being a listed form of it: an initial, or its beginning. */
function isUnclearPair(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Whether one is the first letter of the other. */
function isInitial(one: string, other: string): boolean {
  return (one.length === 1 || other.length === 1) && isUnclearPair(one, other);
}

/** Whether no letter of one is of a script of the other. */
function haveTwoScripts(one: Words, other: Words): boolean {
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
function runsOf(words: Words): Run[] {
  const runs: Run[] = [];
  for (let length = Math.min(words.length, RUN_LENGTH_MAX); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) runs.push([from, from + length]);
  return runs;
}

/** Without blanks. */
function textOfRun(words: Words, [from, to]: Run): string {
  return to - from === 1 ? (words[from] ?? '') : words.slice(from, to).join('');
}

/** `de la Cruz` is three words, and written as one elsewhere. */
const RUN_LENGTH_MAX = 4;
