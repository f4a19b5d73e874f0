import { serverNow } from '../../api/server-time.ts';

/** The age filters of lists: key, label, seconds; negative for older than. */
const AGES = [
  ['under-1h', 'The last hour', 3_600],
  ['under-1d', 'The last day', 86_400],
  ['under-7d', 'The last 7 days', 7 * 86_400],
  ['over-1h', 'Older than an hour', -3_600],
  ['over-1d', 'Older than a day', -86_400],
] as const;

export const AGE_CHOICES = AGES.map(([key, word]) => [key, word] as const);

interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The time span of an age filter and exact times; an exact time takes precedence over the age. */
export function spanOf(age: string | undefined, { since, until }: Span, now = serverNow()): Span {
  const seconds = AGES.find(([key]) => key === age)?.[2];
  if (seconds === undefined) return { since, until };
  // To the minute: a list that is read again is the same list.
  const edge = new Date(Math.floor((now - Math.abs(seconds) * 1_000) / 60_000) * 60_000).toISOString();
  return seconds > 0 ? { since: since ?? edge, until } : { since, until: until ?? edge };
}
