import {
  ERROR_REASONS,
  ErrorReason,
  type ReasonedEvent,
  type ReasonsReport,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { countedUntil, factsOfReport, type ReportOptions, scopeOfReport } from './report.ts';

/** How often which reason was given, the most frequent first. */
export async function reportReasons(
  { db }: Store,
  { of, ...options }: ReportOptions & { readonly of: ReasonedEvent },
): Promise<
  | ({ readonly kind: 'reported' } & Pick<ReasonsReport, 'counted_until' | 'items'>)
  | { readonly kind: 'not_found' }
> {
  const scope = await scopeOfReport(db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const facts = factsOfReport(scope, [of === 'delivery' ? 'sent' : 'not_verified'], options);
  const { rows } = await sql<{ reason: string; count: number }>`
    select reason, sum(count)::int as count from (${facts}) as fact group by reason order by count desc, reason`.execute(
    db,
  );
  return {
    kind: 'reported',
    counted_until: await countedUntil(db),
    items: rows.map(({ reason, count }) => ({
      reason: reason === '' ? null : reason,
      fixed_by: fixedBy(reason),
      count,
    })),
  };
}

/** Webhook attempts end in classes that are no error reasons. */
function fixedBy(reason: string) {
  const { data: known } = ErrorReason.safeParse(reason);
  return known === undefined ? null : ERROR_REASONS[known].fixedBy;
}
