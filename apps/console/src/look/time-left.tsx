import { Mark } from './mark.tsx';
import { duration } from './time.tsx';
import { useByClock } from './use-now.ts';

interface TimeLeftProps {
  readonly by: string;
  /** Of what is still in time; absent: plain text. */
  readonly tone?: 'warn';
}

/** How long until something is needed, by the clock: `25 min left`, then `2 h late`, marked. */
export function TimeLeft({ by, tone }: TimeLeftProps) {
  const text = useByClock((now) => leftUntil(by, now));
  if (text.endsWith('late')) return <Mark tone="bad">{text}</Mark>;
  return tone ? <Mark tone={tone}>{text}</Mark> : <>{text}</>;
}

/** How long until something is needed, or how long ago it was: `25 min left`, `2 h late`. */
function leftUntil(by: string, now: number): string {
  const seconds = (Date.parse(by) - now) / 1_000;
  return seconds > 0 ? `${duration(seconds)} left` : `${duration(-seconds)} late`;
}
