import type { CodeFigures } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { CodeSystem } from '../evidence/x12-exchange.ts';
import type { Store } from '../open-store.ts';
import type { FactKind } from '../tables/facts.ts';
import { scopeOf } from './read-report.ts';
import { factsWithin } from './read-times.ts';

/** A payer's inquiries and the codes in them. */
export interface CountedCodes extends Readonly<Record<CodeSystem, CodeFigures>> {
  readonly payerId: string;
  readonly inquiryCount: number;
  /** Of them, those after the first of a request. */
  readonly furtherCount: number;
}

const KINDS: readonly FactKind[] = [
  'payer_answered',
  'payer_silent',
  'further_inquiry',
  'code_asked',
  'code_answered',
  'code_refused',
];

/**
 * Counts the inquiries sent in [`from`, `until`), by payer, with the codes that they asked for; both ends on the hour.
 * `not_found` for an account out of the caller's reach.
 */
export async function countAskedCodes(
  { db }: Store,
  options: {
    readonly caller: Caller;
    /** One account's instead of all. */
    readonly accountId?: string | undefined;
    readonly from: Date;
    readonly until: Date;
  },
): Promise<
  { readonly kind: 'counted'; readonly payers: readonly CountedCodes[] } | { readonly kind: 'not_found' }
> {
  const scope = await scopeOf(db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const facts = factsWithin({
    scopes: [scope],
    kinds: KINDS,
    from: sql<Date>`${options.from}::timestamptz`,
    until: sql<Date>`${options.until}::timestamptz`,
  });
  const { rows } = await sql<{ payer_id: string; kind: FactKind; reason: string; count: number }>`
    select payer_id, kind, case when kind like 'code%' then reason else '' end as reason, sum(count)::int as count
    from (${facts}) as fact group by 1, 2, 3 order by 1`.execute(db);
  const payerIds = [...new Set(rows.map(({ payer_id: id }) => id))];
  return {
    kind: 'counted',
    payers: payerIds.map((payerId): CountedCodes => {
      const countOf = (kinds: readonly FactKind[], list = ''): number =>
        rows
          .filter((row) => row.payer_id === payerId && kinds.includes(row.kind) && row.reason === list)
          .reduce((sum, { count }) => sum + count, 0);
      const figuresOf = (list: CodeSystem): CodeFigures => ({
        asked_count: countOf(['code_asked'], list),
        answered_count: countOf(['code_answered'], list),
        refused_count: countOf(['code_refused'], list),
      });
      return {
        payerId,
        inquiryCount: countOf(['payer_answered', 'payer_silent']),
        furtherCount: countOf(['further_inquiry']),
        dental: figuresOf('dental'),
        medical: figuresOf('medical'),
      };
    }),
  };
}
