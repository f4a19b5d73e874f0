import { Button } from '../button/button.tsx';
import css from './table.module.css';

interface PagerProps {
  /** The cursor of this page; undefined on the first. */
  readonly cursor: string | undefined;
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  readonly onGo: (cursor: string | undefined) => void;
}

/**
 * Links to the first and the next page of a list, newest first; nothing where one page holds it. The browser's Back
 * leads to the page before.
 */
export function Pager({ cursor, next, onGo }: PagerProps) {
  if (cursor === undefined && next === null) return null;
  return (
    <nav className={css.pager} aria-label="Pages of the list">
      <Button disabled={cursor === undefined} onClick={() => onGo(undefined)}>
        Newest
      </Button>
      <Button disabled={next === null} onClick={() => onGo(next ?? undefined)}>
        Older
      </Button>
    </nav>
  );
}
