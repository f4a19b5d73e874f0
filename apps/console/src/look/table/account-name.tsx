import { CopyButton } from '../button/copy-button.tsx';
import { IdCell } from './table.tsx';

/** A clinic by its name; a click copies the id of its account. */
export function AccountName({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <IdCell>
      <span title={id}>{name}</span>
      <CopyButton text={id} name={`the account id of ${name}`} />
    </IdCell>
  );
}
