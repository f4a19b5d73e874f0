import { Link } from 'wouter';
import { CopyButton } from '../button/copy-button.tsx';
import css from './table.module.css';
import { IdCell } from './table.tsx';

interface IdLinkProps {
  readonly id: string;
  readonly href: string;
}

/** The end of a request's id, by which they are distinguished, as a link; the whole of it is copied. */
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
