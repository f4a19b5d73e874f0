import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { Mark } from '../look/mark.tsx';
import { leftUntil, Time } from '../look/time.tsx';
import { useNow } from './use-lease.ts';
import own from './work.module.css';

/** The call-backs that the person may make, the earliest first. Those whose time has come are the first that Next takes. */
export function CallBacksPart() {
  const now = useNow();
  const { data } = useQuery({
    queryKey: ['work.callBacks'],
    queryFn: ({ signal }) => api.work.callBacks.query(undefined, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  if (!data || data.items.length === 0) return null;
  return (
    <section className={own.day} aria-label="Call-backs">
      <h2>Call-backs</h2>
      <ul>
        {data.items.map(
          ({ request_id: id, patient_initials: initials, payer, call_back_at: at, ...item }) => (
            <li key={id}>
              <Link href={`/work/${id}`}>
                Call {payer} about {initials ?? 'a patient'}
              </Link>
              <span>
                <Time at={at} />
                {item.who === 'me' && ', by me'}
              </span>
              {Date.parse(at) <= now && <Mark tone="warn">Due</Mark>}
              {item.needed_by !== null && <span>needed: {leftUntil(item.needed_by, now)}</span>}
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
