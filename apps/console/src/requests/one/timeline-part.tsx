import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Outputs } from '../../api/api.ts';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { Mark } from '../../look/mark.tsx';
import { Time, useZone } from '../../look/time.tsx';
import { readerCount, readersOf } from './readers-of.ts';
import css from './timeline.module.css';
import { timelineOf } from './timeline.ts';

interface TimelineProps {
  readonly view: Outputs['requests']['view'];
  readonly readers: UseQueryResult<Outputs['requests']['readers']>;
  readonly mayKnowReaders: boolean;
  readonly mayReviewHeld: boolean;
  readonly mayReadAudit: boolean;
}

/** What happened to a request, first to last; who read it where the person may know, shown apart where that fails. */
export function Timeline({ view, readers, mayKnowReaders, mayReviewHeld, mayReadAudit }: TimelineProps) {
  return (
    <>
      <ol className={css.timeline}>
        {timelineOf(view, readers.data?.items ?? []).map((event) => (
          <li key={`${event.at}${event.word}${event.details[0]}${event.heldId}`}>
            <Time at={event.at} />
            <div>
              <Mark tone={event.tone}>{event.word}</Mark>
              {event.details.map((detail) => (
                <p key={detail}>{detail}</p>
              ))}
              {event.heldId !== undefined && mayReviewHeld && (
                <p>
                  <Link href={`/held/${event.heldId}`}>Review of the held output</Link>
                </p>
              )}
              {event.snippet !== undefined && (
                <details>
                  <summary>What the receiver answered</summary>
                  <pre tabIndex={0}>{event.snippet}</pre>
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
      {mayKnowReaders && (
        <Loaded query={readers} what="list" skeleton={<SkeletonRows count={2} />}>
          {({ items }) => (
            <ReadersPart requestId={view.request_id} lines={items} mayReadAudit={mayReadAudit} />
          )}
        </Loaded>
      )}
    </>
  );
}

interface ReadersPartProps {
  readonly requestId: string;
  readonly lines: Outputs['requests']['readers']['items'];
  readonly mayReadAudit: boolean;
}

/** Who read a request, folded: of a busy one they are more than what happened. */
function ReadersPart({ requestId, lines, mayReadAudit }: ReadersPartProps) {
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
