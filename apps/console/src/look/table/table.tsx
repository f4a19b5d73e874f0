import type { ReactNode } from 'react';
import css from './table.module.css';

interface TableProps {
  /** What it lists, for whoever does not see it. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** A dense table, which scrolls by itself where the screen is narrower. The last column takes what is left. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <div className={css.frame} tabIndex={0} role="region" aria-label={caption}>
      <table className={css.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={index === columns.length - 1 ? css.wide : undefined}>
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
