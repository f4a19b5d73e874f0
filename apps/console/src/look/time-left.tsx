import { Mark } from './mark.tsx';
import { leftUntil } from './time.tsx';
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
