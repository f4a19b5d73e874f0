import { CopyButton } from '../button/copy-button.tsx';
import { IdCell } from './table.tsx';

interface ShortIdProps {
  readonly id: string;
  /** The noun of the id. */
  readonly of: string;
}

/** An id in a narrow column: its prefix and its last characters; a click copies the whole id. */
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
