import * as z from 'zod';
import { Button } from '../button/button.tsx';
import css from './table.module.css';

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
