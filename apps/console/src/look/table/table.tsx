import type { ReactNode } from 'react';
import css from './table.module.css';
import { useMore } from './use-more.ts';

interface TableProps {
  /** What it lists, for whoever does not see it. */
  readonly caption: string;
  readonly columns: readonly string[];
  /** Those of the columns that hold numbers. */
  readonly numbers?: readonly string[];
  readonly children: ReactNode;
}

/** A dense table, which scrolls by itself where the screen is narrower. The last column takes what is left. */
export function Table({ caption, columns, numbers = [], children }: TableProps) {
  const frame = useMore();
  return (
    <div ref={frame} className={css.frame} tabIndex={0} role="region" aria-label={caption}>
      <table className={css.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={
                  index === columns.length - 1 ? css.wide : numbers.includes(column) ? css.number : undefined
                }
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** An id that is copied with one click. */
export function IdCell({ children }: { readonly children: ReactNode }) {
  return <span className={css.cell}>{children}</span>;
}
