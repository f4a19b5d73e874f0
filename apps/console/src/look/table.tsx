import type { ReactNode } from 'react';
import * as z from 'zod';
import { Button } from './button.tsx';
import css from './table.module.css';
import { WholeWords } from './text/whole-words.tsx';

/** A column of a table: its head, and what it shows of an item. */
export interface Column<Item> {
  readonly head: string;
  readonly cell: (item: Item) => ReactNode;
  /**
   * `name`: the heading of the row. `number`: figures at the right. `words`: text that breaks into lines. Without it a
   * cell stays on one line.
   */
  readonly is?: 'name' | 'number' | 'words';
  /** The narrowest window that has room for it, `middle` from 761 px, `laptop` from 1,000, `wide` from 1,401; without it, every one. */
  readonly from?: 'middle' | 'laptop' | 'wide';
  /** Turns the order of the list, where the list can be read in both. */
  readonly turn?: { readonly isOldestFirst: boolean; readonly onTurn: () => void };
}

interface TableProps<Item> {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item, index: number) => string | number;
  /** Whether a click anywhere in a row is one on its first link or button. */
  readonly isTarget?: boolean | ((item: Item) => boolean);
}

/** A dense table whose head stays in sight. On a narrow screen columns are left out, and none is cut. */
export function Table<Item>({ caption, items, columns, keyOf, isTarget = false }: TableProps<Item>) {
  const hasTarget = typeof isTarget === 'function' ? isTarget : () => isTarget;
  return (
    <table className={css.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, turn, ...column }) => (
            <th
              key={head}
              scope="col"
              className={classOf(column)}
              aria-sort={turn && (turn.isOldestFirst ? 'ascending' : 'descending')}
            >
              {turn ? (
                <button
                  type="button"
                  title={turn.isOldestFirst ? 'Newest first' : 'Oldest first'}
                  onClick={turn.onTurn}
                >
                  {head} <span aria-hidden="true">{turn.isOldestFirst ? '↑' : '↓'}</span>
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
                  {textOf(cell(item))}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const textOf = (cell: ReactNode) => (typeof cell === 'string' ? <WholeWords text={cell} /> : cell);

const classOf = ({ is, from }: Pick<Column<never>, 'is' | 'from'>) =>
  [is === 'number' ? css.number : is && css.words, from && css[from]].filter(Boolean).join(' ') || undefined;

/** A cell with an id; a click copies it. */
export function IdCell({ children }: { readonly children: ReactNode }) {
  return <span className={css.cell}>{children}</span>;
}

/** The place in a list, as the address of its page holds it. */
export const PLACE = {
  /** The cursor of this page; absent on the first. */
  cursor: z.string().min(1).optional(),
  /** The number of this page; absent on the first. */
  page: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
};

/** The first page of a list, for whatever changes which items it has. */
export const FIRST_PAGE = { cursor: undefined, page: undefined };

type Place = { readonly [Name in keyof typeof PLACE]?: string | undefined };

interface PagerProps {
  readonly place: Place;
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  /** How many items this page shows. */
  readonly count: number;
  readonly onGo: (place: Place) => void;
}

/**
 * How many items a list has, where one page holds it; else the number of the page, and links to the first and the next.
 * The browser's Back leads to the page before.
 */
export function Pager({ place: { cursor, page = '1' }, next, count, onGo }: PagerProps) {
  if (cursor === undefined && next === null)
    return count === 0 ? null : <p className={css.pager}>{count === 1 ? '1 in all' : `${count} in all`}</p>;
  return (
    <nav className={css.pager} aria-label="Pages of the list">
      <Button disabled={cursor === undefined} onClick={() => onGo(FIRST_PAGE)}>
        First page
      </Button>
      <Button
        disabled={next === null}
        onClick={() => onGo({ cursor: next ?? undefined, page: String(Number(page) + 1) })}
      >
        Next page
      </Button>
      <span>
        Page {page}
        {next === null && ', the last'}
      </span>
    </nav>
  );
}
