import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Outputs } from '../../../api/api.ts';
import { Mark } from '../../../look/mark.tsx';
import { Loaded } from '../../../look/state/loaded.tsx';
import { SkeletonRows } from '../../../look/state/skeleton.tsx';
import { Time } from '../../../look/time/time.tsx';
import { ReadersPart } from './readers-part.tsx';
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
              {event.heldId !== undefined && (
                <p>
                  {mayReviewHeld ? (
                    <Link href={`/held/${event.heldId}`}>
                      <code>{event.heldId}</code>
                    </Link>
                  ) : (
                    <code>{event.heldId}</code>
                  )}
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
