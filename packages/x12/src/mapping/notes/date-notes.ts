import type { DatedPeriod } from '../../parts/parts.ts';
import { deathDate } from '../coverages/coverage-period.ts';

/** DTPs that end nothing, or not by themselves, in words. */
const TOLD: readonly (readonly [qualifier: string, words: string])[] = [
  ['343', 'Premium paid to'],
  ['340', 'COBRA since'],
  ['341', 'COBRA to'],
  ['292', 'Benefit year'],
];

/** More than any payer sends. */
const DATE_COUNT_MAX = 20;

/** What a coverage's dates say beside its begin and end. */
export function dateNotes(dates: readonly DatedPeriod[]): string[] {
  const died = deathDate(dates);
  const told = TOLD.flatMap(([qualifier, words]) =>
    dates.filter((date) => date.qualifier === qualifier).map((date) => `${words}: ${daysText(date)}.`),
  );
  return [
    ...(died === null ? [] : [`The payer says that the patient died on ${died}.`]),
    ...[...new Set(told)].slice(0, DATE_COUNT_MAX),
  ];
}

/** `2026-01-01`, `2026-01-01 to 2026-12-31`. */
export function daysText({
  start,
  end,
}: {
  readonly start: string | null;
  readonly end: string | null;
}): string {
  if (end === null) return start ?? 'not known';
  return start === null ? `to ${end}` : `${start} to ${end}`;
}
