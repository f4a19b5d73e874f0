import { foldWords, isPlaceholder, LENGTH_MAX } from './person-name.ts';

/** A prefix or a person code is only looked for before or after so many characters. */
const CORE_LENGTH_MIN = 5;

/** A member id as it is compared: folded, and what a separator shows to be a prefix or a person code. */
interface MemberId {
  readonly whole: string;
  /** Two digits after a separator at the end; null without them. */
  readonly personCode: string | null;
}

export type IdComparison =
  | 'agree'
  /** The same id, with two different person codes after it. */
  | 'agree_but_for_person_code'
  | 'differ'
  | 'not_given';

/**
 * Compares member ids without case, blanks, hyphens and leading zeros. A prefix of letters counts only where both have
 * one. A person code of two digits counts only where both have one and no separator shows it. Of more than 500
 * characters only equal texts agree.
 */
export function compareMemberIds(
  one: string | null | undefined,
  other: string | null | undefined,
): IdComparison {
  const a = memberIdOf(one);
  const b = one === other ? a : memberIdOf(other);
  if (a === null || b === null) return 'not_given';
  if (Math.max(a.whole.length, b.whole.length) > LENGTH_MAX) return a.whole === b.whole ? 'agree' : 'differ';
  if (a.whole === b.whole || isSame(a.whole, b.whole)) return 'agree';
  const [coreA, coreB] = [withoutCode(a), withoutCode(b)];
  if (isSame(coreA, b.whole) || isSame(a.whole, coreB)) return 'agree';
  if (isWithCode(a.whole, b.whole) || isWithCode(b.whole, a.whole)) return 'agree';
  if (a.personCode === null && b.personCode === null) return 'differ';
  if (isSame(coreA, coreB) || isWithCode(a.whole, coreB) || isWithCode(b.whole, coreA))
    return 'agree_but_for_person_code';
  return 'differ';
}

function memberIdOf(text: string | null | undefined): MemberId | null {
  if (!text) return null;
  if (text.length > LENGTH_MAX) return { whole: text, personCode: null };
  const words = foldWords(text);
  if (isPlaceholder(words)) return null;
  const last = words.at(-1) ?? '';
  const whole = withoutZeros(words.join(''));
  const isCode = words.length > 1 && /^\d\d$/.test(last) && whole.length >= CORE_LENGTH_MIN + 2;
  return { whole, personCode: isCode ? last : null };
}

function withoutCode({ whole, personCode }: MemberId): string {
  return personCode === null ? whole : whole.slice(0, -2);
}

/** Whether they are equal, but for letters before one of them. */
function isSame(one: string, other: string): boolean {
  return one === other || isWithPrefix(one, other) || isWithPrefix(other, one);
}

function isWithPrefix(prefixed: string, bare: string): boolean {
  const [prefix = ''] = /^[A-Z]+/.exec(prefixed) ?? [];
  return /^\d/.test(bare) && prefix !== '' && withoutZeros(prefixed.slice(prefix.length)) === bare;
}

/** Whether one is the other with two digits after it. */
function isWithCode(coded: string, bare: string): boolean {
  return bare.length >= CORE_LENGTH_MIN && /\d\d$/.test(coded) && isSame(coded.slice(0, -2), bare);
}

function withoutZeros(text: string): string {
  return text.startsWith('0') ? text.replace(/^0+(?=.)/, '') : text;
}
