import { Button } from '../button/button.tsx';
import css from './table.module.css';

interface PagerProps {
  /** Undefined on the first page. */
  readonly cursor: string | undefined;
  /** Null on the last. */
  readonly next: string | null;
  readonly onGo: (cursor: string | undefined) => void;
}

/** The ways through a list that goes from newest to oldest; nothing where one page holds it. The browser's Back goes back. */
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
