import { Link } from 'wouter';
import { CopyButton } from './button.tsx';
import css from './table.module.css';
import { IdCell } from './table.tsx';
import { WholeWords } from './text/whole-words.tsx';

interface IdLinkProps {
  readonly id: string;
  readonly href: string;
}

/** Shows the last characters of a request id as a link; copying yields the full id. */
export function IdLink({ id, href }: IdLinkProps) {
  return (
    <IdCell>
      <Link href={href}>
        <code className={css.ending} title={id}>
          {id}
        </code>
      </Link>
      <CopyButton text={id} name="the request id" />
    </IdCell>
  );
}

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
      <span title={shown}>
        <WholeWords text={shown} />
      </span>
      <CopyButton text={id} name={`the id of ${shown}`} />
    </IdCell>
  );
}

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
