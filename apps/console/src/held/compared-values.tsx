import type { Outputs } from '../api/api.ts';
import layoutCss from '../look/layout.module.css';
import { Unseen } from '../look/mark.tsx';
import { Time } from '../look/time.tsx';
import { valueInWords } from '../words/held-words.ts';
import css from './compared-values.module.css';
import { differenceText, LETTER, lettersOf } from './difference-text.ts';

type Value = Outputs['heldOutputs']['compare']['values'][number];

const isComparedWith = (value: Value, other: 'asked' | 'standing') =>
  value[other] !== null || value[`${other}_difference`] !== 'none';

const isCompared = (value: Value) => isComparedWith(value, 'asked') || isComparedWith(value, 'standing');

const isDifferent = ({ asked_difference: asked, standing_difference: standing }: Value) =>
  asked !== 'none' || standing !== 'none';

/**
 * The values of the output next to those of the request: different ones first, equal ones in a fold below, and those
 * with nothing to compare with apart.
 */
export function ComparedValues({ values }: { readonly values: readonly Value[] }) {
  const differing = values.filter(isDifferent);
  const agreeing = values.filter((value) => isCompared(value) && !isDifferent(value));
  const alone = values.filter((value) => !isCompared(value));
  return (
    <div className={css.compared}>
      {differing.length > 0 && <Rows caption="What differs" values={differing} />}
      {agreeing.length > 0 && (
        <details open={differing.length === 0}>
          <summary>{agreeing.length === 1 ? 'One value agrees' : `${agreeing.length} values agree`}</summary>
          <Rows caption="What agrees" values={agreeing} />
        </details>
      )}
      {alone.length > 0 && (
        <details open>
          <summary>What is offered with nothing to compare it with</summary>
          <Rows caption="What is only offered" values={alone} />
        </details>
      )}
    </div>
  );
}

function Rows({ caption, values }: { readonly caption: string; readonly values: readonly Value[] }) {
  const hasAsked = values.some((value) => isComparedWith(value, 'asked'));
  const hasStanding = values.some((value) => isComparedWith(value, 'standing'));
  return (
    <table className={css.values}>
      <caption>
        <Unseen>{caption}</Unseen>
      </caption>
      <thead>
        <tr>
          <th scope="col">Value</th>
          {hasAsked && <th scope="col">Asked</th>}
          {hasStanding && <th scope="col">Standing</th>}
          <th scope="col">Offered</th>
        </tr>
      </thead>
      <tbody>
        {values.map((value) => (
          <tr key={value.field}>
            <th scope="row">{value.name}</th>
            {hasAsked && <OtherCell label="Asked" value={value} other="asked" />}
            {hasStanding && <OtherCell label="Standing" value={value} other="standing" />}
            <td data-label="Offered">
              <div>
                <ValueText field={value.field} text={value.offered} places={placesInOffered(value)} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OtherCellProps {
  readonly label: string;
  readonly value: Value;
  readonly other: 'asked' | 'standing';
}

/** The value of the request, and how the value of the output differs from it. */
function OtherCell({ label, value, other }: OtherCellProps) {
  const [text, difference, places] = [value[other], value[`${other}_difference`], value[`${other}_places`]];
  return (
    <td data-label={label} className={isComparedWith(value, other) ? undefined : css.nothing}>
      <div>
        <ValueText field={value.field} text={text} places={isLonger(text, value.offered) ? places : []} />
        {difference !== 'none' && (
          <div className={css.differs}>
            {differenceText({ difference, places, text, offered: value.offered })}
          </div>
        )}
      </div>
    </td>
  );
}

interface ValueTextProps {
  readonly field: string;
  readonly text: string | null;
  readonly places: readonly number[];
}

/** A value in words; an instant in the viewer's zone. */
export function ValueText({ field, text, places }: ValueTextProps) {
  if (text !== null && /_time(stamp)?$/.test(field) && !Number.isNaN(Date.parse(text)))
    return <Time at={text} />;
  return <ComparedText text={text === null ? null : valueInWords(field, text)} places={places} />;
}

/** Places are counted in the longer text, and where both are equally long they are in both. */
const isLonger = (text: string | null, other: string | null) =>
  lettersOf(text ?? '').length >= lettersOf(other ?? '').length;

const placesInOffered = ({ asked, standing, offered, ...value }: Value): number[] => [
  ...(isLonger(offered, asked) ? value.asked_places : []),
  ...(isLonger(offered, standing) ? value.standing_places : []),
];

interface ComparedTextProps {
  /** Null: there is no value; a dash is shown. */
  readonly text: string | null;
  /** The positions of the letters and digits to mark, from 1. */
  readonly places: readonly number[];
}

/** A value with its differing letters and digits marked. */
function ComparedText({ text, places }: ComparedTextProps) {
  if (text === null) return <span className={layoutCss.quiet}>–</span>;
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
