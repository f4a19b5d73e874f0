import { CopyButton } from '../button/copy-button.tsx';
import { IdCell } from './table.tsx';

interface ShortIdProps {
  readonly id: string;
  /** What it is the id of. */
  readonly of: string;
}

/** An id where a table has several: its kind and its end, by which people tell them apart; the whole of it is copied. */
export function ShortId({ id, of }: ShortIdProps) {
  return (
    <IdCell>
      <code title={id}>{shortId(id)}</code>
      <CopyButton text={id} name={`the ${of}`} />
    </IdCell>
  );
}

/** `acct_…k2m4q8`. */
export const shortId = (id: string): string => id.replace(/^([a-z]+_).{4,}(.{6})$/, '$1…$2');
