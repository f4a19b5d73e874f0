import type { DatedPeriod } from '../../parts/parts.ts';

/** DTPs that end nothing, or not by themselves, in words and in this order. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['442', 'The payer says that the patient died on'],
  ['343', 'Premium paid to'],
  ['340', 'COBRA since'],
  ['341', 'COBRA to'],
  ['292', 'Benefit year'],
]);
const RANKS = [...WORDS.keys()];

/** More than any payer sends. */
const DATE_COUNT_MAX = 20;

/** What the dates of a member and of a coverage's rows say with its begin and end. */
export function dateNotes(...lists: readonly (readonly DatedPeriod[])[]): string[] {
  const said: DatedPeriod[] = [];
  let before: DatedPeriod | undefined;
  for (const dates of lists)
    for (const date of dates) {
      if (!WORDS.has(date.qualifier)) continue;
      // Payers repeat the benefit year after each row.
      if (!before || !isSameDate(before, date)) said.push(date);
      before = date;
    }
  if (said.length === 0) return [];
  const sentences = said
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((date) => `${WORDS.get(date.qualifier)} ${daysText(date)}.`);
  return [...new Set(sentences)].slice(0, DATE_COUNT_MAX);
}

function isSameDate(one: DatedPeriod, other: DatedPeriod): boolean {
  return one.qualifier === other.qualifier && one.start === other.start && one.end === other.end;
}

function rankOf({ qualifier }: DatedPeriod): number {
  return RANKS.indexOf(qualifier);
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
