import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { exactTime } from '../look/clock.ts';
import { Mark } from '../look/mark.tsx';
import { TimeLeft } from '../look/time-left.tsx';
import { Time, useZone } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { bothClocks } from '../words/payer-clock.ts';
import css from './call-backs.module.css';

interface CallBacksPartProps {
  /** The page that a call-back leads to: an operator looks at the request, a verifier works on it. */
  readonly leadsTo: '/work' | '/requests';
}

/**
 * The call-backs that the person may make, for an operator all, the earliest first. Those whose time has come are the
 * first that Next takes.
 */
export function CallBacksPart({ leadsTo }: CallBacksPartProps) {
  const { data } = useQuery({
    queryKey: ['work.callBacks'],
    queryFn: ({ signal }) => api.work.callBacks.query(undefined, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  if (!data || data.items.length === 0) return null;
  return (
    <section className={css.part} aria-label="Call-backs">
      <h2>Call-backs</h2>
      <ul>
        {data.items.map((item) => (
          <CallBack key={item.request_id} item={item} leadsTo={leadsTo} />
        ))}
      </ul>
    </section>
  );
}

interface CallBackProps extends CallBacksPartProps {
  readonly item: Outputs['work']['callBacks']['items'][number];
}

function CallBack({ item, leadsTo }: CallBackProps) {
  const { request_id: id, patient_initials: initials, payer, call_back_at: at, needed_by: neededBy } = item;
  const due = useByClock((now) => (Date.parse(at) <= now ? 'Due' : ''));
  return (
    <li>
      <Link href={`${leadsTo}/${id}`}>
        Call {payer} about {initials ?? 'a patient'}
      </Link>
      <span>
        <PayerTime at={at} timeZone={item.time_zone} />
        {item.who === 'me' && ', by me'}
        {item.who === 'someone_else' && `, by ${item.holder_name ?? item.held_by ?? 'someone else'}`}
      </span>
      {due !== '' && <Mark tone="warn">{due}</Mark>}
      {neededBy !== null && (
        <span>
          needed: <TimeLeft by={neededBy} />
        </span>
      )}
    </li>
  );
}

interface PayerTimeProps {
  readonly at: string;
  /** The payer's; null for one without hours. */
  readonly timeZone: string | null;
}

/** A time by the clock of a payer and by one's own; by one's own only where the payer's is not known. */
export function PayerTime({ at, timeZone }: PayerTimeProps) {
  const { zone } = useZone();
  const text = useByClock((now) =>
    timeZone === null ? '' : bothClocks(Date.parse(at), timeZone, zone, now),
  );
  if (timeZone === null) return <Time at={at} />;
  return (
    <time dateTime={at} title={exactTime(at, zone)}>
      {text}
    </time>
  );
}
