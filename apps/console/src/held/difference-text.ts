import type { ValueDifference } from '@insurance-verification/schema';

interface Differing {
  readonly difference: Exclude<ValueDifference, 'none'>;
  /** Which letters and digits of the longer value differ, from 1; of ids and dates only. */
  readonly places: readonly number[];
  /** The request's value, or the present result's. */
  readonly text: string | null;
  readonly offered: string | null;
}

/** A sign and words for each comparison; the colour adds no information. */
const DIFFERENCES: Readonly<Record<Differing['difference'], readonly [sign: string, words: string]>> = {
  form: ['~', 'written differently'],
  swapped: ['⇄', 'swapped'],
  near: ['≈', 'nearly the same'],
  added: ['+', 'only offered'],
  missing: ['−', 'not offered'],
  different: ['≠', 'different'],
};

const list = new Intl.ListFormat('en');

/** How a value differs, in words: `⇄ two digits swapped: characters 9 and 10`, `≠ one digit differs: character 4`. */
export function differenceText({ difference, places, text, offered }: Differing): string {
  const [sign, words] = DIFFERENCES[difference];
  const [first = 0, second = 0] = places;
  const isBeside = places.length === 2 && second === first + 1;
  if (difference === 'swapped' && !isBeside) return `${sign} day and month swapped`;
  if (places.length === 0) return `${sign} ${words}`;
  const [one, two] = [lettersOf(text ?? ''), lettersOf(offered ?? '')];
  const longer = one.length < two.length ? two : one;
  const noun = places.every((place) => /\p{N}/u.test(longer[place - 1] ?? '')) ? 'digit' : 'character';
  const isOne = places.length === 1;
  const where = `character${isOne ? '' : 's'} ${list.format(places.map(String))}`;
  if (difference === 'swapped') return `${sign} two ${noun}s swapped: ${where}`;
  return `${sign} ${isOne ? `one ${noun} differs` : `${places.length} ${noun}s differ`}: ${where}`;
}

/** A letter, mark or digit. */
export const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** The letters, marks and digits of a text (NFC), which the service counts positions by. */
export const lettersOf = (text: string): string[] =>
  Array.from(text.normalize()).filter((character) => LETTER.test(character));
