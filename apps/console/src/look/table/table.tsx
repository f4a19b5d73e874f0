import type { ReactNode } from 'react';
import css from './table.module.css';
import { useMore } from './use-more.ts';

interface TableProps {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly columns: readonly string[];
  /** The indexes of the numeric columns. */
  readonly numbers?: readonly string[];
  readonly children: ReactNode;
}

/** A dense table that scrolls sideways on its own on a narrow screen. The last column takes the remaining width. */
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

/** A cell with an id; a click copies it. */
export function IdCell({ children }: { readonly children: ReactNode }) {
  return <span className={css.cell}>{children}</span>;
}
