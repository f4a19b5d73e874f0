import { CopyButton } from '../button/copy-button.tsx';
import { IdCell } from './table.tsx';

interface CopiedIdProps {
  readonly id: string;
  /** The noun of the id, as in “Copy the account id”. */
  readonly name: string;
}

/** A whole id; a click copies it. */
export function CopiedId({ id, name }: CopiedIdProps) {
  return (
    <IdCell>
      <code>{id}</code>
      <CopyButton text={id} name={name} />
    </IdCell>
  );
}
