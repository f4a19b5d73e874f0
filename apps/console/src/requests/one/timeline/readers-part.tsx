import { Link } from 'wouter';
import type { Outputs } from '../../../api/api.ts';
import { Time } from '../../../look/time/time.tsx';
import { useZone } from '../../../look/time/zone.ts';
import { readerCount, readersOf } from './readers-of.ts';
import css from './timeline.module.css';

interface ReadersPartProps {
  readonly requestId: string;
  readonly lines: Outputs['requests']['readers']['items'];
  readonly mayReadAudit: boolean;
}

/** Who read a request, folded: of a busy one they are more than what happened. */
export function ReadersPart({ requestId, lines, mayReadAudit }: ReadersPartProps) {
  const { zone } = useZone();
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  const readers = readersOf(lines, (at) => day.format(new Date(at)));
  if (readers.length === 0) return null;
  return (
    <details className={css.readers}>
      <summary>Who read it ({readerCount(lines)})</summary>
      <ol className={css.timeline}>
        {readers.map(({ key, at, headline, details }) => (
          <li key={key}>
            <Time at={at} />
            <div>
              {headline}
              {details.map((detail) => (
                <p key={detail}>{detail}</p>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <p>
        {mayReadAudit ? (
          <Link href={`/audit?request_id=${requestId}`}>The audit has each reading</Link>
        ) : (
          'The audit has each reading.'
        )}
      </p>
    </details>
  );
}
