import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { dayBegan } from '../look/form/typed-time.ts';
import { Mark } from '../look/mark.tsx';
import { duration, Time } from '../look/time/time.tsx';
import { useZone } from '../look/time/zone.ts';
import css from './work.module.css';

/** The work that the person finished today, and their open drafts. */
export function MyDay() {
  const { zone } = useZone();
  const day = useQuery({
    queryKey: ['work.day', zone],
    queryFn: ({ signal }) => api.work.day.query({ since: dayBegan(serverNow(), zone) }, { signal }),
    placeholderData: keepPreviousData,
  });
  const drafts = useQuery({
    // Not by the operation's name, by which events of others' work would have it read each second.
    queryKey: ['own drafts'],
    queryFn: ({ signal }) => api.drafts.list.query({ limit: 20 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = day;
  const facts: readonly (readonly [string, string | number])[] = [
    ['Done', data?.done_count ?? '–'],
    ['Could not verify', data?.failed_count ?? '–'],
    ['Median', data?.seconds_p50 ? duration(data.seconds_p50) : '–'],
    ['Drafts', data?.draft_count ?? '–'],
  ];
  return (
    <section className={css.day} aria-label="My day">
      <h2>My day</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {drafts.data && drafts.data.items.length > 0 && (
        <ul>
          {drafts.data.items.map((draft) => (
            <li key={draft.request_id}>
              <Link href={`/work/${draft.request_id}`}>
                Continue with {draft.patient_initials ?? 'a patient'} at {draft.payer}
              </Link>
              <span>
                saved <Time at={draft.saved_at} />
              </span>
              {draft.is_leased ? (
                <Mark tone="wait">Taken, by you or a colleague</Mark>
              ) : (
                <Mark tone="quiet">Free</Mark>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
