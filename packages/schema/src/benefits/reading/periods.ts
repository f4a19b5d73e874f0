/** First and last day, `YYYY-MM-DD`. A null side is open. */
export interface Days {
  readonly start: string | null;
  readonly end: string | null;
}

/** Whether the day is outside of the period. An open side excludes nothing. */
export function excludesDay({ start, end }: Days, day: string): boolean {
  return (start !== null && day < start) || (end !== null && day > end);
}

/**
 * The periods of dates that belong together, such as all plan begins and plan ends of one loop: a range is a period, a
 * begin takes the next end before the next begin, and what is left over is open on one side. The order of the dates does
 * not matter.
 */
export function joinPeriods(dates: readonly Days[]): readonly Days[] {
  if (dates.length < 2) return dates;
  const periods: Days[] = [];
  const begins = new Set<string>();
  const ends = new Set<string>();
  for (const { start, end } of dates) {
    if (start !== null && end !== null) periods.push({ start, end });
    else if (start !== null) begins.add(start);
    else if (end !== null) ends.add(end);
  }
  for (const { start } of periods) if (start !== null) begins.delete(start); // sent twice, once with its end
  const starts = [...begins].toSorted();
  const sortedEnds = [...ends].toSorted();
  let next = 0;
  for (const [index, start] of starts.entries()) {
    const following = starts[index + 1];
    while (sortedEnds[next] !== undefined && (sortedEnds[next] ?? '') < start)
      periods.push({ start: null, end: sortedEnds[next++] ?? null });
    const end = sortedEnds[next];
    const isOwn = end !== undefined && (following === undefined || end < following);
    if (isOwn) next += 1;
    periods.push({ start, end: isOwn ? end : null });
  }
  for (const end of sortedEnds.slice(next)) periods.push({ start: null, end });
  return periods;
}
