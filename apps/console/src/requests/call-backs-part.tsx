import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { Mark } from '../look/mark.tsx';
import { leftUntil, Time } from '../look/time.tsx';
import { useNow } from '../look/use-now.ts';
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
  const now = useNow();
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
        {data.items.map(
          ({ request_id: id, patient_initials: initials, payer, call_back_at: at, ...item }) => (
            <li key={id}>
              <Link href={`${leadsTo}/${id}`}>
                Call {payer} about {initials ?? 'a patient'}
              </Link>
              <span>
                <Time at={at} />
                {item.who === 'me' && ', by me'}
                {item.who === 'someone_else' && `, by ${item.holder_name ?? item.held_by ?? 'someone else'}`}
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
