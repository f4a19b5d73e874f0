import css from './compared-values.module.css';
import { LETTER } from './letters-of.ts';

interface ComparedTextProps {
  /** Null: there is no value; a dash is shown. */
  readonly text: string | null;
  /** The positions of the letters and digits to mark, from 1. */
  readonly places: readonly number[];
}

/** A value with its differing letters and digits marked. */
export function ComparedText({ text, places }: ComparedTextProps) {
  if (text === null) return <span className={css.none}>–</span>;
  // A name from right to left turns nothing round it.
  return <bdi className={css.text}>{places.length === 0 ? text : marked(text, new Set(places))}</bdi>;
}

/** Joins marked characters that stand side by side into one mark. */
function marked(text: string, places: ReadonlySet<number>) {
  const parts: { text: string; isMarked: boolean; at: number }[] = [];
  let place = 0;
  for (const character of text.normalize()) {
    const isLetter = LETTER.test(character);
    if (isLetter) place += 1;
    const isMarked = isLetter && places.has(place);
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += character;
    else parts.push({ text: character, isMarked, at: place });
  }
  return parts.map((part) => (part.isMarked ? <mark key={part.at}>{part.text}</mark> : part.text));
}
