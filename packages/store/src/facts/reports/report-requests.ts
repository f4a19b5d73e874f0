import type { RequestsInStep, RequestsReport } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { countedUntil, factsOfReport, type ReportOptions, scopeOfReport, stepsOfReport } from './report.ts';

type Reported = Pick<RequestsReport, 'counted_until' | 'items'>;

const KINDS = ['received', 'completed', 'not_verified', 'corrected', 'met', 'overdue'] as const;

/** Requests by outcome: every step, also those without any. */
export async function reportRequests(
  { db }: Store,
  options: ReportOptions,
): Promise<({ readonly kind: 'reported' } & Reported) | { readonly kind: 'not_found' }> {
  const scope = await scopeOfReport(db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const facts = factsOfReport(scope, KINDS, options);
  const countOf = (kind: string) => sql`coalesce(sum(count) filter (where kind = ${sql.lit(kind)}), 0)::int`;
  const { rows } = await sql<Omit<RequestsInStep, 'at'> & { at: Date }>`
    with fact as (${facts})
    select step.at, ${countOf('received')} as received_count, ${countOf('completed')} as completed_count,
      ${countOf('not_verified')} as not_verified_count, ${countOf('corrected')} as corrected_count,
      ${countOf('met')} as met_count, ${countOf('overdue')} as overdue_count
    from (${stepsOfReport(options)}) as step left join fact on fact.at = step.at
    group by step.at order by step.at`.execute(db);
  return {
    kind: 'reported',
    counted_until: await countedUntil(db),
    items: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}
