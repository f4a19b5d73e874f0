import css from './reports.module.css';

/** One bar: what it is of, its value as text, and its length as a share of the longest. */
export interface Bar {
  readonly key: string;
  readonly name: string;
  readonly note?: string;
  readonly text: string;
  readonly share: number;
}

/** Named values with a bar for each, longest the greatest. The text says it all; the bar is for the eye. */
export function BarList({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  return (
    <ul className={css.bars} aria-label={label}>
      {bars.map(({ key, name, note, text, share }) => (
        <li key={key}>
          <span className={css.barName}>
            {name}
            {note !== undefined && <span className={css.note}> {note}</span>}
          </span>
          <span className={css.barText}>{text}</span>
          <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(share * 100, share > 0 ? 0.5 : 0)} height="1" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
