import type { ValueDifference } from '@insurance-verification/schema';

/** How an offered value differs from another one. What looks like a slip of the hand or the eye is told apart. */
export function differenceOf(other: string | null, offered: string | null): ValueDifference {
  if ((other ?? '') === (offered ?? '')) return 'none';
  if (!other) return 'added';
  if (!offered) return 'missing';
  const [one, two] = [bare(other), bare(offered)];
  if (one === two) return 'form';
  if (areSwapped(one, two) || areDayAndMonthSwapped(other, offered)) return 'swapped';
  if (sortedWords(other) === sortedWords(offered)) return 'near';
  // Of a short text two characters are half of it.
  return areWithin(one, two, Math.min(one.length, two.length) < 6 ? 1 : 2) ? 'near' : 'different';
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const sortedWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted()
    .join(' ');

/** Whether two neighbouring characters changed places, and nothing else. */
function areSwapped(one: string, two: string): boolean {
  if (one.length !== two.length) return false;
  const at = Array.from(one).findIndex((letter, index) => letter !== two[index]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
  return swapped === two;
}

function areDayAndMonthSwapped(one: string, two: string): boolean {
  const swapped = one.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1-$3-$2');
  return swapped !== one && swapped === two;
}

/** Whether at most `count` characters must be changed, added or left out to make one of the other. */
function areWithin(one: string, two: string, count: number): boolean {
  if (one === two) return true;
  if (count === 0) return false;
  const at = Array.from(one).findIndex((letter, index) => letter !== two[index]);
  const [left, right] = at === -1 ? ['', two.slice(one.length)] : [one.slice(at), two.slice(at)];
  return (
    areWithin(left.slice(1), right.slice(1), count - 1) ||
    areWithin(left, right.slice(1), count - 1) ||
    areWithin(left.slice(1), right, count - 1)
  );
}
