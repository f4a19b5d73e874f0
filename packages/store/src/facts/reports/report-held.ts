import type { HeldInStep, HeldNow, HeldReport } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { heldWithin } from '../../output/held/held-within.ts';
import { secondsSince } from '../depths/count-queue-depths.ts';
import { countedUntil, factsOfReport, type ReportOptions, scopeOfReport, stepsOfReport } from './report.ts';

/** Held outputs by step, and what is held now. Outputs of no known request belong to no account: only all have them. */
export async function reportHeld(
  { db }: Store,
  options: ReportOptions,
): Promise<
  | ({ readonly kind: 'reported' } & Pick<HeldReport, 'counted_until' | 'open' | 'items'>)
  | { readonly kind: 'not_found' }
> {
  const scope = await scopeOfReport(db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const facts = factsOfReport(scope, ['held', 'held_applied', 'held_dismissed'], options);
  const countOf = (kind: string) => sql`coalesce(sum(count) filter (where kind = ${sql.lit(kind)}), 0)::int`;
  const { rows } = await sql<Omit<HeldInStep, 'at'> & { at: Date }>`
    with fact as (${facts})
    select step.at, ${countOf('held')} as held_count, ${countOf('held_applied')} as applied_count,
      ${countOf('held_dismissed')} as dismissed_count
    from (${stepsOfReport(options)}) as step left join fact on fact.at = step.at
    group by step.at order by step.at`.execute(db);
  return {
    kind: 'reported',
    counted_until: await countedUntil(db),
    open: await heldNow({ db }, options),
    items: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}

/** At most as many rows as the capacity for held outputs allows. */
async function heldNow({ db }: Pick<Store, 'db'>, { caller, accountId }: ReportOptions): Promise<HeldNow[]> {
  const ofAccount =
    accountId === undefined
      ? sql`true`
      : sql`exists (select from request where request.id = held_output.request_id and request.account_id = ${accountId})`;
  const { rows } = await sql<HeldNow>`
    select reason, count(*)::int as open_count, ${secondsSince(sql`min(received_at)`)} as oldest_seconds
    from held_output where status = 'held' and ${heldWithin(caller)} and ${ofAccount}
    group by reason order by reason`.execute(db);
  return rows;
}
