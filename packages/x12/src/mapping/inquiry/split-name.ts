import { type NameParts } from '../../parts/parts.ts';

const PREFIXES = /^(dr|mr|mrs|ms|miss|prof|rev)\.?$/i;
const SUFFIXES = /^(jr|sr|ii|iii|iv|v)\.?$/i;
/** Degrees after a provider's name, not part of it. */
const DEGREES = /^(m\.?d|d\.?o|d\.?d\.?s|d\.?m\.?d|ph\.?d|r\.?n|n\.?p|p\.?a|pa-c|o\.?d|dpm|dc|esq|facs)\.?$/i;
/** Particles that belong to the last name after them. */
const PARTICLES =
  /^(d[aeiou]s?|del|della|der|den|du|la|las|le|los|van|von|vander|ter|ten|al|el|bin|ibn|st\.?|san|santa)$/i;

/**
 * Splits a name as people write it: `Jane Q. Public`, `Public, Jane Q`, `Ludwig van Beethoven Jr.`. Null for a blank
 * one; a single word is a last name. The string itself stays with the request: what is split wrongly can be compared.
 */
export function splitName(text: string): NameParts | null {
  const [before = [], ...after] = text.split(',').map(wordsOf);
  const isLastFirst = before.length > 0 && after.some((words) => words.some((word) => !isTitle(word)));
  const given = isLastFirst ? after.flat() : [...before, ...after.flat()];
  const suffix = [...before, ...after.flat()].find((word) => SUFFIXES.test(word) && word !== before[0]);
  const isName = (word: string, index: number) =>
    !(index === 0 && PREFIXES.test(word) && given.length > 1) &&
    !DEGREES.test(word) &&
    !(SUFFIXES.test(word) && word === suffix);
  const words = given.filter(isName);
  const parts = (last: readonly string[], [first, ...middle]: readonly string[]): NameParts => ({
    last: last.join(' '),
    first: first ?? null,
    middle: middle.length > 0 ? middle.join(' ') : null,
    suffix: suffix?.replace(/\.$/, '') ?? null,
  });
  if (isLastFirst)
    return parts(
      before.filter((word) => !SUFFIXES.test(word) || word !== suffix),
      words,
    );
  if (words.length === 0) return before.length === 0 ? null : parts(before, []);
  let lastStart = words.length - 1;
  // A leading particle is a first name: Van Morrison, Al Green.
  while (lastStart > 1 && PARTICLES.test(words[lastStart - 1] ?? '')) lastStart--;
  return parts(words.slice(lastStart), words.slice(0, lastStart));
}

/** Whether the text certainly names a person: by a title, a degree, or the last name first. */
export function showsPerson(text: string): boolean {
  const words = wordsOf(text.replaceAll(',', ' '));
  return words.length > 1 && words.some((word) => PREFIXES.test(word) || DEGREES.test(word));
}

function isTitle(word: string): boolean {
  return SUFFIXES.test(word) || DEGREES.test(word);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
