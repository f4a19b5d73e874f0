import { Link } from 'wouter';
import { CopyButton } from '../button/copy-button.tsx';
import css from './table.module.css';
import { IdCell } from './table.tsx';

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
