import type { ReactNode } from 'react';
import css from './table.module.css';
import { WholeWords } from './text/whole-words.tsx';

/** A column of a table: its head, and what it shows of an item. */
export interface Column<Item> {
  readonly head: string;
  readonly cell: (item: Item) => ReactNode;
  /**
   * `name`: the heading of the row. `number`: figures at the right. `words`: text that breaks into lines. `line`: text on
   * one line, whose end is cut where there is no room; it is whole on pointing, and in the row that has the keyboard's
   * focus. Without it a cell stays on one line.
   */
  readonly is?: 'name' | 'number' | 'words' | 'line';
  /** The narrowest window that has room for it, `middle` from 761 px, `laptop` from 1,000, `wide` from 1,401; without it, every one. */
  readonly from?: 'middle' | 'laptop' | 'wide';
  /** Whether its head turns the order of the list, where the list can be read in both. */
  readonly turns?: boolean;
}

/** The order of a list that can be read in both. */
export interface Order {
  readonly isOldestFirst: boolean;
  readonly onTurn: () => void;
}

interface TableProps<Item> {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item, index: number) => string | number;
  /** Whether a click anywhere in a row is one on its first link or button. */
  readonly isTarget?: boolean | ((item: Item) => boolean);
  readonly order?: Order;
}

/**
 * A dense table whose head stays in sight. A column that is empty in every row is left out; on a narrow screen further ones
 * are, and none is cut.
 */
export function Table<Item>({
  caption,
  items,
  columns: all,
  keyOf,
  isTarget = false,
  order,
}: TableProps<Item>) {
  const columns = all.filter(({ cell }) => items.some((item) => !isEmpty(cell(item))));
  const hasTarget = typeof isTarget === 'function' ? isTarget : () => isTarget;
  return (
    <table className={css.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, turns = false, ...column }) => (
            <th
              key={head}
              scope="col"
              className={classOf(column)}
              aria-sort={turns && order ? (order.isOldestFirst ? 'ascending' : 'descending') : undefined}
            >
              {turns && order ? (
                <button
                  type="button"
                  title={order.isOldestFirst ? 'Newest first' : 'Oldest first'}
                  onClick={order.onTurn}
                >
                  {head} <span aria-hidden="true">{order.isOldestFirst ? '↑' : '↓'}</span>
                </button>
              ) : (
                head
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={keyOf(item, index)} className={hasTarget(item) ? css.target : undefined}>
            {columns.map(({ head, cell, ...column }) =>
              column.is === 'name' ? (
                <th key={head} scope="row" className={classOf(column)}>
                  {textOf(cell(item))}
                </th>
              ) : (
                <td key={head} className={classOf(column)}>
                  {column.is === 'line' ? <LineOf cell={cell(item)} /> : textOf(cell(item))}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isEmpty = (cell: ReactNode) => cell === null || cell === undefined || cell === false || cell === '';

const LineOf = ({ cell }: { readonly cell: ReactNode }) => (
  <div className={css.cut} title={typeof cell === 'string' ? cell : undefined}>
    {textOf(cell)}
  </div>
);

const textOf = (cell: ReactNode) => (typeof cell === 'string' ? <WholeWords text={cell} /> : cell);

const classOf = ({ is, from }: Pick<Column<never>, 'is' | 'from'>) =>
  [is === 'number' ? css.number : is === 'line' ? css.line : is && css.words, from && css[from]]
    .filter(Boolean)
    .join(' ') || undefined;

/** A cell with an id; a click copies it. */
export function IdCell({ children }: { readonly children: ReactNode }) {
  return <span className={css.cell}>{children}</span>;
}
