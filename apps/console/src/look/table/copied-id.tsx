import { CopyButton } from '../button/copy-button.tsx';
import { IdCell } from './table.tsx';

interface CopiedIdProps {
  readonly id: string;
  /** What it is the id of, as in “Copy the account id”. */
  readonly name: string;
}

/** A whole id, which one click copies. */
export function CopiedId({ id, name }: CopiedIdProps) {
  return (
    <IdCell>
      <code>{id}</code>
      <CopyButton text={id} name={name} />
    </IdCell>
  );
}
