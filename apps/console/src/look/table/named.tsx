import { CopyButton } from '../button/copy-button.tsx';
import { WholeWords } from '../text/whole-words.tsx';
import { IdCell } from './table.tsx';

interface NamedProps {
  readonly id: string;
  /** Null for a key without one. */
  readonly name: string | null;
}

/** A person, a key or a clinic by name; a click copies the id. */
export function Named({ id, name }: NamedProps) {
  const shown = name ?? 'A key without a name';
  return (
    <IdCell>
      <span title={id}>
        <WholeWords text={shown} />
      </span>
      <CopyButton text={id} name={`the id of ${shown}`} />
    </IdCell>
  );
}
